import Glibc
import Testing
import WhorlSensorLab

/// The program ended from outside, at every moment that matters.
@Suite(.timeLimit(.minutes(5)))
struct InterruptionTests {
    /// Starts a request and lays a finger on the sensor, and returns when its attempt is on disk.
    private func charged(_ bench: Bench, before count: Int = 0) async throws -> Child {
        let child = try bench.start(["vault", "get", "github"])
        try await bench.sensor.finger(isPresent: true)
        try await child.says("Reading your finger")
        for _ in 0..<1000 {
            if try await bench.failures() == count + 1 { return child }
            try #require(child.ending == nil)
        }
        Issue.record("the attempt was never charged")
        return child
    }

    @Test func aKillInTheMiddleOfAnAttemptLeavesTheChargeStanding() async throws {
        try await Bench.with(store: .holding) { bench in
            for count in 0..<5 {
                let child = try await charged(bench, before: count)
                child.send(SIGKILL)
                #expect(await child.end() == .signalled(SIGKILL))
                #expect(try await bench.failures() == count + 1)
            }
            let locked = try await bench.whorl("vault", "get", "github")
            expect(locked, 6, saying: "too many fingers")
            expect(try await bench.whorl("vault", "get", "github", manner: .withPIN), 0)
        }
    }

    @Test func aKillWhileNobodyTouchesCostsNothing() async throws {
        try await Bench.with(store: .holding) { bench in
            for _ in 0..<6 {
                let child = try bench.start(["vault", "get", "github"])
                try await child.says("Swipe")
                child.send(SIGKILL)
                _ = await child.end()
            }
            #expect(try await bench.failures() == 0)
            expect(try await bench.whorl("vault", "get", "github", touching: ["f1"]), 0)
        }
    }

    @Test(arguments: [0, 1, 3, 5])
    func aKillDuringTheFirstEnrolmentEnrolsNothing(stages: Int) async throws {
        try await Bench.with(store: .setUp) { bench in
            let child = try bench.start(["enroll"], .withPIN)
            try await child.says("Swipe")
            for stage in 0..<stages {
                try await bench.sensor.scan("f1")
                try await child.says("Enrolling: \(stage + 1) of 5")
            }
            child.send(SIGKILL)
            _ = await child.end()
            let list = try await bench.whorl("finger", "list", "--json").object()
            #expect(list["fingers"] == .array([]))
            expect(try await bench.whorl("verify"), 6, saying: "whorl unlock")
            expect(try await bench.whorl("unlock", manner: .withPIN), 0)
            expect(try await bench.whorl("verify"), 3)
            expect(try await bench.enroll("f1"), 0)
            expect(try await bench.whorl("verify", touching: ["f1"]), 0)
        }
    }

    @Test func aKillDuringALaterEnrolmentMakesThePINDueAndEndsKeysOfThisSet() async throws {
        try await Bench.with(store: .holding) { bench in
            let child = try bench.start(["enroll", "left-thumb"], .withPIN)
            for _ in 0..<2 { try await bench.sensor.scan("f2") }
            try await child.says("Enrolling: 2 of 5")
            child.send(SIGKILL)
            _ = await child.end()
            let list = try await bench.whorl("finger", "list", "--json").object()
            #expect(list["fingers"]?.array?.count == 1)
            let due = try await bench.whorl("vault", "get", "github")
            expect(due, 6, saying: "the PIN is due")
            #expect(!due.errors.contains("Swipe"), "nothing may be armed: \(due)")
            expect(try await bench.whorl("unlock", manner: .withPIN), 0)
            expect(try await bench.whorl("verify", touching: ["f1"]), 0)
            // Nobody knows what became of the set, so its generation has moved.
            expect(try await bench.whorl("vault", "get", "github"), 4)
            let opened = try await bench.whorl("vault", "get", "github", manner: .withPIN)
            expect(opened, 0)
        }
    }

    @Test func statusSaysThatThePINIsDue() async throws {
        try await Bench.with(store: .holding) { bench in
            let child = try bench.start(["enroll", "left-thumb"], .withPIN)
            try await child.says("Swipe")
            child.send(SIGKILL)
            _ = await child.end()
            let status = try await bench.whorl("status")
            expect(status, 0)
            #expect(status.text.contains("whorl unlock"), "\(status)")
        }
    }

    @Test func aKillDuringSetupLeavesAStoreThatCanBeSetUp() async throws {
        try await Bench.with { bench in
            for step in 0..<8 {
                let child = try bench.start(
                    ["setup", "--accept-consent", "--recovery-out", bench.path("key\(step)")],
                    .withPIN)
                // Wherever this many steps of the clock lead to: each must be one that is survived.
                try await Task.sleep(for: .milliseconds(step * 20))
                child.send(SIGKILL)
                _ = await child.end()
            }
            let run = try await bench.whorl(
                "setup", "--accept-consent", "--recovery-out", bench.recoveryFile, manner: .withPIN)
            #expect(run.status == 0 || run.lastError.contains("already"), "\(run)")
            expect(try await bench.whorl("unlock", manner: .withPIN), 0)
        }
    }

    // MARK: Signals that ask

    @Test func ctrlCAtAPromptCancelsAndIsTheProgramsDeath() async throws {
        try await Bench.with(store: .holding) { bench in
            let child = try bench.start(["vault", "get", "github"])
            try await child.says("Swipe")
            child.send(SIGINT)
            #expect(await child.end() == .signalled(SIGINT))
            #expect(child.output.isEmpty)
            #expect(try await bench.failures() == 0)
            // The reader is free again at once.
            expect(try await bench.whorl("vault", "get", "github", touching: ["f1"]), 0)
        }
    }

    @Test(arguments: [SIGTERM, SIGHUP])
    func beingAskedToEndIsACancelByTheSystem(signal: CInt) async throws {
        try await Bench.with(store: .holding) { bench in
            let child = try bench.start(["vault", "get", "github"])
            try await child.says("Swipe")
            child.send(signal)
            let run = await Bench.result(of: child)
            #expect(run.ending == .signalled(signal))
            #expect(run.lastError.contains("the system cancelled the request"), "\(run)")
            #expect(run.output.isEmpty)
            expect(try await bench.whorl("vault", "get", "github", touching: ["f1"]), 0)
        }
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
    func aSignalWhileAFingerIsReadTakesItsChargeBack(signal: CInt) async throws {
        try await Bench.with(store: .holding) { bench in
            let child = try await charged(bench)
            child.send(signal)
            #expect(await child.end() == .signalled(signal))
            #expect(try await bench.failures() == 0)
        }
    }

    @Test(arguments: [(SIGINT, "user-cancelled"), (SIGTERM, "system-cancelled")])
    func aSignalAtAPromptIsAnsweredInJSONToo(signal: CInt, identifier: String) async throws {
        try await Bench.with(store: .holding) { bench in
            let child = try bench.start(
                ["vault", "get", "github", "--json", "--out", bench.path("out")])
            try await child.says("Swipe")
            child.send(signal)
            let run = await Bench.result(of: child)
            #expect(run.ending == .signalled(signal))
            let answer = try run.object()
            #expect(answer["exit"]?.integer == 5)
            #expect(answer["error"]?["case"] == .string(identifier))
            #expect(!bench.exists(bench.path("out")))
        }
    }

    @Test func ctrlCDuringAnEnrolmentLeavesThingsAsTheyWere() async throws {
        try await Bench.with(store: .holding) { bench in
            let child = try bench.start(["enroll", "left-thumb"], .withPIN)
            for _ in 0..<3 { try await bench.sensor.scan("f2") }
            try await child.says("Enrolling: 3 of 5")
            child.send(SIGINT)
            #expect(await child.end() == .signalled(SIGINT))
            let list = try await bench.whorl("finger", "list", "--json").object()
            #expect(list["fingers"]?.array?.count == 1)
            expect(try await bench.whorl("vault", "get", "github", touching: ["f1"]), 0)
        }
    }

    @Test func aReaderThatIgnoresItsCancelHoldsUpCtrlCForABoundedTime() async throws {
        try await Bench.with(store: .holding) { bench in
            let child = try bench.start(["vault", "get", "github"])
            try await bench.sensor.setCancellation(isEnabled: false)
            try await child.says("Swipe")
            child.send(SIGINT)
            #expect(await child.end() == .signalled(SIGINT))
            #expect(try await bench.failures() == 0)
        }
    }

    @Test func ctrlCWhileASecretIsAwaitedEndsAtOnce() async throws {
        try await Bench.with(store: .enrolled) { bench in
            var manner = Bench.Manner.usual
            manner.input = .open
            let child = try bench.start(["vault", "put", "new"], manner)
            try await child.says("working in this process")
            // What the program does next is to read; nothing says that it has begun.
            try await Task.sleep(for: .milliseconds(300))
            child.send(SIGINT)
            #expect(await child.end() == .signalled(SIGINT))
            let list = try await bench.whorl("vault", "list", "--json").object()
            #expect(list["keys"] == .array([]))
        }
    }
}
