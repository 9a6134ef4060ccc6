import Testing
import WhorlSensorLab

/// What a reader may say at a prompt instead of a verdict.
@Suite(.timeLimit(.minutes(5)))
struct CaptureTests {
    static let hints = [
        (0, "That did not read well; swipe again, evenly"),
        (1, "That was too short; swipe the whole fingertip across"),
        (2, "Move your finger to the middle of the sensor"),
        (3, "Lift your finger, then touch again"),
    ]

    @Test(.bug(id: "5"), arguments: hints)
    func aBadTouchIsExplainedAndFree(code: Int, sentence: String) async throws {
        try await Bench.with(store: .holding) { bench in
            let run = try await bench.whorl(
                "vault", "get", "github", "--tries", "1", touching: [.retry(code), "f1"])
            expect(run, 0)
            #expect(run.errors.contains(sentence), "\(run)")
            #expect(try await bench.failures() == 0)
        }
    }

    @Test func threeBadTouchesInARowSayToCleanTheSensor() async throws {
        try await Bench.with(store: .holding) { bench in
            let two = try await bench.whorl(
                "vault", "get", "github", touching: [.retry(0), .retry(0), "f1"])
            #expect(!two.errors.contains("wipe the sensor"), "\(two)")
            let three = try await bench.whorl(
                "vault", "get", "github", touching: [.retry(0), .retry(0), .retry(0), "f1"])
            expect(three, 0)
            #expect(three.errors.contains("wipe the sensor and your finger dry"), "\(three)")
        }
    }

    @Test func twentyBadTouchesEndThePromptAndCountNothing() async throws {
        try await Bench.with(store: .holding) { bench in
            let run = try await bench.whorl(
                "vault", "get", "github", touching: Array(repeating: .retry(0), count: 20))
            expect(run, 5, saying: "could not be read")
            #expect(try await bench.failures() == 0)
        }
    }

    @Test func twentyBadTouchesAfterAFailureAreThatFailure() async throws {
        try await Bench.with(store: .holding) { bench in
            let run = try await bench.whorl(
                "vault", "get", "github", touching: ["f2"] + Array(repeating: .retry(0), count: 20))
            expect(run, 1, saying: "did not match")
            #expect(try await bench.failures() == 1)
        }
    }

    // MARK: Faults

    /// Every code of `FpDeviceError`, with the status and words that it must bring.
    static let faults: [(code: Int, status: CInt, words: String)] = [
        (1, 69, "cannot do that"), (2, 70, "out of order"), (3, 70, "out of order"),
        (6, 3, "does not fit this reader"), (7, 3, "gone from the reader"),
        (8, 74, "no room for another print"), (9, 73, "already knows this finger"),
        (256, 69, "unplugged"), (257, 75, "resting so that it does not get too hot"),
    ]

    @Test(.bug(id: "45"), arguments: faults)
    func aFaultIsNamedAndNeverCounts(code: Int, status: CInt, words: String) async throws {
        try await Bench.with(store: .holding) { bench in
            let run = try await bench.whorl("vault", "get", "github", touching: [.fail(code)])
            expect(run, status, saying: words)
            #expect(run.output.isEmpty)
            #expect(try await bench.failures() == 0)
            let verified = try await bench.whorl("verify", "--json", touching: [.fail(code)])
            expect(verified, status, saying: words)
            let error = try verified.object()["error"]
            #expect(error?["domain"] == .string("fp-device-error-quark"))
            #expect(error?["code"]?.integer == code)
            expect(try await bench.whorl("vault", "get", "github", touching: ["f1"]), 0)
        }
    }

    /// Those that a second try may not meet.
    @Test(
        .bug(id: "5"),
        arguments: [(0, CInt(74), "the reader failed"), (4, 75, "in use"), (5, 74, "out of turn")])
    func aFaultThatMayPassEndsThePromptWhenItDoesNot(
        code: Int, status: CInt, words: String
    ) async throws {
        try await Bench.with(store: .holding) { bench in
            let twice = try await bench.whorl(
                "vault", "get", "github", touching: [.fail(code), .fail(code), "f1"])
            expect(twice, 0)
            let always = try await bench.whorl(
                "vault", "get", "github", touching: Array(repeating: .fail(code), count: 20))
            expect(always, status, saying: words)
            #expect(try await bench.failures() == 0)
        }
    }

    @Test(.bug(id: "45"))
    func aFaultThatThePromptOutlivesIsSaid() async throws {
        try await Bench.with(store: .holding) { bench in
            let run = try await bench.whorl(
                "vault", "get", "github", "--timeout", "2", touching: [.fail(0)])
            #expect(run.output.isEmpty)
            #expect(run.errors.contains("The reader failed; trying again"), "\(run)")
        }
    }

    @Test(.bug(id: "4"))
    func heatIsSaidTenTimesAndLocksNothing() async throws {
        try await Bench.with(store: .holding) { bench in
            for _ in 0..<10 {
                let run = try await bench.whorl("vault", "get", "github", touching: [.fail(257)])
                expect(run, 75, saying: "wait a few minutes, or use the PIN")
            }
            #expect(try await bench.failures() == 0)
            expect(try await bench.whorl("vault", "get", "github", touching: ["f1"]), 0)
        }
    }

    @Test(.bug(id: "17"), arguments: [0, 5, 7, 256, 257])
    func aFailureBeforeAFaultIsCountedOnce(code: Int) async throws {
        try await Bench.with(store: .holding) { bench in
            let run = try await bench.whorl(
                "vault", "get", "github",
                touching: ["f2"] + Array(repeating: .fail(code), count: 20))
            #expect(run.status != 0)
            #expect(try await bench.failures() == 1, "\(run)")
        }
    }

    // MARK: Unplugged, stuck

    @Test(.bug(id: "24"))
    func aReaderThatIsPulledOutWhileWaitingEndsThePromptBeforeItsTime() async throws {
        try await Bench.with(store: .holding) { bench in
            let sensor = bench.sensor
            let run = try await bench.whorl("vault", "get", "github", "--timeout", "170") { child in
                try await child.says("Swipe")
                try await sensor.unplug()
            }
            expect(run, 69, saying: "the reader was unplugged")
            #expect(try await bench.failures() == 0)
            expect(try await bench.whorl("vault", "get", "github", touching: ["f1"]), 0)
        }
    }

    @Test(.bug(id: "24"))
    func aReaderThatIsPulledOutUnderAFingerTakesTheChargeBack() async throws {
        try await Bench.with(store: .holding) { bench in
            let sensor = bench.sensor
            let run = try await bench.whorl("vault", "get", "github") { child in
                try await sensor.finger(isPresent: true)
                try await child.says("Reading your finger")
                try await sensor.unplug()
            }
            expect(run, 69, saying: "the reader was unplugged")
            #expect(try await bench.failures() == 0)
        }
    }

    @Test func aFingerThatIsNeverLiftedEndsWithThePromptsTime() async throws {
        try await Bench.with(store: .holding) { bench in
            let sensor = bench.sensor
            let run = try await bench.whorl("vault", "get", "github", "--timeout", "2") { _ in
                try await sensor.finger(isPresent: true)
            }
            expect(run, 5)
            #expect(run.errors.contains("Reading your finger"))
            #expect(try await bench.failures() == 0)
        }
    }

    @Test func aReaderThatIgnoresItsCancelEndsAllTheSame() async throws {
        try await Bench.with(store: .holding) { bench in
            let sensor = bench.sensor
            let run = try await bench.whorl("vault", "get", "github", "--timeout", "1") { _ in
                try await sensor.setCancellation(isEnabled: false)
            }
            expect(run, 5, saying: "no finger came in time")
            expect(try await bench.whorl("vault", "get", "github", touching: ["f1"]), 0)
        }
    }

    @Test func aReaderThatSleepsEndsWithThePromptsTime() async throws {
        try await Bench.with(store: .holding) { bench in
            let sensor = bench.sensor
            let run = try await bench.whorl("vault", "get", "github", "--timeout", "1") { _ in
                try await sensor.sleep(milliseconds: 20_000)
            }
            #expect(run.ending != .overdue, "\(run)")
            #expect(run.status != 0)
            #expect(run.output.isEmpty)
        }
    }

    @Test func noReaderIsSaidAtOnce() async throws {
        try await Bench.with(store: .holding) { bench in
            var manner = Bench.Manner.usual
            manner.environment = [Bench.Reader.device.rawValue: ""]
            let any = try await bench.whorl("vault", "get", "github", manner: manner)
            expect(any, 69)
            manner = .withPIN
            manner.environment = [Bench.Reader.device.rawValue: ""]
            // Before the PIN is asked for and checked: there is nothing that it would serve.
            expect(try await bench.whorl("enroll", manner: manner), 69)
        }
    }
}
