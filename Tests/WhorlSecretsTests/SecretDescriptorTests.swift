import Glibc
import Testing
import WhorlSecrets

struct SecretDescriptorTests {
    @Test(arguments: [0, 1, 4095, 4096, 4097, 20_000])
    func aSecretIsReadToTheEnd(count: Int) throws {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let file = try TemporaryFile(bytes)
        let secret = try SecretBytes(readingFrom: file.descriptor, atMost: 20_000)
        #expect(revealed(secret) == bytes)
    }

    @Test(arguments: [(0, 0), (5, 5), (4096, 4096), (4095, 4095)])
    func aSecretThatJustFitsIsAccepted(count: Int, limit: Int) throws {
        let file = try TemporaryFile([UInt8](repeating: 1, count: count))
        let secret = try SecretBytes(readingFrom: file.descriptor, atMost: limit)
        #expect(secret.count == count)
    }

    @Test(arguments: [(1, 0), (6, 5), (4097, 4096), (4096, 4095), (100_000, 9000)])
    func aSecretThatIsTooLongIsRefused(count: Int, limit: Int) throws {
        let file = try TemporaryFile([UInt8](repeating: 1, count: count))
        #expect(throws: SecretTransferError.tooLong(limit: limit)) {
            _ = try SecretBytes(readingFrom: file.descriptor, atMost: limit)
        }
    }

    @Test func readingFromAClosedDescriptorIsAnError() {
        #expect(throws: SecretTransferError.read(errno: EBADF)) {
            _ = try SecretBytes(readingFrom: -1, atMost: 10)
        }
    }

    @Test(arguments: [-1, Int.min, Int.max])
    func anImpossibleLimitIsRefused(limit: Int) {
        #expect(throws: SecretTransferError.self) {
            _ = try SecretBytes(readingFrom: 0, atMost: limit)
        }
    }

    @Test func aSecretInPiecesIsPutTogether() throws {
        let pipe = try Pipe()
        try startThread {
            for piece in ["one ", "two ", "three"] {
                pipe.write(piece)
                usleep(5000)
            }
            pipe.closeWriteEnd()
        }
        let secret = try SecretBytes(readingFrom: pipe.readEnd, atMost: 100)
        #expect(revealed(secret) == [UInt8]("one two three".utf8))
    }

    @Test func aNonBlockingDescriptorIsWaitedFor() throws {
        let pipe = try Pipe()
        try #require(fcntl(pipe.readEnd, F_SETFL, O_NONBLOCK) == 0)
        try startThread {
            usleep(20_000)
            pipe.write("late")
            pipe.closeWriteEnd()
        }
        let secret = try SecretBytes(readingFrom: pipe.readEnd, atMost: 100)
        #expect(revealed(secret) == [UInt8]("late".utf8))
    }

    @Test func oneReadGoesToItsOffset() throws {
        let file = try TemporaryFile([1, 2, 3])
        var secret = try SecretBytes(zeroedCount: 4)
        #expect(try secret.read(from: file.descriptor, at: 2) == 2)
        #expect(revealed(secret) == [0, 0, 1, 2])
        #expect(try secret.read(from: file.descriptor, at: 4) == 0)
        #expect(try secret.read(from: file.descriptor, at: 9) == 0)
        #expect(try secret.read(from: file.descriptor, at: -1) == 0)
        #expect(try secret.read(from: file.descriptor, at: 0) == 1)
        #expect(try secret.read(from: file.descriptor, at: 0) == 0)
    }

    @Test(arguments: [0, 1, 200_000])
    func allBytesAreWritten(count: Int) throws {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        let pipe = try Pipe()
        try startThread {
            try? secret(bytes).write(to: pipe.writeEnd)
            pipe.closeWriteEnd()
        }
        let read = try SecretBytes(readingFrom: pipe.readEnd, atMost: 200_000)
        #expect(revealed(read) == bytes)
    }

    @Test func aReaderThatHasGoneIsAnErrorAndNoSignal() async {
        await #expect(processExitsWith: .success) {
            let pipe = try Pipe()
            pipe.closeReadEnd()
            let secret = try SecretBytes(copying: [1].span)
            do throws(SecretTransferError) {
                try secret.write(to: pipe.writeEnd)
                fatalError("written to nobody")
            } catch {
                precondition(error == .write(errno: EPIPE))
                precondition(error.description.contains("EPIPE"))
            }
            var pending = sigset_t()
            unsafe sigpending(&pending)
            precondition(unsafe sigismember(&pending, SIGPIPE) == 0)
            var mask = sigset_t()
            unsafe pthread_sigmask(SIG_BLOCK, nil, &mask)
            precondition(unsafe sigismember(&mask, SIGPIPE) == 0)
        }
    }

    @Test func aFullDiskIsAnError() throws {
        let full = unsafe open("/dev/full", O_WRONLY | O_CLOEXEC)
        try #require(full >= 0)
        defer { close(full) }
        #expect(throws: SecretTransferError.write(errno: ENOSPC)) {
            try secret("abc").write(to: full)
        }
    }

    @Test func noErrorShowsTheSecret() throws {
        let file = try TemporaryFile([UInt8]("swordfish".utf8))
        let error = #expect(throws: SecretTransferError.self) {
            _ = try SecretBytes(readingFrom: file.descriptor, atMost: 3)
        }
        #expect(error.map { "\($0) \(String(reflecting: $0))".contains("swo") } == false)
    }
}

private final class TemporaryFile {
    let descriptor: CInt

    init(_ bytes: [UInt8]) throws {
        descriptor = try openUnnamedFile()
        try #require(unsafe pwrite(descriptor, bytes, bytes.count, 0) == bytes.count)
    }

    deinit { close(descriptor) }
}

private final class Pipe: Sendable {
    let readEnd: CInt
    let writeEnd: CInt

    init() throws {
        var ends: [CInt] = [-1, -1]
        try #require(unsafe pipe(&ends) == 0)
        readEnd = ends[0]
        writeEnd = ends[1]
    }

    func write(_ text: String) {
        let bytes = [UInt8](text.utf8)
        _ = unsafe Glibc.write(writeEnd, bytes, bytes.count)
    }

    func closeWriteEnd() { close(writeEnd) }

    func closeReadEnd() { close(readEnd) }
}

/// A thread of its own: the other end of a pipe must not wait for a place on the shared pool.
private func startThread(_ body: @escaping @Sendable () -> Void) throws {
    final class Box {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
    var thread = pthread_t()
    let box = unsafe Unmanaged.passRetained(Box(body))
    let result = unsafe pthread_create(
        &thread, nil,
        { argument in
            if let argument = unsafe argument {
                unsafe Unmanaged<Box>.fromOpaque(argument).takeRetainedValue().body()
            }
            return nil
        }, box.toOpaque())
    try #require(result == 0)
    pthread_detach(thread)
}
