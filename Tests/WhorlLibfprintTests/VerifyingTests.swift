import Testing
import WhorlBiometrics
import WhorlLibfprint
import WhorlSensorLab

extension LibfprintReaderTests {
    @Suite struct VerifyingTests {
        @Test(arguments: [VirtualKind.device, .storage])
        func matchesTheFingerAndNoOther(kind: VirtualKind) async throws {
            try await Bench.with(kind) { bench in
                let print = try await bench.enroll("whorl")
                try await bench.sensor.scan("whorl")
                let match = try await bench.run(.verify(print))
                #expect(match.reports == [true])
                #expect(match.outcome.word == "match 0")
                try await bench.sensor.scan("arch")
                let other = try await bench.run(.verify(print))
                #expect(other.reports == [false])
                #expect(other.outcome.word == "no match")
            }
        }

        @Test func saysThatAFingerIsNeededAndPresentBeforeTheVerdict() async throws {
            try await Bench.with(.device) { bench in
                let print = try await bench.enroll()
                let run = try await bench.run(.verify(print)) {
                    try await bench.sensor.scan("whorl")
                }
                #expect(run.outcome.word == "match 0")
                #expect(run.fingers.first == .needed)
                #expect(run.fingers.contains([.needed, .present]))
                #expect(run.fingers.last == [])
            }
        }

        @Test(.bug(id: "5"), arguments: 0...3)
        func endsABadCaptureAsARetryWithoutAVerdict(code: Int) async throws {
            try await Bench.with(.device) { bench in
                let print = try await bench.enroll()
                for _ in 0..<4 {
                    try await bench.sensor.retry(code: code)
                    let run = try await bench.run(.verify(print))
                    #expect(run.reports.isEmpty)
                    #expect(run.hints.isEmpty)
                    let hint = CaptureHint(libfprintRetry: code)
                    #expect(run.outcome.word == "retry \(hint.identifier)")
                }
                try await bench.sensor.scan("whorl")
                #expect(try await bench.run(.verify(print)).outcome.word == "match 0")
            }
        }

        @Test(.bug(id: "45"), arguments: deviceErrors)
        func endsInTheErrorThatTheDriverGives(code: Int, entry: String) async throws {
            try await Bench.with(.device) { bench in
                let print = try await bench.enroll()
                try await bench.sensor.fail(code: code)
                let run = try await bench.run(.verify(print))
                #expect(run.reports.isEmpty)
                #expect(run.outcome.word == entry)
                guard case .failed(let error) = run.outcome else { return }
                #expect(error.source?.domain == LibfprintMapping.deviceErrorDomain)
                #expect(error.source?.code == code)
                #expect(!error.entry.countsAsFailure)
            }
        }

        @Test(.bug(id: "5")) func takesTheRightFingerAfterAPassingFault() async throws {
            try await Bench.with(.device) { bench in
                let print = try await bench.enroll()
                try await bench.sensor.fail(code: 0)
                #expect(try await bench.run(.verify(print)).outcome.word == "reader-fault")
                try await bench.sensor.scan("whorl")
                #expect(try await bench.run(.verify(print)).outcome.word == "match 0")
            }
        }

        @Test(.bug(id: "4")) func restsWithoutEverAnsweringNoMatch() async throws {
            try await Bench.with(.device) { bench in
                let print = try await bench.enroll()
                for _ in 0..<10 {
                    try await bench.sensor.fail(code: 0x101)
                    #expect(try await bench.run(.verify(print)).outcome.word == "reader-too-hot")
                }
                try await bench.sensor.scan("whorl")
                #expect(try await bench.run(.verify(print)).outcome.word == "match 0")
            }
        }

        // The reader sleeps between its report and the end, and then fails.
        @Test(arguments: [true, false])
        func readsNoVerdictFromAnOperationThatFailsAfterItsReport(isMatch: Bool) async throws {
            try await Bench.with(.device) { bench in
                let print = try await bench.enroll("whorl")
                try await bench.sensor.scan(isMatch ? "whorl" : "arch")
                try await bench.sensor.sleep(milliseconds: 50)
                try await bench.sensor.fail(code: 5)
                let run = try await bench.run(.verify(print))
                #expect(run.reports == [isMatch])
                #expect(run.outcome.word == "reader-protocol")
            }
        }

        @Test(.bug(id: "17")) func isCancelledWithoutAVerdict() async throws {
            try await Bench.with(.storage) { bench in
                let print = try await bench.enroll()
                for _ in 0..<20 {
                    let run = try await bench.run(.verify(print)) {
                        await bench.reader.cancel()
                    }
                    #expect(run.reports.isEmpty)
                    #expect(run.outcome.word == "cancelled")
                }
                try await bench.sensor.scan("whorl")
                #expect(try await bench.run(.verify(print)).outcome.word == "match 0")
            }
        }

        @Test func isCancelledBeforeItEverStarted() async throws {
            try await Bench.with(.device) { bench in
                let print = try await bench.enroll()
                let events = await bench.reader.perform(.verify(print))
                await bench.reader.cancel()
                var last: ReaderEvent?
                for await event in events { last = event }
                guard case .ended(.cancelled)? = last else {
                    Issue.record("the last event is \(String(describing: last))")
                    return
                }
            }
        }

        @Test func endsWhenNobodyListensAnyMore() async throws {
            try await Bench.with(.device) { bench in
                let print = try await bench.enroll()
                for await event in await bench.reader.perform(.verify(print)) {
                    if case .finger(.needed) = event { break }
                }
                try await bench.sensor.scan("whorl")
                #expect(try await bench.untilFree(.verify(print)).outcome.word == "match 0")
            }
        }

        @Test func endsWhenTheTaskThatListensIsCancelled() async throws {
            try await Bench.with(.device) { bench in
                let print = try await bench.enroll()
                let task = Task { [reader = bench.reader] in
                    await reader.outcome(of: .verify(print))
                }
                task.cancel()
                // What a listener that is gone hears is no verdict.
                #expect(["reader-fault", "cancelled"].contains(await task.value.word))
                try await bench.sensor.scan("whorl")
                #expect(try await bench.untilFree(.verify(print)).outcome.word == "match 0")
            }
        }

        @Test(.bug(id: "24")) func endsWhenTheReaderIsPulledOut() async throws {
            try await Bench.with(.device) { bench in
                let print = try await bench.enroll()
                let run = try await bench.run(.verify(print)) {
                    try await bench.sensor.unplug()
                }
                #expect(run.reports.isEmpty)
                #expect(run.outcome.word == "reader-disconnected")
            }
        }

        @Test func refusesAPrintOfAnotherReader() async throws {
            var print: Print?
            try await Bench.with(.storage) { print = try await $0.enroll() }
            let foreign = try #require(print)
            try await Bench.with(.device) { bench in
                let commands: [ReaderCommand] = [
                    .verify(foreign), .delete(foreign), .identify([foreign]),
                ]
                for command in commands {
                    let run = try await bench.run(command)
                    #expect(run.outcome.word == "print-unusable")
                    #expect(run.events.count == 1)
                }
            }
        }
    }
}

extension Bench {
    /// Runs an operation as soon as the one before lets go, within the bound of a cancel.
    func untilFree(_ command: ReaderCommand) async throws -> Run {
        let deadline = ContinuousClock.now + .seconds(10)
        while true {
            let run = try await run(command)
            guard ["reader-busy", "reader-still-finishing"].contains(run.outcome.word),
                ContinuousClock.now < deadline
            else { return run }
            try await Task.sleep(for: .milliseconds(10))
        }
    }
}
