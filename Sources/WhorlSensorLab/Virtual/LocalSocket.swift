internal import Glibc

/// A connected UNIX stream socket that waits without holding a thread.
///
/// The pool of threads that runs tests and readers alike may be two wide, so nothing here blocks:
/// each call that would is tried again after a pause, until a deadline.
final class LocalSocket: Sendable {
    private let descriptor: CInt
    private let path: String

    static let pause = Duration.milliseconds(2)
    // `sockaddr_un.sun_path` with its closing NUL.
    static let longestPath = 107

    /// Connects, and goes on trying while nobody listens at the path.
    init(
        connectingTo path: String, until deadline: ContinuousClock.Instant
    ) async throws(VirtualReaderError) {
        self.path = path
        let bytes = Array(path.utf8)
        guard (1...Self.longestPath).contains(bytes.count), !bytes.contains(0) else {
            throw .unusablePath(path)
        }
        while true {
            let opened = socket(
                AF_UNIX,
                CInt(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue),
                0)
            guard opened >= 0 else { throw .system(call: "socket", errno: errno) }
            let failure = Self.connect(opened, to: bytes)
            if failure == 0 {
                descriptor = opened
                return
            }
            close(opened)
            // EAGAIN: the reader's backlog of one connection is full.
            guard [ENOENT, ECONNREFUSED, EAGAIN, EINTR].contains(failure) else {
                throw .system(call: "connect", errno: failure)
            }
            try await Self.wait(
                until: deadline,
                orThrow: failure == EAGAIN ? .noAnswer(path: path) : .notListening(path: path))
        }
    }

    deinit { close(descriptor) }

    private static func connect(_ descriptor: CInt, to path: [UInt8]) -> CInt {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path) }
        let result = unsafe withUnsafePointer(to: &address) {
            unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        return result == 0 ? 0 : errno
    }

    private static func wait(
        until deadline: ContinuousClock.Instant, orThrow late: VirtualReaderError
    ) async throws(VirtualReaderError) {
        guard ContinuousClock.now < deadline else { throw late }
        do { try await Task.sleep(for: pause) } catch { throw .cancelled }
    }

    /// Whether the other end has closed, as far as is known without waiting.
    var isClosedByPeer: Bool {
        var byte: UInt8 = 0
        let count = unsafe recv(
            descriptor, &byte, 1, CInt(MSG_PEEK | MSG_DONTWAIT))
        return count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR)
    }

    /// What became of a message.
    enum Delivery {
        case whole
        /// The other end closed before it had read everything.
        case refused
    }

    /// Writes all bytes.
    func write(
        _ bytes: [UInt8], until deadline: ContinuousClock.Instant
    ) async throws(VirtualReaderError) -> Delivery {
        var written = 0
        while written < bytes.count {
            let count = unsafe bytes.withUnsafeBytes { all in
                let rest = unsafe UnsafeRawBufferPointer(rebasing: all[written...])
                return unsafe send(
                    descriptor, rest.baseAddress, rest.count, CInt(MSG_NOSIGNAL))
            }
            if count >= 0 {
                written += count
                continue
            }
            switch errno {
            case EINTR: continue
            case EAGAIN: try await Self.wait(until: deadline, orThrow: .noAnswer(path: path))
            case EPIPE, ECONNRESET: return .refused
            case let failure: throw .system(call: "send", errno: failure)
            }
        }
        return .whole
    }

    /// Reads until the other end closes.
    ///
    /// Returns nil where it closed before it had read everything that was written to it.
    func readToEnd(
        atMost limit: Int, until deadline: ContinuousClock.Instant
    ) async throws(VirtualReaderError) -> [UInt8]? {
        var answer: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = unsafe buffer.withUnsafeMutableBytes {
                unsafe recv(descriptor, $0.baseAddress, $0.count, 0)
            }
            if count > 0 {
                guard answer.count + count <= limit else {
                    throw .system(call: "recv", errno: EMSGSIZE)
                }
                answer += buffer[..<count]
                continue
            }
            guard count < 0 else { return answer }
            switch errno {
            case EINTR: continue
            case EAGAIN: try await Self.wait(until: deadline, orThrow: .noAnswer(path: path))
            case ECONNRESET: return nil
            case let failure: throw .system(call: "recv", errno: failure)
            }
        }
    }
}
