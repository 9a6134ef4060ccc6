import Foundation
import Testing
import WhorlSensorLab

/// `lab exercise` on each virtual reader: no store, no setup, no permission.
@Suite(.timeLimit(.minutes(5)))
struct ExerciseTests {
    private func exercise(
        _ operations: String, on reader: Bench.Reader, _ bench: Bench, options: [String] = [],
        during act: (@Sendable (Child) async throws -> Void)? = nil
    ) async throws -> (run: ProgramRun, operations: [JSONValue]) {
        var manner = Bench.Manner.usual
        manner.reader = reader.driver
        manner.allowsSimulated = false
        manner.namesStore = false
        let run = try await bench.run(
            options + ["lab", "exercise", operations], manner: manner, during: act)
        let lines = try run.objects()
        for line in lines { #expect(line["op"] != nil) }
        return (run, lines.filter { $0["event"] == nil })
    }

    private func outcomes(_ operations: [JSONValue]) -> [String] {
        operations.map { "\($0["op"]?.text ?? "?") \($0["outcome"]?.text ?? "?")" }
    }

    @Test func aScriptedReaderEnrolsAndVerifies() async throws {
        try await Bench.with(.device) { bench in
            let sensor = bench.sensor
            let (run, operations) = try await exercise(
                "open,enroll:left-thumb,verify:left-thumb,verify:left-thumb,roundtrip,"
                    + "verify:left-thumb,verify:left-thumb,suspend,resume,wait:1,close",
                on: .device, bench
            ) { child in
                let asks = #""op":"verify","needed":true,"present":false}"#
                for _ in 0..<5 { try await sensor.scan("f1") }
                // It asks once when it begins and once after each finger, but for one read badly.
                try await child.prints(asks, times: 1)
                try await sensor.scan("f1")
                try await child.prints(asks, times: 3)
                try await sensor.scan("f2")
                try await child.prints(asks, times: 5)
                try await sensor.scan("f1")
                try await child.prints(asks, times: 7)
                try await sensor.retry(code: 1)
            }
            expect(run, 0)
            #expect(
                outcomes(operations) == [
                    "open done", "enroll done", "verify match", "verify no-match",
                    "roundtrip done", "verify match", "verify retry", "suspend done",
                    "resume done", "wait done", "close done",
                ])
            #expect(operations[2]["finger"] == .string("left-thumb"))
            #expect(operations[6]["hint"] == .string("too-short"))
            #expect(
                run.text.contains(#"{"op":"verify","finger":"left-thumb","outcome":"match"}"#))
            #expect(!bench.exists(bench.path(".local")), "no store is made")
        }
    }

    @Test func aReaderWithAChipListsIdentifiesAndDeletes() async throws {
        try await Bench.with(.storage) { bench in
            let sensor = bench.sensor(.storage)
            let (run, operations) = try await exercise(
                "open,clear,list,enroll:left-thumb,enroll:right-thumb,list,identify,"
                    + "verify:right-thumb,delete:right-thumb,list,close",
                on: .storage, bench
            ) { child in
                // Without a word in time the driver gives that operation up, as none of the others.
                try await sensor.proceed()
                let asks = #""needed":true,"present":false"#
                for (operation, finger, touches) in [
                    ("enroll", "f1", 5), ("enroll", "f2", 5), ("identify", "f2", 1),
                    ("verify", "f2", 1),
                ] {
                    let times = finger == "f2" && operation == "enroll" ? 7 : 1
                    try await child.prints(
                        #"{"event":"finger","op":"\#(operation)",\#(asks)}"#, times: times)
                    for _ in 0..<touches { try await sensor.scan(finger) }
                }
            }
            expect(run, 0)
            #expect(
                outcomes(operations) == [
                    "open done", "clear done", "list done", "enroll done", "enroll done",
                    "list done", "identify match", "verify match", "delete done", "list done",
                    "close done",
                ], "\(run)")
            #expect(operations[2]["prints"]?.integer == 0)
            #expect(operations[5]["prints"]?.integer == 2)
            #expect(operations[9]["prints"]?.integer == 1)
        }
    }

    @Test func aReaderThatGivesPicturesGivesThemByteForByte() async throws {
        try await Bench.with(.image) { bench in
            let finger = RidgePicture(finger: 3)
            let file = bench.path("finger.pgm")
            let (run, operations) = try await exercise(
                "open,capture:\(file),close", on: .image, bench
            ) { child in
                let imager = VirtualImageController(
                    socketPath: bench.socket(of: .image), patience: .seconds(30))
                try await child.prints(#""needed":true,"present":false"#)
                try await imager.present(finger.touch(0))
            }
            expect(run, 0)
            #expect(outcomes(operations) == ["open done", "capture done", "close done"])
            let picture = finger.touch(0)
            #expect(
                try bench.bytes(file)
                    == Array("P5\n\(picture.width) \(picture.height)\n255\n".utf8) + picture.pixels)
            #expect(try bench.mode(file) == 0o600)
        }
    }

    @Test func whatAReaderCannotDoIsAnErrorAndTheRestIsTried() async throws {
        try await Bench.with(.device) { bench in
            let (run, operations) = try await exercise(
                "open,list,clear,capture:\(bench.path("x.pgm")),close", on: .device, bench)
            expect(run, 69)
            #expect(
                outcomes(operations) == [
                    "open done", "list error", "clear error", "capture error", "close done",
                ])
            #expect(operations[1]["error"]?["case"] == .string("reader-unsupported"))
            #expect(!bench.exists(bench.path("x.pgm")))
        }
    }

    @Test(.bug(id: "24"))
    func aReaderThatIsPulledOutIsAnErrorOfTheOperation() async throws {
        try await Bench.with(.device) { bench in
            let sensor = bench.sensor
            let (run, operations) = try await exercise(
                "open,enroll:left-thumb,verify:left-thumb,close", on: .device, bench
            ) { child in
                try await sensor.scan("f1")
                try await child.prints(#""completed":1"#)
                try await sensor.unplug()
            }
            expect(run, 69, saying: "unplugged")
            #expect(
                outcomes(operations).prefix(3) == ["open done", "enroll error", "verify error"])
        }
    }

    @Test func aFingerThatNeverComesEndsAnOperationInTime() async throws {
        try await Bench.with(.device) { bench in
            let (run, operations) = try await exercise(
                "open,enroll:left-thumb,close", on: .device, bench, options: ["--timeout", "1"])
            expect(run, 5)
            #expect(outcomes(operations) == ["open done", "enroll error", "close done"])
        }
    }

    @Test(arguments: [
        "", ",", "open,", "fly", "open:x", "enroll", "enroll:toe", "verify:", "capture", "wait",
        "wait:-1", "wait:x", "wait:9999999999", "open,,close", "OPEN",
    ])
    func aPlanThatCannotBeReadRunsNothing(operations: String) async throws {
        try await Bench.with(.device) { bench in
            let (run, lines) = try await exercise(operations, on: .device, bench)
            expect(run, 64)
            #expect(lines.isEmpty)
        }
    }

    @Test func operationsOutOfOrderAreNoBugOfOurs() async throws {
        try await Bench.with(.device) { bench in
            for plan in ["close", "list", "open,open,close"] {
                let (run, _) = try await exercise(plan, on: .device, bench)
                #expect(run.status != 70, "\(run)")
                #expect(!run.errors.contains("please report this"), "\(run)")
            }
        }
    }

    @Test func aPictureIsNotWrittenOverAFile() async throws {
        try await Bench.with(.image) { bench in
            try bench.write("mine", to: bench.path("x.pgm"))
            let (run, _) = try await exercise(
                "open,capture:\(bench.path("x.pgm")),close", on: .image, bench)
            expect(run, 73)
            #expect(try bench.read(bench.path("x.pgm")) == "mine")
        }
    }

    @Test func ctrlCEndsAnExercise() async throws {
        try await Bench.with(.device) { bench in
            let (run, operations) = try await exercise(
                "open,enroll:left-thumb,enroll:right-thumb,close", on: .device, bench
            ) { child in
                try await child.prints(#""needed":true,"present":false"#)
                child.send(SIGINT)
            }
            #expect(run.ending == .signalled(SIGINT), "\(run)")
            #expect(outcomes(operations).allSatisfy { !$0.hasSuffix("match") })
        }
    }
}
