import Testing
import WhorlBiometrics
import WhorlStoreLoad

extension Endurance {
    /// The database's file is damaged: what it answers is right or a refusal, and looking at it makes
    /// it no worse.
    @Suite(.serialized)
    struct DamageTests {
        @Test func aFileThatIsWholeOpensByEveryWay() async throws {
            let store = try await Damage.prepared()
            let folder = try store.template.copied()
            let examiner = try await Examiner.open(folder, folder.owner)
            for (name, key) in store.template.world.keys {
                for way in Examiner.Way.allCases {
                    guard let right = key.answer(to: way, isPending: false) else { continue }
                    #expect(await examiner.open(try KeyName(checking: name), by: way) == right)
                }
            }
        }

        @Test func aByteThatIsAnotherIsNoticedOrDoesNotMatter() async throws {
            let store = try await Damage.prepared()
            let found = await complaints(in: 0..<10_000) { number in
                var numbers = SeededNumbers(seed: UInt64(number))
                let place = Int.random(in: store.database.indices, using: &numbers)
                var bytes = store.database
                bytes[place] ^= .random(in: 1...255, using: &numbers)
                // Each key by another way each time: all ways together would take minutes.
                return try await store.complaints(
                    with: bytes, as: "byte \(place) is \(bytes[place])", turn: number)
            }
            #expect(found == [])
        }

        @Test func aFileThatIsCutShortIsNoticed() async throws {
            let store = try await Damage.prepared()
            let count = store.database.count
            let pages = Array(stride(from: 0, to: count, by: 4096))
            try #require(pages.count > 10)
            let found = await complaints(in: 0..<pages.count + 1000) { number in
                var numbers = SeededNumbers(seed: UInt64(number))
                let left =
                    number < pages.count
                    ? pages[number] : Int.random(in: 0..<count, using: &numbers)
                return try await store.complaints(
                    with: Array(store.database[..<left]), as: "\(left) bytes are left", turn: number
                )
            }
            #expect(found == [])
        }

        // What a log with a wrong checksum says never happened, as after a power cut; so what is there
        // then is what was there after some earlier change.
        @Test func aByteOfTheLogThatIsAnotherGivesAStateThatOnceWas() async throws {
            let template = try await StoreTemplate.prepared(keys: [.current, .any])
            let folder = try template.copied()
            let session = try await StoreSession.open(folder.path, folder.owner)
            var worlds = [template.world]
            for number in 1...4 {
                let operation = StoreOperation.put("k\(number)", version: number, .any)
                try #require(await session.perform(operation) == .done)
                var world = worlds[number - 1]
                world.apply(operation)
                worlds.append(world)
            }
            let written = try template.withFiles(of: folder, world: worlds[4])
            let log = try #require(written.files[StoreTemplate.log])
            try #require(log.count > 10_000)
            let states = worlds
            let found = await complaints(in: 0..<400) { number in
                var numbers = SeededNumbers(seed: UInt64(number))
                let place = Int.random(in: log.indices, using: &numbers)
                var bytes = log
                bytes[place] ^= .random(in: 1...255, using: &numbers)
                let folder = try written.copied()
                try folder.write(bytes, to: StoreTemplate.log)
                // A state of before is noticed by the stamp, and no finger counts then, which is tested
                // elsewhere: the other ways are tried here.
                return await Damage.states(of: folder, allowed: states)
                    .map { "byte \(place): \($0)" }
            }
            #expect(found == [])
        }
    }
}
