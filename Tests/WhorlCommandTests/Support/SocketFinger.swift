import Glibc

/// A finger at libfprint's virtual device, on a thread of its own: a test that waits for a program
/// must not need a second thread of the pool for it.
final class SocketFinger: Sendable {
    private let path: String
    private let commands: [String]

    private init(path: String, commands: [String]) {
        self.path = path
        self.commands = commands
    }

    /// Says commands to the device one after the other, each as soon as it listens, for ten seconds
    /// at most.
    static func say(_ commands: [String], at path: String) {
        var thread = pthread_t()
        let finger = SocketFinger(path: path, commands: commands)
        let box = unsafe Unmanaged.passRetained(finger)
        let failure = unsafe pthread_create(
            &thread, nil,
            { argument in
                guard let argument = unsafe argument else { return nil }
                unsafe Unmanaged<SocketFinger>.fromOpaque(argument).takeRetainedValue().run()
                return nil
            }, box.toOpaque())
        if failure == 0 { pthread_detach(thread) } else { unsafe box.release() }
    }

    private func run() {
        for command in commands {
            for _ in 0..<1000 {
                if send(command) { break }
                usleep(10_000)
            }
            // The device takes one command a moment, and eats those that come too early.
            usleep(300_000)
        }
    }

    private func send(_ command: String) -> Bool {
        let socket = Glibc.socket(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0)
        defer { close(socket) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { target in
            for (index, byte) in bytes.enumerated() where index < target.count - 1 {
                unsafe target[index] = byte
            }
        }
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let connected = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe connect(
                socket, UnsafeRawPointer(pointer).assumingMemoryBound(to: sockaddr.self), size)
        }
        guard connected == 0 else { return false }
        let text = Array(command.utf8)
        return unsafe write(socket, text, text.count) == text.count
    }
}
