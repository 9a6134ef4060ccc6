import CWhorlFprint
import Testing
import WhorlBiometrics
import WhorlLibfprint
import WhorlSecrets
import WhorlSensorLab

extension LibfprintReaderTests {
    @Suite struct EnrollingTests {
        @Test(arguments: [VirtualKind.device, .storage])
        func countsUpTheStagesAndGivesAPrint(kind: VirtualKind) async throws {
            try await Bench.with(kind) { bench in
                for _ in 0..<5 { try await bench.sensor.scan("whorl") }
                let run = try await bench.run(.enroll)
                guard case .started? = run.events.first else {
                    Issue.record("the first event is \(run.events)")
                    return
                }
                #expect(run.stages == [1, 2, 3, 4, 5])
                #expect(run.hints.isEmpty)
                guard case .enrolled(let print) = run.outcome else {
                    Issue.record("it ended in \(run.outcome.word)")
                    return
                }
                #expect(print.isStoredOnChip == (kind == .storage))
            }
        }

        @Test func givesAPrintWithNoFingerUserOrDate() async throws {
            try await Bench.with(.storage) { bench in
                let print = try await bench.enroll()
                let (finger, user, date) = print.withSerialized { secret in
                    secret.withBytes { bytes in
                        unsafe bytes.withUnsafeBytes { buffer in
                            let start = unsafe buffer.baseAddress?.assumingMemoryBound(
                                to: guchar.self)
                            let print = unsafe fp_print_deserialize(
                                start, gsize(buffer.count), nil)
                            defer { unsafe g_object_unref(UnsafeMutableRawPointer(print)) }
                            let date = unsafe fp_print_get_enroll_date(print)
                            return unsafe (
                                fp_print_get_finger(print), fp_print_get_username(print) == nil,
                                date.map { unsafe g_date_get_julian($0) }
                            )
                        }
                    }
                }
                #expect(finger == FP_FINGER_UNKNOWN)
                #expect(user)
                // What libfprint writes where there is none.
                #expect(date == nil || date == 0x8000_0000)
            }
        }

        @Test(arguments: 0...3)
        func takesEveryRetryAsAHintThatCostsNoStage(code: Int) async throws {
            try await Bench.with(.device) { bench in
                try await bench.sensor.scan("whorl")
                try await bench.sensor.retry(code: code)
                for _ in 0..<4 { try await bench.sensor.scan("whorl") }
                let run = try await bench.run(.enroll)
                #expect(run.hints == [CaptureHint(libfprintRetry: code)])
                #expect(run.stages == [1, 2, 3, 4, 5])
                #expect(run.outcome.word == "enrolled")
            }
        }

        @Test func refusesASecondFingerWithinOneEnrolment() async throws {
            try await Bench.with(.device) { bench in
                for finger in ["whorl", "arch", "whorl", "whorl", "whorl", "whorl"] {
                    try await bench.sensor.scan(finger)
                }
                let run = try await bench.run(.enroll)
                #expect(run.hints == [.poorQuality])
                #expect(run.stages == [1, 2, 3, 4, 5])
            }
        }

        @Test(arguments: deviceErrors)
        func endsInTheErrorThatTheDriverGives(code: Int, entry: String) async throws {
            try await Bench.with(.device) { bench in
                try await bench.sensor.scan("whorl")
                try await bench.sensor.fail(code: code)
                let run = try await bench.run(.enroll)
                #expect(run.stages == [1])
                #expect(run.outcome.word == entry)
                guard case .failed(let error) = run.outcome else { return }
                #expect(error.source?.domain == LibfprintMapping.deviceErrorDomain)
                #expect(error.source?.code == code)
                #expect(!error.entry.countsAsFailure)
                _ = try await bench.enroll()
            }
        }

        @Test func followsTheStagesOfTheReader() async throws {
            try await Bench.with(.device) { bench in
                try await bench.sensor.setEnrollStages(3)
                for _ in 0..<3 { try await bench.sensor.scan("whorl") }
                let run = try await bench.run(.enroll)
                #expect(run.stages == [1, 2, 3])
                #expect(run.outcome.word == "enrolled")
                #expect(await bench.reader.description.enrollStages == 3)
            }
        }

        @Test(.bug(id: "6")) func saysThatTheFingerIsOnTheChipAlready() async throws {
            try await Bench.with(.storage) { bench in
                _ = try await bench.enroll("whorl")
                try await bench.sensor.scan("whorl")
                #expect(try await bench.run(.enroll).outcome.word == "duplicate-finger")
                #expect(try await bench.run(.list).outcome.word == "1 prints")
            }
        }

        @Test(arguments: 0...4)
        func canBeCancelledAtEveryStage(stage: Int) async throws {
            try await Bench.with(.storage) { bench in
                for _ in 0..<stage { try await bench.sensor.scan("whorl") }
                let run = try await bench.run(.enroll) { event in
                    switch event {
                    case .started where stage == 0: await bench.reader.cancel()
                    case .enrollStage(let completed, of: _) where completed == stage:
                        await bench.reader.cancel()
                    default: break
                    }
                }
                #expect(run.stages == Array(1..<(stage + 1)))
                #expect(run.outcome.word == "cancelled")
                #expect(try await bench.run(.list).outcome.word == "0 prints")
                _ = try await bench.enroll("arch")
            }
        }

        @Test(.bug(id: "24"), arguments: 0...4)
        func endsWhenTheReaderIsPulledOutAtAnyStage(stage: Int) async throws {
            try await Bench.with(.storage) { bench in
                for _ in 0..<stage { try await bench.sensor.scan("whorl") }
                let run = try await bench.run(.enroll) { event in
                    switch event {
                    case .started where stage == 0: try await bench.sensor.unplug()
                    case .enrollStage(let completed, of: _) where completed == stage:
                        try await bench.sensor.unplug()
                    default: break
                    }
                }
                #expect(run.outcome.word == "reader-disconnected")
                #expect(bench.reader.isUnplugged)
                #expect(try await bench.run(.enroll).outcome.word == "reader-disconnected")
            }
        }
    }
}
