import Glibc
import Testing
import WhorlAuthentication
import WhorlSecrets

@testable import WhorlCommand

struct DescriptorTests {
    // MARK: Sinks

    @Test func allBytesAreWritten() throws {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/f"
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        defer { close(descriptor) }
        let sink = DescriptorSink(descriptor: descriptor)
        try sink.write("")
        try sink.write("a\u{e9}")
        try sink.write(secret: secret([0, 255, 10]))
        #expect(try TestFile.bytes(path) == [0x61, 0xC3, 0xA9, 0, 255, 10])
    }

    @Test func aReaderThatHasGoneIsAnErrorAndNoSignal() async {
        await #expect(processExitsWith: .success) {
            _ = signal(SIGPIPE, SIG_IGN)
            var ends: [CInt] = [-1, -1]
            precondition(unsafe pipe(&ends) == 0)
            close(ends[0])
            do throws(SystemError) {
                try DescriptorSink(descriptor: ends[1]).write("x")
                fatalError("written to nobody")
            } catch {
                precondition(error == .brokenPipe)
            }
        }
    }

    @Test(.timeLimit(.minutes(1)))
    func aReaderThatDoesNotReadIsNotWaitedForTooLong() throws {
        var ends: [CInt] = [-1, -1]
        try #require(unsafe pipe(&ends) == 0)
        defer { for end in ends { close(end) } }
        let flags = fcntl(ends[1], F_GETFL)
        _ = fcntl(ends[1], F_SETFL, flags | O_NONBLOCK)
        let sink = DescriptorSink(descriptor: ends[1], patience: 10)
        #expect(throws: SystemError.timedOut) {
            try sink.write(String(repeating: "x", count: 1 << 20))
        }
    }

    @Test(.timeLimit(.minutes(1)))
    func aSlowReaderIsWaitedFor() async throws {
        var ends: [CInt] = [-1, -1]
        try #require(unsafe pipe(&ends) == 0)
        _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
        let readEnd = ends[0]
        let reader = Task.detached {
            try await Task.sleep(for: .milliseconds(20))
            return TestFile.bytes(from: readEnd).count
        }
        try DescriptorSink(descriptor: ends[1]).write(String(repeating: "x", count: 200_000))
        close(ends[1])
        #expect(try await reader.value == 200_000)
        close(readEnd)
    }

    @Test func closedStandardDescriptorsAreFilledTheWrongWayRound() async {
        await #expect(processExitsWith: .exitCode(7)) {
            for descriptor in CInt(0)...2 { close(descriptor) }
            StandardDescriptors.fill()
            var byte: UInt8 = 1
            let isRefused = unsafe [write(1, &byte, 1), write(2, &byte, 1), read(0, &byte, 1)]
                .allSatisfy { $0 < 0 }
            let next = unsafe open("/dev/null", O_RDONLY)
            exit(isRefused && next > 2 ? 7 : 1)
        }
    }

    // MARK: New files

    @Test func aNewFileIsItsOwnersAlone() throws {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/f"
        let before = umask(0)
        defer { umask(before) }
        try NewFile.check(path)
        try NewFile.write(secret("s"), to: path)
        #expect(TestFile.mode(path) == 0o600)
        #expect(try TestFile.read(path) == "s")
    }

    @Test func whatIsThereIsNeverWrittenOver() throws {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/f"
        try TestFile.write("mine", to: path)
        #expect(throws: CommandFailure.fileExists(path)) { try NewFile.check(path) }
        #expect(throws: CommandFailure.fileExists(path)) {
            try NewFile.write(secret("s"), to: path)
        }
        #expect(try TestFile.read(path) == "mine")
    }

    @Test func aLinkIsNeverFollowed() throws {
        let folder = try TemporaryFolder()
        let (link, target) = ("\(folder.path)/link", "\(folder.path)/target")
        try #require(unsafe symlink(target, link) == 0)
        #expect(throws: CommandFailure.fileExists(link)) { try NewFile.check(link) }
        #expect(throws: CommandFailure.fileExists(link)) {
            try NewFile.write(secret("s"), to: link)
        }
        #expect(TestFile.mode(target) == nil)
    }

    @Test func aFolderThatIsNotThereIsSaidSo() {
        let path = "/nonexistent/folder/f"
        let error = #expect(throws: CommandFailure.self) { try NewFile.check(path) }
        #expect(error?.exitStatus == 66)
        let late = #expect(throws: CommandFailure.self) {
            try NewFile.write(secret("s"), to: path)
        }
        #expect(late?.exitStatus == 66)
        let below = #expect(throws: CommandFailure.self) { try NewFile.check("/dev/null/f") }
        #expect(below?.exitStatus == 66)
        let empty = #expect(throws: CommandFailure.self) {
            try NewFile.write(secret("s"), to: "")
        }
        #expect(empty?.exitStatus == 66)
    }

    @Test func aFileThatCannotBeFilledIsNotLeftBehind() async {
        await #expect(processExitsWith: .success) {
            _ = signal(SIGXFSZ, SIG_IGN)
            let folder = try TemporaryFolder()
            var limit = rlimit(rlim_cur: 10, rlim_max: 10)
            precondition(unsafe setrlimit(CInt(RLIMIT_FSIZE.rawValue), &limit) == 0)
            do throws(CommandFailure) {
                let long: SecretBytes
                do { long = try secret("longer than ten bytes") } catch { fatalError() }
                try NewFile.write(long, to: "\(folder.path)/f")
                fatalError("written past the limit")
            } catch {
                precondition(error.exitStatus == 74)
                precondition(TestFile.mode("\(folder.path)/f") == nil)
            }
        }
    }

    // MARK: Errors

    @Test func errorsHaveTheSystemsWords() {
        #expect(SystemError.brokenPipe.description == "Broken pipe")
        #expect(SystemError(number: 99_999).description.contains("99999"))
    }
}
