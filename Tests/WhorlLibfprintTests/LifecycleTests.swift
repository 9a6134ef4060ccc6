import Testing
import WhorlBiometrics
import WhorlLibfprint
import WhorlSensorLab

extension LibfprintReaderTests {
    @Suite struct LifecycleTests {
        @Test func findsEveryReaderAndWhatItCanDo() async throws {
            var found: [String: ReaderDescription] = [:]
            for reader in try await VirtualReaders.source().readers() {
                let description = await reader.description
                found[description.identity.driver] = description
            }
            #expect(Set(found.keys) == Set(VirtualKind.allCases.map(\.rawValue)))
            for description in found.values {
                #expect(description.reality == .simulated)
                #expect(description.identity.port == .none)
                #expect(description.rating == StrengthRating(nil, basis: .notReal))
                #expect(description.enrollStages == 5)
                #expect(!description.name.isEmpty)
            }
            #expect(found["virtual_device"]?.features == .verify)
            #expect(found["virtual_device"]?.matchesOnChip == false)
            #expect(found["virtual_device_storage"]?.matchesOnChip == true)
            #expect(found["virtual_device_storage"]?.features.contains(.storageClear) == true)
            #expect(found["virtual_image"]?.features.contains([.capture, .identify]) == true)
            #expect(found["virtual_image"]?.matchesOnChip == false)
        }

        @Test(.bug(id: "26")) func givesTheSameReaderEachTimeItIsAsked() async throws {
            let source = VirtualReaders.source()
            let first = try await source.readers().map { try #require($0 as? LibfprintReader) }
            let second = try await source.readers().map { try #require($0 as? LibfprintReader) }
            #expect(first.count == 3)
            #expect(zip(first, second).allSatisfy { $0 === $1 })
        }

        @Test func refusesWorkWhileClosed() async throws {
            var print: Print?
            try await Bench.with(.storage) { print = try await $0.enroll() }
            let closed = try await Bench.find(.storage)
            let enrolled = try #require(print)
            let commands: [ReaderCommand] = [
                .enroll, .verify(enrolled), .identify([enrolled]), .list, .delete(enrolled),
                .clearStorage, .close,
            ]
            for command in commands {
                #expect(try await closed.run(command).outcome.word == "reader-misused")
            }
        }

        @Test func opensAgainAfterItWasClosed() async throws {
            let bench = try await Bench.find(.device)
            for _ in 0..<3 {
                #expect(try await bench.run(.open).outcome.word == "done")
                #expect(try await bench.run(.open).outcome.word == "reader-misused")
                #expect(try await bench.run(.close).outcome.word == "done")
            }
        }

        @Test func refusesASecondOperationWhileOneRuns() async throws {
            try await Bench.with(.storage) { bench in
                let print = try await bench.enroll()
                let run = try await bench.run(.verify(print)) {
                    let commands: [ReaderCommand] = [
                        .verify(print), .enroll, .list, .suspend, .close,
                    ]
                    for command in commands {
                        #expect(try await bench.run(command).outcome.word == "reader-busy")
                    }
                    try await bench.sensor.scan("whorl")
                }
                #expect(run.outcome.word == "match 0")
            }
        }

        @Test func admitsOneOfManyThatAskAtOnce() async throws {
            try await Bench.with(.device) { bench in
                let print = try await bench.enroll()
                let words = await withTaskGroup(of: String.self) { group in
                    for _ in 0..<16 {
                        group.addTask { [reader = bench.reader] in
                            var word = ""
                            for await event in await reader.perform(.verify(print)) {
                                if case .finger(.needed) = event { await reader.cancel() }
                                if case .ended(let outcome) = event { word = outcome.word }
                            }
                            return word
                        }
                    }
                    return await group.reduce(into: []) { $0.append($1) }
                }
                #expect(words.contains("cancelled"))
                #expect(Set(words).isSubset(of: ["cancelled", "reader-busy"]))
            }
        }

        @Test func sleepsAndWakesUp() async throws {
            try await Bench.with(.device) { bench in
                let print = try await bench.enroll()
                #expect(try await bench.run(.suspend).outcome.word == "done")
                try await bench.sensor.scan("whorl")
                #expect(try await bench.run(.verify(print)).outcome.word == "reader-busy")
                #expect(try await bench.run(.resume).outcome.word == "done")
                #expect(try await bench.run(.verify(print)).outcome.word == "match 0")
            }
        }

        @Test(.bug(id: "24")) func isGoneOnceItIsPulledOutIdle() async throws {
            let bench = try await Bench.find(.storage)
            let changes = await bench.source.changes()
            #expect(try await bench.run(.open).outcome.word == "done")
            try await bench.sensor.unplug()
            for await change in changes {
                guard case .removed(let description) = change else { continue }
                #expect(description.identity.driver == "virtual_device_storage")
                break
            }
            #expect(bench.reader.isUnplugged)
            let left = try await bench.source.readers()
            #expect(left.count == 2)
            #expect(try await bench.run(.list).outcome.word == "reader-disconnected")
            #expect(try await bench.run(.open).outcome.word == "reader-disconnected")
            #expect(try await bench.run(.close).outcome.word == "done")
            #expect(try await bench.source.readers().count == 2)
        }

        @Test func closesAReaderThatNobodyHolds() async throws {
            for _ in 0..<2 {
                let bench = try await Bench.find(.device)
                #expect(try await bench.run(.open).outcome.word == "done")
            }
            // It listens on its socket as long as it is open.
            let sensor = VirtualDeviceController(
                socketPath: VirtualReaders.sockets.device, patience: .milliseconds(50))
            let deadline = ContinuousClock.now + .seconds(10)
            while (try? await sensor.setScanType(.press)) != nil, ContinuousClock.now < deadline {
                try await Task.sleep(for: .milliseconds(20))
            }
            await #expect(throws: VirtualReaderError.self) { try await sensor.setScanType(.press) }
        }
    }
}
