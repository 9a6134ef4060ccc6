import Testing
import WhorlStoreLoad

extension Endurance {
    /// A process is killed while it works on a store.
    @Suite(.serialized)
    struct KillTests {
        @Test func aLoadThatNobodyKillsDoesWhatItSays() async throws {
            let template = try await StoreTemplate.prepared()
            let folder = try template.copied()
            let child = try await StoreChild.run(
                on: folder, FaultPlan(.all), .hasty, MixedLoad.round(1) + MixedLoad.round(2))
            #expect(child.callCount != nil)
            let transcript = Transcript(child, from: template.world)
            #expect(transcript.inFlight == nil)
            let found = try await Aftermath(
                folder: folder, transcript: transcript
            ).complaints()
            #expect(found == [])
        }

        @Test func killedAtFiveHundredRandomPointsNothingIsLost() async throws {
            let template = try await StoreTemplate.prepared()
            let start = ContinuousClock.now
            _ = try await StoreChild.run(
                on: try template.copied(), FaultPlan(.all), .hasty, MixedLoad.round(1))
            // So long that it takes all of a round, however fast this machine is.
            let round = ContinuousClock.now - start
            let found = await complaints(in: 0..<500) { number in
                let folder = try template.copied()
                var numbers = SeededNumbers(seed: UInt64(number))
                let life = round * Double.random(in: 0..<1.5, using: &numbers)
                let child = try await StoreChild.run(
                    on: folder, FaultPlan(.all), .rounds, killAfter: life)
                return try await Aftermath(
                    folder: folder, transcript: Transcript(child, from: template.world)
                ).complaints() + (child.wasKilled ? [] : ["it was not killed: \(child)"])
            }
            #expect(found == [])
        }

        @Test func killedInEveryWriteOfALoadNothingIsLost() async throws {
            let template = try await StoreTemplate.prepared()
            let load = MixedLoad.round(1)
            let whole = try await StoreChild.run(
                on: try template.copied(), FaultPlan(.changing), .hasty, load)
            let count = try #require(whole.callCount)
            try #require(count > 200)
            let found = await complaints(in: 1..<Int(count) + 1) { number in
                let folder = try template.copied()
                let plan = FaultPlan(.changing, at: UInt64(number), .killHalfway)
                let child = try await StoreChild.run(on: folder, plan, .hasty, load)
                return try await Aftermath(
                    folder: folder, transcript: Transcript(child, from: template.world)
                ).complaints() + (child.wasKilled ? [] : ["it was not killed: \(child)"])
            }
            #expect(found == [])
        }
    }
}

/// Numbers that are the same on every run.
struct SeededNumbers: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        // SplitMix64.
        state &+= 0x9E37_79B9_7F4A_7C15
        var number = state
        number = (number ^ (number >> 30)) &* 0xBF58_476D_1CE4_E5B9
        number = (number ^ (number >> 27)) &* 0x94D0_49BB_1331_11EB
        return number ^ (number >> 31)
    }
}
