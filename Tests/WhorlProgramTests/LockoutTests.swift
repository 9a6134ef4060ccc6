import Glibc
import Testing
import WhorlSensorLab

/// Failed attempts, what counts as one, and what they bring.
@Suite(.timeLimit(.minutes(5)))
struct LockoutTests {
    @Test func theFifthFailureLocksAndTheRightFingerIsRefusedThen() async throws {
        try await Bench.with(store: .holding) { bench in
            expect(
                try await bench.whorl("vault", "get", "github", touching: ["f2", "f2", "f2"]), 1)
            let fifth = try await bench.whorl("vault", "get", "github", touching: ["f2", "f2"])
            expect(fifth, 6, saying: "wait 30 s, or use the PIN")
            #expect(fifth.output.isEmpty)
            let locked = try await bench.whorl("vault", "get", "github")
            expect(locked, 6, saying: "too many fingers that did not match")
            #expect(!locked.errors.contains("sensor"), "nothing may be armed: \(locked)")
            expect(try await bench.whorl("verify"), 6)
            expect(try await bench.whorl("vault", "remove", "github"), 6)
            expect(
                try await bench.whorl(
                    "vault", "put", "github", "--replace", manner: .input("x")), 6)
            let report = try await bench.status()["lockout"]
            #expect(report?["failures"]?.integer == 5)
            #expect((report?["remainingSeconds"]?.integer ?? 0) > 0)
            #expect(report?["permanent"] == .bool(false))
        }
    }

    @Test func inALockoutThePINOpensAndClearsIt() async throws {
        try await Bench.with(store: .holding) { bench in
            expect(
                try await bench.whorl(
                    "verify", "--tries", "5", touching: Array(repeating: "f2", count: 5)), 6)
            let opened = try await bench.whorl("vault", "get", "github", manner: .withPIN)
            expect(opened, 0)
            #expect(opened.text == PreparedStores.secret)
            #expect(try await bench.failures() == 0)
            expect(try await bench.whorl("vault", "get", "github", touching: ["f1"]), 0)
        }
    }

    @Test func aLockoutEndsByItselfAfterHalfAMinuteAndTheCountStays() async throws {
        try await Bench.with(store: .holding) { bench in
            expect(
                try await bench.whorl(
                    "verify", "--tries", "5", touching: Array(repeating: "f2", count: 5)), 6)
            // All but the last of it; that is waited for.
            try bench.letPass(seconds: 25)
            while let left = try await bench.lockedSeconds(), left > 0 {
                try #require(left <= 5)
                try await Task.sleep(for: .milliseconds(100))
            }
            #expect(try await bench.failures() == 5)
            let opened = try await bench.whorl("vault", "get", "github", touching: ["f1"])
            expect(opened, 0)
            #expect(try await bench.failures() == 0)
        }
    }

    @Test func twentyFailuresLockUntilThePINIsGiven() async throws {
        try await Bench.with(store: .holding) { bench in
            let five: [Touch] = Array(repeating: "f2", count: 5)
            for _ in 0..<3 {
                expect(try await bench.whorl("verify", "--tries", "5", touching: five), 6)
                expect(try await bench.whorl("verify"), 6, saying: "wait")
                try bench.letPass(seconds: 31)
            }
            expect(try await bench.whorl("verify", "--tries", "5", touching: five), 6)
            try bench.letPass(seconds: 100_000)
            expect(try await bench.whorl("verify"), 6, saying: "whorl unlock")
            let report = try await bench.status()["lockout"]
            #expect(report?["permanent"] == .bool(true))
            #expect(report?["failures"]?.integer == 20)
            expect(try await bench.whorl("unlock", manner: Bench.Manner(pin: "wrong one")), 1)
            expect(try await bench.whorl("verify"), 6)
            expect(try await bench.whorl("unlock", manner: .withPIN), 0)
            expect(try await bench.whorl("verify", touching: ["f1"]), 0)
        }
    }

    @Test func aTimeOutAfterAFailureIsThatFailure() async throws {
        try await Bench.with(store: .holding) { bench in
            let run = try await bench.whorl("verify", "--timeout", "1", touching: ["f2"])
            expect(run, 1)
            #expect(try await bench.failures() == 1)
            let none = try await bench.whorl("verify", "--timeout", "1")
            expect(none, 5, saying: "no finger came in time")
            #expect(try await bench.failures() == 1)
        }
    }

    @Test(.bug(id: "5"))
    func badTouchesAreFreeAndTheRightFingerIsTakenAfterThem() async throws {
        try await Bench.with(store: .holding) { bench in
            let run = try await bench.whorl(
                "vault", "get", "github", touching: (0...3).map { .retry($0) } + ["f1"])
            expect(run, 0)
            #expect(run.text == PreparedStores.secret)
        }
    }

    @Test(.bug(id: "5"))
    func aFaultThatMayPassIsTriedAgain() async throws {
        try await Bench.with(store: .holding) { bench in
            let run = try await bench.whorl(
                "vault", "get", "github", touching: [.fail(0), "f1"])
            expect(run, 0)
        }
    }

    @Test(.bug(id: "17"))
    func twentyCancelsLockNothing() async throws {
        try await Bench.with(store: .holding) { bench in
            for _ in 0..<20 {
                let child = try bench.start(["vault", "get", "github"])
                try await child.says("Swipe")
                child.send(SIGINT)
                #expect(await child.end() == .signalled(SIGINT))
            }
            #expect(try await bench.failures() == 0)
            expect(try await bench.whorl("vault", "get", "github", touching: ["f1"]), 0)
        }
    }

    @Test(.bug(id: "17"))
    func aCancelAfterAFailureTakesNoneBack() async throws {
        try await Bench.with(store: .holding) { bench in
            for count in 1...4 {
                let run = try await bench.whorl("vault", "get", "github") {
                    [sensor = bench.sensor]
                    child in
                    try await sensor.scan("f2")
                    try await child.says("2 tries left")
                    child.send(SIGINT)
                }
                #expect(run.ending == .signalled(SIGINT))
                #expect(try await bench.failures() == count)
            }
            expect(try await bench.whorl("vault", "get", "github", touching: ["f2"]), 6)
        }
    }

    @Test(.bug(id: "17"))
    func aFaultAfterAFailureTakesNoneBack() async throws {
        try await Bench.with(store: .holding) { bench in
            for count in 1...4 {
                let run = try await bench.whorl(
                    "vault", "get", "github", touching: ["f2", .fail(257)])
                expect(run, 75)
                #expect(try await bench.failures() == count)
            }
            expect(try await bench.whorl("vault", "get", "github", touching: ["f2"]), 6)
        }
    }
}
