import Testing
import WhorlBiometrics
import WhorlStoreLoad

extension Endurance {
    /// The power goes while a process works on a store: it dies, and of what no sync had made safe any
    /// part is lost.
    @Suite(.serialized)
    struct PowerCutTests {
        // Carrying seals keys anew before the generation moves, and both must come to the disk together.
        @Test func inTheMiddleOfAnEnrolmentThatCarriesItLeavesTheOldWorldOrTheNew() async throws {
            let template = try await StoreTemplate.prepared()
            let load: [StoreOperation] = [.put("a", version: 3, .current), .enroll(.thumb, .carry)]
            let whole = try await StoreChild.run(
                on: try template.copied(), FaultPlan(.changing), .hasty, load)
            let count = Int(try #require(whole.callCount))
            try #require(count > 20)
            let seeds = 5
            let found = await complaints(in: 0..<count * seeds) { number in
                let plan = FaultPlan(
                    .changing, at: UInt64(number / seeds + 1), .cutPower, seed: UInt64(number))
                return try await cut(template, plan, load)
            }
            #expect(found == [])
        }

        @Test func inTheMiddleOfAMixedLoadItLosesNothingThatWasAcknowledged() async throws {
            let template = try await StoreTemplate.prepared()
            let load = MixedLoad.round(1)
            let whole = try await StoreChild.run(
                on: try template.copied(), FaultPlan(.changing), .hasty, load)
            let count = try #require(whole.callCount)
            let found = await complaints(in: 0..<150) { number in
                var numbers = SeededNumbers(seed: UInt64(number))
                let plan = FaultPlan(
                    .changing, at: .random(in: 1...count, using: &numbers), .cutPower,
                    seed: numbers.next())
                return try await cut(template, plan, load)
            }
            #expect(found == [])
        }

        private func cut(
            _ template: StoreTemplate, _ plan: FaultPlan, _ load: [StoreOperation]
        ) async throws -> [String] {
            let folder = try template.copied()
            let child = try await StoreChild.run(on: folder, plan, .hasty, load)
            return try await Aftermath(
                folder: folder, transcript: Transcript(child, from: template.world)
            ).complaints() + (child.wasKilled ? [] : ["the power did not go: \(child)"])
        }
    }
}
