import Glibc
import Synchronization

/// Listens where a virtual reader would, and does with each connection what a test says.
final class StandInReader: Sendable {
    enum Manner: Sendable {
        /// Reads once, answers, and closes, as `virtual_device` does.
        case answering([UInt8])
        /// Closes without reading, as when another connection comes first.
        case droppingFirst(Int)
        /// Takes connections and reads nothing.
        case silent
        /// Reads until the other end closes, as `virtual_image` does.
        case listening
    }

    let path: String
    private let folder: String
    private let listener: CInt
    private let heard = Mutex<[[UInt8]]>([])
    private let held = Mutex<[CInt]>([])

    /// What was read, one entry a connection that is over.
    var messages: [[UInt8]] { heard.withLock { $0 } }
    var texts: [String] { messages.map { String(decoding: $0, as: UTF8.self) } }

    private static func freshFolder() -> String {
        var template = Array("/tmp/whorl-lab-XXXXXX".utf8CString)
        return unsafe template.withUnsafeMutableBufferPointer { buffer in
            guard let start = buffer.baseAddress, let made = unsafe mkdtemp(start) else {
                preconditionFailure("no temporary folder, errno \(errno)")
            }
            return unsafe String(cString: made)
        }
    }

    init(_ manner: Manner) {
        folder = Self.freshFolder()
        path = folder + "/socket"
        listener = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
        let bound = unsafe withUnsafePointer(to: &address) {
            unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        precondition(bound == 0 && listen(listener, 1) == 0, "no listener, errno \(errno)")
        unsafe Self.detach { [self] in serve(manner) }
    }

    /// Ends the listener; nothing answers at the path any more.
    func stop() {
        shutdown(listener, CInt(SHUT_RDWR))
        for descriptor in held.withLock({ $0 }) { close(descriptor) }
        _ = unsafe unlink(path)
        _ = unsafe rmdir(folder)
    }

    private func serve(_ manner: Manner) {
        var dropped = 0
        while true {
            let connection = accept(listener, nil, nil)
            guard connection >= 0 else { break }
            switch manner {
            case .silent: held.withLock { $0.append(connection) }
            case .droppingFirst(let count) where dropped < count:
                dropped += 1
                waitForInput(connection)
                close(connection)
            case .droppingFirst: answer(connection, with: [])
            case .answering(let bytes): answer(connection, with: bytes)
            case .listening:
                let all = readToEnd(connection)
                heard.withLock { $0.append(all) }
                close(connection)
            }
        }
        close(listener)
    }

    // Unread bytes at the time of the close make it a reset.
    private func waitForInput(_ connection: CInt) {
        var poller = pollfd(fd: connection, events: Int16(POLLIN), revents: 0)
        _ = unsafe poll(&poller, 1, 10_000)
    }

    private func answer(_ connection: CInt, with bytes: [UInt8]) {
        var buffer = [UInt8](repeating: 0, count: 2048)
        let count = unsafe read(connection, &buffer, buffer.count)
        if count > 0 { heard.withLock { $0.append(Array(buffer[..<count])) } }
        _ = unsafe write(connection, bytes, bytes.count)
        close(connection)
    }

    private func readToEnd(_ connection: CInt) -> [UInt8] {
        var all: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65536)
        while true {
            let count = unsafe read(connection, &buffer, buffer.count)
            guard count > 0 else { return all }
            all += buffer[..<count]
        }
    }

    @unsafe
    private static func detach(_ body: @escaping @Sendable () -> Void) {
        final class Box {
            let body: @Sendable () -> Void
            init(_ body: @escaping @Sendable () -> Void) { self.body = body }
        }
        var thread = pthread_t()
        let box = unsafe Unmanaged.passRetained(Box(body)).toOpaque()
        let result = unsafe pthread_create(
            &thread, nil,
            { argument in
                guard let argument = unsafe argument else { return nil }
                unsafe Unmanaged<Box>.fromOpaque(argument).takeRetainedValue().body()
                return nil
            }, box)
        precondition(result == 0, "no thread, error \(result)")
        pthread_detach(thread)
    }
}
