internal import Glibc
internal import Synchronization

/// Keeps from standard error what libusb says thousands of times when its device is a recording.
///
/// umockdev's device node is a plain file, always ready, so libusb's event thread asks for its
/// handle again and again while a reader is opened or closed, and `LIBUSB_DEBUG=0` does not stop it
/// from saying so. Everything else passes.
final class NoiseFilter: Sendable {
    private let original: CInt
    private let thread: Mutex<pthread_t?>

    /// Puts itself before standard error; nil where that cannot be done, and then all is as it was.
    init?() {
        var ends: [CInt] = [-1, -1]
        let original = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3)
        guard original >= 0, unsafe pipe(&ends) == 0 else { return nil }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let state = unsafe Unmanaged.passRetained(Pipe(from: ends[0], to: original))
        var thread = pthread_t()
        let code = unsafe pthread_create(
            &thread, nil,
            { argument in
                if let argument = unsafe argument {
                    unsafe Unmanaged<Pipe>.fromOpaque(argument).takeRetainedValue().run()
                }
                return nil
            }, state.toOpaque())
        guard code == 0 else {
            unsafe state.release()
            for end in ends { close(end) }
            close(original)
            return nil
        }
        dup2(ends[1], STDERR_FILENO)
        close(ends[1])
        self.original = original
        self.thread = Mutex(thread)
    }

    /// Takes itself away, when all that was written has passed.
    func finish() {
        guard let thread = thread.withLock({ $0.take() }) else { return }
        // The last writing end goes with this, so the thread comes to the end of the pipe.
        dup2(original, STDERR_FILENO)
        pthread_join(thread, nil)
        close(original)
    }
}

// The thread's part: lines in, fewer lines out.
private final class Pipe {
    private let source: CInt
    private let target: CInt

    init(from source: CInt, to target: CInt) {
        self.source = source
        self.target = target
    }

    private static let noise = ["libusb: error [op_handle_events]", "** Message: "].map {
        Array($0.utf8)
    }

    func run() {
        var line: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = unsafe chunk.withUnsafeMutableBytes {
                unsafe read(source, $0.baseAddress, $0.count)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            for byte in chunk[..<count] {
                line.append(byte)
                guard byte == 0x0A else { continue }
                pass(line)
                line.removeAll(keepingCapacity: true)
            }
        }
        pass(line)
        close(source)
    }

    private func pass(_ line: [UInt8]) {
        guard !line.isEmpty, !Self.noise.contains(where: { line.starts(with: $0) }) else { return }
        _ = unsafe line.withUnsafeBytes { unsafe write(target, $0.baseAddress, $0.count) }
    }
}
