import Glibc
import Testing
import WhorlSensorLab

/// Enrolments that are disturbed at each of their stages, and leave nothing half-made.
@Suite(.timeLimit(.minutes(5)))
struct EnrolmentTests {
    private func unchanged(_ bench: Bench) async throws {
        let list = try await bench.whorl("finger", "list", "--json").object()
        #expect(list["fingers"]?.array?.map { $0["finger"] } == [.string("right-index-finger")])
        let run = try await bench.whorl("vault", "get", "github", touching: ["f1"])
        expect(run, 0)
        #expect(run.text == PreparedStores.secret)
    }

    /// Enrols another finger and does something after so many good touches.
    private func enroll(
        _ bench: Bench, disturbedAfter stages: Int, options: [String] = [],
        by disturb: @escaping @Sendable (VirtualDeviceController, Child) async throws -> Void
    ) async throws -> ProgramRun {
        let sensor = bench.sensor
        return try await bench.run(["enroll", "left-thumb"] + options, manner: .withPIN) { child in
            try await child.says("Swipe")
            for stage in 0..<stages {
                try await sensor.scan("f2")
                try await child.says("Enrolling: \(stage + 1) of 5")
            }
            if stages == 5 { try await child.says("once more, to confirm") }
            try await disturb(sensor, child)
        }
    }

    @Test(.bug(id: "24"), arguments: 0...5)
    func aReaderThatIsPulledOutAtAStageChangesNothing(stage: Int) async throws {
        try await Bench.with(store: .holding) { bench in
            let run = try await enroll(bench, disturbedAfter: stage) { sensor, _ in
                try await sensor.unplug()
            }
            expect(run, 69, saying: "unplugged")
            try await unchanged(bench)
        }
    }

    @Test(arguments: 0...5)
    func aCancelAtAStageChangesNothing(stage: Int) async throws {
        try await Bench.with(store: .holding) { bench in
            let run = try await enroll(bench, disturbedAfter: stage) { _, child in
                child.send(SIGINT)
            }
            #expect(run.ending == .signalled(SIGINT), "\(run)")
            try await unchanged(bench)
        }
    }

    @Test(arguments: [0, 5])
    func aTimeOutAtAStageChangesNothing(stage: Int) async throws {
        try await Bench.with(store: .holding) { bench in
            let run = try await enroll(
                bench, disturbedAfter: stage, options: ["--timeout", "2"]
            ) { _, _ in }
            expect(run, 5)
            try await unchanged(bench)
        }
    }

    @Test(.bug(id: "33"), arguments: CaptureTests.faults + [(0, 74, "failed"), (4, 75, "in use")])
    func aFaultAtAStageChangesNothing(code: Int, status: CInt, words: String) async throws {
        try await Bench.with(store: .holding) { bench in
            let run = try await enroll(bench, disturbedAfter: 2) { sensor, _ in
                try await sensor.fail(code: code)
            }
            expect(run, status, saying: words)
            try await unchanged(bench)
        }
    }

    @Test func aReaderThatIgnoresItsCancelEndsAnEnrolmentAllTheSame() async throws {
        try await Bench.with(store: .holding) { bench in
            let run = try await enroll(bench, disturbedAfter: 1, options: ["--timeout", "1"]) {
                sensor, _ in try await sensor.setCancellation(isEnabled: false)
            }
            #expect(run.status == 5 || run.status == 75, "\(run)")
            try await unchanged(bench)
        }
    }

    @Test(arguments: CaptureTests.hints)
    func aBadTouchIsExplainedAndTakesNoStage(code: Int, sentence: String) async throws {
        try await Bench.with(store: .setUp) { bench in
            let sensor = bench.sensor
            let run = try await bench.whorl("enroll", "--no-confirm", manner: .withPIN) { child in
                try await sensor.scan("f1")
                try await child.says("Enrolling: 1 of 5")
                try await sensor.retry(code: code)
                try await child.says(sentence)
                for stage in 2...5 {
                    try await sensor.scan("f1")
                    try await child.says("Enrolling: \(stage) of 5")
                }
            }
            expect(run, 0)
            #expect(run.errors.contains("Enrolling: 1 of 5. \(sentence)"), "\(run)")
            expect(try await bench.whorl("verify", touching: ["f1"]), 0)
        }
    }

    @Test func twentyBadTouchesEndAnEnrolment() async throws {
        try await Bench.with(store: .holding) { bench in
            let run = try await enroll(bench, disturbedAfter: 1) { sensor, _ in
                for _ in 0..<20 { try await sensor.retry(code: 0) }
            }
            expect(run, 5, saying: "could not be read")
            try await unchanged(bench)
        }
    }

    @Test func anEnrolmentHasAsManyStagesAsItsReaderSays() async throws {
        try await Bench.with(store: .setUp) { bench in
            let run = try await bench.enroll("f1")
            expect(run, 0)
            for stage in 1...5 { #expect(run.errors.contains("Enrolling: \(stage) of 5")) }
            #expect(!run.errors.contains("6 of"))
        }
    }

    @Test(.bug(id: "23"))
    func noFingerIsEnrolledOrRemovedWithoutThePIN() async throws {
        try await Bench.with(store: .holding) { bench in
            for command in [["enroll", "left-thumb"], ["finger", "remove"], ["unlock"]] {
                expect(try await bench.run(command), 64, saying: "needs the PIN")
                let wrong = try await bench.run(command, manner: Bench.Manner(pin: "wrong one"))
                expect(wrong, 1, saying: "the PIN was wrong")
                #expect(!wrong.errors.contains("Swipe"), "\(wrong)")
            }
            try await unchanged(bench)
        }
    }

    @Test func nothingIsEnrolledBeforeSetup() async throws {
        try await Bench.with { bench in
            expect(try await bench.whorl("enroll", manner: .withPIN), 3, saying: "whorl setup")
            #expect(!bench.exists(bench.store))
        }
    }
}
