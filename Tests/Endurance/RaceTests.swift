import Testing
import WhorlBiometrics
import WhorlDatabase
import WhorlStoreLoad

extension Endurance {
    /// Two processes work on one store.
    @Suite(.serialized)
    struct RaceTests {
        private func race(
            _ first: [StoreOperation], _ second: [StoreOperation], on folder: StoreFolder
        ) async throws -> [[(StoreOperation, Outcome)]] {
            async let one = StoreChild.run(on: folder, FaultPlan(.all), .patient, first)
            async let two = StoreChild.run(on: folder, FaultPlan(.all), .patient, second)
            let children = [try await one, try await two]
            return try zip([first, second], children).map { operations, child in
                try #require(child.ending == .exited(0))
                let outcomes = child.lines.compactMap { line in
                    line.hasPrefix("end ") ? Outcome(argument: line.dropFirst(4)) : nil
                }
                try #require(outcomes.count == operations.count, "\(child.lines)")
                return Array(zip(operations, outcomes))
            }
        }

        private func expectWhole(
            _ folder: StoreFolder, _ template: StoreTemplate, _ world: World
        ) async throws {
            let found = try await Aftermath(
                folder: folder, transcript: Transcript(from: world)
            ).complaints()
            #expect(found == [])
        }

        @Test func ofPutsAndRemovalsEachIsDoneOnceOrRefused() async throws {
            let template = try await StoreTemplate.prepared()
            let folder = try template.copied()
            let operations = (0..<6).flatMap { number -> [StoreOperation] in
                [.put("same", version: number, .current), .remove("same", by: .pin)]
            }
            let results = try await race(operations, operations.reversed(), on: folder)
            var count = 0
            for (operation, outcome) in results.joined() {
                switch (operation, outcome) {
                case (.put, .done): count += 1
                case (.remove, .done): count -= 1
                case (.put, .refused("key-exists")), (.remove, .refused("no-such-key")),
                    // Asked for one, and found another of its name.
                    (.remove, .refused("store-busy")):
                    break
                default: Issue.record("\(operation.argument) was answered with \(outcome.argument)")
                }
            }
            let session = try await StoreSession.open(folder.path, folder.owner)
            let last = await session.perform(.get("same", by: .own))
            try #require((0...1).contains(count))
            #expect((last == .refused("no-such-key")) == (count == 0), "\(last)")
        }

        @Test func aRequestDuringAnEnrolmentWaitsAndThenOpens() async throws {
            let template = try await StoreTemplate.prepared()
            let folder = try template.copied()
            let results = try await race(
                Array(repeating: .enroll(.thumb, .carry), count: 4),
                Array(repeating: .get("current", by: .own), count: 8), on: folder)
            #expect(results[0].allSatisfy { $0.1 == .done }, "\(results)")
            #expect(results[1].allSatisfy { $0.1 == .opened(version: 1) }, "\(results)")
            var world = template.world
            world.apply(.enroll(.thumb, .carry))
            try await expectWhole(folder, template, world)
        }

        @Test func enrolmentsComeOneAfterTheOther() async throws {
            let template = try await StoreTemplate.prepared()
            let folder = try template.copied()
            let results = try await race(
                Array(repeating: .enroll(.thumb, .carry), count: 4),
                Array(repeating: .enroll(.own, .carry), count: 4), on: folder)
            #expect(results.joined().allSatisfy { $0.1 == .done }, "\(results)")
            var world = template.world
            world.apply(.enroll(.thumb, .carry))
            try await expectWhole(folder, template, world)
        }

        @Test func wrongFingersOfBothCountTogetherUpToTheLockout() async throws {
            let template = try await StoreTemplate.prepared()
            let folder = try template.copied()
            let wrong = Array(repeating: StoreOperation.get("any", by: .stranger), count: 4)
            let outcomes = try await race(wrong, wrong, on: folder).joined().map(\.1)
            // The fifth is told as what it brings.
            #expect(outcomes.filter { $0 == .refused("no-match") }.count == 4, "\(outcomes)")
            #expect(outcomes.filter { $0 == .refused("locked-out") }.count == 4, "\(outcomes)")
            let failures = try Database(
                inFolder: folder.path, named: StoreTemplate.database, create: false
            ).row("SELECT failures FROM attempts") { row throws(DatabaseError) in try row.integer(0)
            }
            #expect(failures == 5)
            let session = try await StoreSession.open(folder.path, folder.owner)
            #expect(await session.perform(.get("any", by: .own)) == .refused("locked-out"))
            #expect(await session.perform(.get("any", by: .pin)) == .opened(version: 1))
        }

        @Test(.bug(id: "15")) func whoHasToWaitTooLongIsTold() async throws {
            #expect(VaultError.storeBusy.exitStatus == 75)
            let template = try await StoreTemplate.prepared()
            let folder = try template.copied()
            let database = try Database(
                inFolder: folder.path, named: StoreTemplate.database, create: false)
            try database.run("BEGIN IMMEDIATE")
            let child = try await StoreChild.run(
                on: folder, FaultPlan(.all), .patient, [.put("late", version: 1, .pin)])
            try database.run("ROLLBACK")
            #expect(child.lines.contains("end refused store-busy"), "\(child.lines)")
            try await expectWhole(folder, template, template.world)
        }
    }
}
