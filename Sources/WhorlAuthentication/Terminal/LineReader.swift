import Glibc
import Synchronization
import WhorlSecrets

/// A thread that reads lines from a terminal until it is stopped.
///
/// A read blocks, so it has a thread of its own: the shared pool has two threads on a small machine.
package final class LineReader: Sendable {
    /// The longest line in bytes: that of a PIN or passphrase.
    package static let limit = 1024

    /// Ctrl-C, where it comes as a key.
    static let interrupt: UInt8 = 0x03

    private let descriptor: CInt
    // A pipe: written to once, to wake the thread.
    private let wake: (readEnd: CInt, writeEnd: CInt)
    private let continuation: AsyncStream<TerminalInput>.Continuation
    private let thread = Mutex<pthread_t?>(nil)

    private init(
        descriptor: CInt, wake: (CInt, CInt),
        continuation: AsyncStream<TerminalInput>.Continuation
    ) {
        self.descriptor = descriptor
        self.wake = wake
        self.continuation = continuation
    }

    deinit {
        close(wake.readEnd)
        close(wake.writeEnd)
    }

    /// Starts a thread that reads a terminal in line mode.
    ///
    /// The corresponding C functions are `pipe` and `pthread_create`.
    ///
    /// - Parameters:
    ///   - descriptor: The terminal, which must stay open until ``stop()``.
    ///   - continuation: Takes the lines.
    /// - Returns: The reader, which somebody must stop.
    /// - Throws: ``SystemError`` where the system has no descriptor or thread left.
    package static func start(
        _ descriptor: CInt, _ continuation: AsyncStream<TerminalInput>.Continuation
    ) throws(SystemError) -> LineReader {
        var ends: [CInt] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { throw .current }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let reader = LineReader(
            descriptor: descriptor, wake: (ends[0], ends[1]), continuation: continuation)
        var thread = pthread_t()
        let box = unsafe Unmanaged.passRetained(reader)
        let failure = unsafe pthread_create(
            &thread, nil,
            { argument in
                guard let argument = unsafe argument else { return nil }
                unsafe Unmanaged<LineReader>.fromOpaque(argument).takeRetainedValue().run()
                return nil
            }, box.toOpaque())
        guard failure == 0 else {
            unsafe box.release()
            throw SystemError(number: failure)
        }
        reader.thread.withLock { $0 = thread }
        return reader
    }

    /// Stops the thread and waits for its end, which is at once.
    package func stop() {
        guard let thread = thread.withLock({ $0.take() }) else { return }
        var byte: UInt8 = 0
        _ = unsafe Glibc.write(wake.writeEnd, &byte, 1)
        pthread_join(thread, nil)
    }

    // MARK: On the thread

    private func run() {
        defer { continuation.finish() }
        var line = Line()
        while waitForInput() {
            switch line.read(from: descriptor) {
            case .nothing: continue
            case .input(.ended):
                continuation.yield(.ended)
                return
            case .input(let input): continuation.yield(input)
            }
        }
    }

    // Whether there is something to read; false when the thread is to end.
    private func waitForInput() -> Bool {
        var descriptors = [
            pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: wake.readEnd, events: Int16(POLLIN), revents: 0),
        ]
        while unsafe poll(&descriptors, 2, -1) < 0 {
            guard errno == EINTR else { return false }
        }
        return descriptors[1].revents == 0
    }
}

// A line as it comes, in locked memory from its first byte on.
private struct Line: ~Copyable {
    package enum Progress {
        case nothing
        case input(TerminalInput)
    }

    // One byte for the newline.
    private static let capacity = LineReader.limit + 1
    private var bytes: SecretBytes?
    private var filled = 0
    private var isTooLong = false

    package mutating func read(from descriptor: CInt) -> Progress {
        guard var buffer = memory() else { return .input(.ended) }
        let offset = filled
        let (count, error) = buffer.withMutableBytes { span in
            unsafe span.withUnsafeMutableBytes { pointer -> (Int, CInt) in
                guard let start = pointer.baseAddress else { return (0, 0) }
                let count = unsafe Glibc.read(
                    descriptor, start + offset, pointer.count - offset)
                return (count, errno)
            }
        }
        guard count > 0 else {
            let mayComeLater = count < 0 && (error == EAGAIN || error == EINTR)
            bytes = consume buffer
            return mayComeLater ? .nothing : .input(.ended)
        }
        filled += count
        let last = filled - 1
        let byte = buffer.withBytes { unsafe $0.unsafeLoad(fromByteOffset: last, as: UInt8.self) }
        if byte == LineReader.interrupt { return .input(.ended) }
        guard byte == UInt8(ascii: "\n") else {
            if filled == Self.capacity {
                isTooLong = true
                filled = 0
            }
            bytes = consume buffer
            return .nothing
        }
        filled = 0
        if isTooLong {
            isTooLong = false
            return .input(.tooLong)
        }
        buffer.truncate(to: last)
        return .input(.line(HeldSecret(buffer)))
    }

    private mutating func memory() -> SecretBytes? {
        if let begun = bytes.take() { return begun }
        do throws(SecretMemoryError) {
            return try SecretBytes(zeroedCount: Self.capacity)
        } catch {
            return nil
        }
    }
}
