import Foundation
import Glibc
import Testing
import WhorlSensorLab

/// What the kernel writes of a process that is killed in the middle of things.
@Suite(
    .serialized, .enabled(if: CoreDump.isWritten, "the kernel writes no core into a folder here"),
    .timeLimit(.minutes(5)))
struct CoreDumpTests {
    private static let secret = "a secret of whorl's that no core may hold"
    private static let pin = "a passphrase that no core may hold"

    @Test func aSecretOnItsWayInIsInNoCore() async throws {
        try await Bench.with(store: .setUp) { bench in
            let input = try HeldPipe(at: bench.path("in"), giving: Self.secret)
            let core = try await CoreDump.of(
                ["vault", "put", "mine", "--access", "deviceCredential"], on: bench,
                redirecting: "<in"
            ) { _ in try await input.isTaken() }
            core.expectNothingOf([Self.secret])
        }
    }

    @Test func aPINThatIsTypedOrReadIsInNoCore() async throws {
        try await Bench.with(store: .setUp) { bench in
            let input = try HeldPipe(at: bench.path("pin"), giving: Self.pin)
            let core = try await CoreDump.of(
                ["unlock", "--pin-fd", "3"], on: bench, redirecting: "3<pin"
            ) { _ in try await input.isTaken() }
            core.expectNothingOf([Self.pin])
        }
    }

    @Test func aSecretOnItsWayOutIsInNoCore() async throws {
        try await Bench.with { bench in
            try await setUp(bench)
            // More than a pipe holds, so that the program still has it when nobody reads.
            let long = String(repeating: Self.secret, count: 8000)
            let put = ["vault", "put", "mine", "--access", "deviceCredential"]
            expect(try await bench.run(put, manner: .input(long)), 0)
            let output = try HeldPipe(at: bench.path("out"), giving: "")
            let core = try await CoreDump.of(
                ["vault", "get", "mine", "--pin-fd", "3"], on: bench, redirecting: "3<pin >out"
            ) { _ in try await output.isFull() }
            core.expectNothingOf([Self.secret, Self.pin])
            core.expectNothing(of: try bench.bytes(bench.storageKey))
        }
    }

    // libfprint has prints in memory of its own, so there must be no core at all.
    @Test(.bug(id: "51")) func theProgramLeavesNoCoreUnlessItIsAllowed() async throws {
        try await Bench.with(store: .setUp) { bench in
            let input = try HeldPipe(at: bench.path("in"), giving: Self.secret)
            let core = try await CoreDump.ifAny(
                of: ["vault", "put", "mine", "--access", "deviceCredential"], on: bench,
                redirecting: "<in", isAllowed: false
            ) { _ in try await input.isTaken() }
            #expect(core == nil)
        }
    }

    // The finger's template is not among them: libfprint has it in memory of its own until then.
    @Test func whatAPromptWaitsWithIsInNoCore() async throws {
        try await Bench.with { bench in
            try await setUp(bench)
            let sensor = bench.sensor
            let enrolled = try await bench.whorl(
                "enroll", "--no-confirm", manner: Bench.Manner(pin: Self.pin)
            ) { child in try await sensor.enroll("f1", child: child) }
            expect(enrolled, 0)
            let put = ["vault", "put", "mine", "--access", "biometryAny and deviceCredential"]
            expect(try await bench.run(put, manner: .input(Self.secret)), 0)
            let core = try await CoreDump.of(
                ["vault", "get", "mine", "--pin-fd", "3"], on: bench, redirecting: "3<pin"
            ) { child in try await child.says("Swipe") }
            core.expectNothingOf([Self.secret, Self.pin])
            core.expectNothing(of: try bench.bytes(bench.storageKey))
        }
    }

    // Not with the PIN of other tests, whose words are in the program: `whorl demo` says them.
    private func setUp(_ bench: Bench) async throws {
        let setup = try await bench.whorl(
            "setup", "--accept-consent", "--recovery-out", bench.recoveryFile,
            manner: Bench.Manner(pin: Self.pin))
        expect(setup, 0)
        try bench.write(Self.pin, to: bench.path("pin"))
    }
}

/// A core that a child left.
private struct CoreDump: Equatable {
    /// Words of the child's environment, which lies in ordinary memory.
    static let control = "words-that-a-core-does-hold"

    /// Whether the kernel writes cores into the folder of the process.
    ///
    /// Where it hands them to a program, only that program knows what was in them.
    static var isWritten: Bool {
        let pattern = try? String(contentsOfFile: "/proc/sys/kernel/core_pattern", encoding: .utf8)
        guard let pattern, !pattern.hasPrefix("|"), !pattern.hasPrefix("/") else { return false }
        var limit = rlimit()
        unsafe getrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit)
        return limit.rlim_max == rlim_t.max
    }

    let bytes: [UInt8]

    /// Starts the program by a shell that lets it dump, waits until it is where it should be, and
    /// kills it.
    static func of(
        _ arguments: [String], on bench: Bench, redirecting redirections: String,
        waiting wait: (Child) async throws -> Void
    ) async throws -> CoreDump {
        let core = try await ifAny(
            of: arguments, on: bench, redirecting: redirections, isAllowed: true, waiting: wait)
        return try #require(core, "no core was written")
    }

    /// The same, where there may be none.
    static func ifAny(
        of arguments: [String], on bench: Bench, redirecting redirections: String,
        isAllowed: Bool, waiting wait: (Child) async throws -> Void
    ) async throws -> CoreDump? {
        try bench.makeFolder(bench.path("dumped"))
        var environment = bench.environment
        environment["WHORL_CONTROL"] = control
        if isAllowed { environment["WHORL_ALLOW_CORE_DUMP"] = "1" }
        // Swift's own crash report would come between, and needs the toolchain.
        environment["SWIFT_BACKTRACE"] = "enable=no"
        let script =
            "cd '\(bench.folder)' && ulimit -c unlimited && cd dumped && "
            + "exec \"$@\" "
            + redirections.replacing("<", with: "<../").replacing(">", with: ">../")
        let child = try Child(
            Child.Start(
                program: "/bin/sh",
                arguments: [
                    "-c", script, "sh", Program.path, "--store", bench.store, "--reader",
                    "libfprint", "--allow-simulated",
                ] + arguments,
                environment: environment))
        try await wait(child)
        child.send(SIGABRT)
        #expect(await child.end() == .signalled(SIGABRT))
        let folder = bench.path("dumped")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        guard let name = names.first(where: { $0.hasPrefix("core") }) else { return nil }
        return CoreDump(bytes: try bench.bytes("\(folder)/\(name)"))
    }

    func expectNothingOf(_ words: [String]) {
        // Were that not there, nothing else would prove anything.
        #expect(holds(Array(Self.control.utf8)))
        for word in words {
            let isHeld = holds(Array(word.utf8))
            #expect(!isHeld, "'\(word)' is in the core")
        }
    }

    func expectNothing(of key: [UInt8]) {
        let isHeld = holds(key)
        #expect(!isHeld, "a key is in the core")
    }

    // memmem(3) does not import.
    private func holds(_ part: [UInt8]) -> Bool {
        unsafe bytes.withUnsafeBytes { whole in
            guard var place = whole.baseAddress, !part.isEmpty else { return false }
            var left = whole.count
            while left >= part.count,
                let next = unsafe memchr(place, CInt(part[0]), left - part.count + 1)
            {
                if unsafe memcmp(next, part, part.count) == 0 { return true }
                unsafe left -= UnsafeRawPointer(next) - place + 1
                unsafe place = UnsafeRawPointer(next) + 1
            }
            return false
        }
    }
}

/// A named pipe that stays open here, so that whoever reads it finds no end.
private final class HeldPipe: Sendable {
    private let descriptor: CInt

    init(at path: String, giving text: String) throws {
        guard unsafe mkfifo(path, 0o600) == 0 else {
            throw ChildPipes.Failure(call: "mkfifo", number: errno)
        }
        descriptor = unsafe open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
        let bytes = Array(text.utf8)
        guard descriptor >= 0,
            unsafe Glibc.write(descriptor, bytes, bytes.count) == bytes.count
        else { throw ChildPipes.Failure(call: "open", number: errno) }
    }

    deinit { close(descriptor) }

    private var count: Int {
        // FIONREAD does not import.
        var count: CInt = 0
        return unsafe ioctl(descriptor, 0x541B, &count) == 0 ? Int(count) : -1
    }

    /// Waits until the other end has read everything.
    func isTaken() async throws {
        while count != 0 { try await Task.sleep(for: .milliseconds(5)) }
        // Read is not yet waiting to read more.
        try await Task.sleep(for: .milliseconds(50))
    }

    /// Waits until no more fits in.
    func isFull() async throws {
        while count < 65_536 { try await Task.sleep(for: .milliseconds(5)) }
    }
}
