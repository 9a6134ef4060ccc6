import Testing
import WhorlBiometrics
import WhorlLibfprint
import WhorlSensorLab

extension LibfprintReaderTests {
    @Suite struct StorageTests {
        @Test func listsWhatIsOnTheChip() async throws {
            try await Bench.with(.storage) { bench in
                #expect(try await bench.run(.list).outcome.word == "0 prints")
                _ = try await bench.enroll("whorl")
                try await bench.sensor.insert("loop")
                let run = try await bench.run(.list)
                guard case .prints(let prints) = run.outcome else {
                    Issue.record("it ended in \(run.outcome.word)")
                    return
                }
                #expect(prints.count == 2)
                let onChip = prints.allSatisfy { $0.isStoredOnChip }
                #expect(onChip)
            }
        }

        @Test func deletesOnePrintAndNoOther() async throws {
            try await Bench.with(.storage) { bench in
                let whorl = try await bench.enroll("whorl")
                _ = try await bench.enroll("arch")
                #expect(try await bench.run(.delete(whorl)).outcome.word == "done")
                #expect(try await bench.sensor.list() == ["arch"])
                #expect(try await bench.run(.delete(whorl)).outcome.word == "print-missing")
            }
        }

        @Test func clearsTheChip() async throws {
            try await Bench.with(.storage) { bench in
                _ = try await bench.enroll("whorl")
                _ = try await bench.enroll("arch")
                // Without a word in time the driver gives this operation up, as none of the others.
                try await bench.sensor.proceed()
                #expect(try await bench.run(.clearStorage).outcome.word == "done")
                #expect(try await bench.run(.list).outcome.word == "0 prints")
            }
        }

        @Test(arguments: deviceErrors)
        func endsADeletionInTheErrorThatTheDriverGives(code: Int, entry: String) async throws {
            try await Bench.with(.storage) { bench in
                let print = try await bench.enroll("whorl")
                try await bench.sensor.fail(code: code)
                #expect(try await bench.run(.delete(print)).outcome.word == entry)
                #expect(try await bench.sensor.list() == ["whorl"])
            }
        }

        @Test func identifiesTheFingerByItsPlaceInTheGallery() async throws {
            try await Bench.with(.storage) { bench in
                var gallery: [Print] = []
                for finger in ["whorl", "arch", "loop"] {
                    gallery.append(try await bench.enroll(finger))
                }
                for (index, finger) in ["whorl", "arch", "loop"].enumerated() {
                    try await bench.sensor.scan(finger)
                    let run = try await bench.run(.identify(gallery))
                    #expect(run.reports == [true])
                    #expect(run.outcome.word == "match \(index)")
                }
                try await bench.sensor.scan("nobody")
                let run = try await bench.run(.identify(gallery))
                #expect(run.reports == [false])
                #expect(["no match", "print-missing"].contains(run.outcome.word))
                try await bench.sensor.retry(code: 1)
                #expect(try await bench.run(.identify(gallery)).outcome.word == "retry too-short")
            }
        }

        @Test func identifiesWithMorePrintsThanAHostWould() async throws {
            try await Bench.with(.storage) { bench in
                let print = try await bench.enroll("whorl")
                try await bench.sensor.scan("whorl")
                let gallery = Array(repeating: print, count: 40)
                #expect(try await bench.run(.identify(gallery)).outcome.word == "match 0")
            }
        }

        @Test func identifiesWithNoPrintAtAllAsAMistake() async throws {
            try await Bench.with(.storage) { bench in
                let run = try await bench.run(.identify([]))
                #expect(run.outcome.word == "reader-misused")
            }
        }

        @Test func saysWhatAReaderWithoutAChipCannotDo() async throws {
            try await Bench.with(.device) { bench in
                let print = try await bench.enroll()
                for command in [ReaderCommand.list, .clearStorage, .capture, .identify([print])] {
                    #expect(try await bench.run(command).outcome.word == "reader-unsupported")
                }
                // libfprint says that it is done where there is nothing to do.
                #expect(try await bench.run(.delete(print)).outcome.word == "done")
            }
        }
    }
}
