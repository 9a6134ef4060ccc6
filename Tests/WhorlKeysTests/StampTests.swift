import Testing
import WhorlBiometrics
import WhorlDatabase

@testable import WhorlKeys

struct StampTests {
    private let bench: VaultBench

    init() async throws {
        bench = try await VaultBench.open()
        try await bench.enroll()
        try await bench.put()
    }

    private var folder: TemporaryFolder { bench.temporary }

    // The database as it is now, without the file beside it.
    private func copy() throws -> [UInt8] {
        try bench.sweepForCopy()
        return try #require(folder.contents(of: StoreDatabase.fileName))
    }

    // Puts a database in the place of the one that is there, which nobody has open any more.
    private static func put(_ bytes: [UInt8], into folder: TemporaryFolder) throws {
        for suffix in ["-wal", "-shm"] { folder.remove(StoreDatabase.fileName + suffix) }
        try folder.write(bytes, to: StoreDatabase.fileName)
    }

    // The files of the store in another folder, where nothing has them open.
    private func moved() throws -> TemporaryFolder {
        let other = try TemporaryFolder()
        try other.write(copy(), to: StoreDatabase.fileName)
        for name in [StorageKeyFile.name, StampFile.name] {
            try other.write(#require(folder.contents(of: name)), to: name)
        }
        return other
    }

    private func opened(in folder: TemporaryFolder) async throws -> VaultBench {
        try await VaultBench.open(in: folder, clock: bench.clock, setUp: false)
    }

    private func restoration(in folder: TemporaryFolder) async throws -> StoreRestoration? {
        try await opened(in: folder).vault.restoration(of: VaultBench.subject)
    }

    private func stamp(in folder: TemporaryFolder) -> StampFile.Record? {
        guard case .record(let record) = StampFile(folder: folder.path).read() else { return nil }
        return record
    }

    @Test func nothingIsNoticedWhereNothingHappened() async throws {
        #expect(try await restoration(in: folder) == nil)
        #expect(try await restoration(in: moved()) == nil)
    }

    @Test func everyWriteMovesTheStamp() async throws {
        let before = try #require(stamp(in: folder))
        try await bench.put(as: "second")
        let after = try #require(stamp(in: folder))
        #expect(after.counter == before.counter + 1)
        #expect(after.vaultID == bench.vault.id)
    }

    @Test func theStampIsOfItsOwnerAloneAndOfOneSize() async throws {
        let before = try #require(folder.contents(of: StampFile.name))
        for index in 0..<10 { try await bench.put(as: "key \(index)") }
        #expect(folder.contents(of: StampFile.name)?.count == before.count)
        #expect(mode(of: "\(folder.path)/stamp") == 0o600)
        #expect(!folder.names().contains("stamp.new"))
    }

    @Test func aTransactionThatWritesNothingMovesNothing() async throws {
        let before = stamp(in: folder)
        try await bench.vault.abandonEnrollment(VaultBench.subject)
        #expect(stamp(in: folder) == before)
    }

    @Test(.bug(id: "44"))
    func anOlderDatabaseIsNoticed() async throws {
        let old = try moved()
        try await bench.put(as: "since")
        try old.write(#require(folder.contents(of: StampFile.name)), to: StampFile.name)
        #expect(try await restoration(in: old) == .older)
    }

    @Test(.bug(id: "9"))
    func aStoreFromAnotherMachineIsNoticed() async throws {
        let other = try moved()
        let record = try #require(stamp(in: other))
        #expect(
            StampFile(folder: other.path).write(
                StampFile.Record(
                    vaultID: record.vaultID, counter: record.counter,
                    machine: [UInt8](repeating: 7, count: 16))))
        #expect(try await restoration(in: other) == .otherMachine)
    }

    @Test func aMissingStampIsNotTrusted() async throws {
        let other = try moved()
        other.remove(StampFile.name)
        #expect(try await restoration(in: other) == .unknown)
    }

    @Test(arguments: ["nonsense", "another vault", "a link"])
    func aStampThatThisStoreDidNotWriteIsNotTrusted(kind: String) async throws {
        let other = try moved()
        let record = try #require(stamp(in: other))
        switch kind {
        case "nonsense": try other.write(Array("stamp".utf8), to: StampFile.name)
        case "another vault":
            StampFile(folder: other.path).write(
                StampFile.Record(
                    vaultID: randomIdentifier(), counter: record.counter,
                    machine: record.machine))
        default:
            other.remove(StampFile.name)
            #expect(symbolicLink(to: "\(folder.path)/stamp", at: "\(other.path)/stamp"))
        }
        #expect(try await restoration(in: other) == .unknown)
    }

    // Killed, or cut from power, after the commit and before the file.
    @Test func aStampThatFellBehindMeansNothingAndCatchesUp() async throws {
        let old = try #require(folder.contents(of: StampFile.name))
        try await bench.put(as: "since")
        let new = try moved()
        try new.write(old, to: StampFile.name)
        #expect(try await restoration(in: new) == nil)
        #expect(stamp(in: new) == stamp(in: folder))
    }

    @Test(arguments: ["nothing", "zeros", "half of it"])
    func aStampThatWasEmptiedOrTornIsNoProof(what: String) async throws {
        let other = try moved()
        var content = try #require(other.contents(of: StampFile.name))
        switch what {
        case "nothing": content = []
        case "zeros": content = [UInt8](repeating: 0, count: content.count)
        default: content[content.count - 1] ^= 1
        }
        try other.write(content, to: StampFile.name)
        #expect(try await restoration(in: other) == .unknown)
    }

    @Test func aStampThatCannotBeWrittenKeepsNothingFromBeingStored() async throws {
        let before = try #require(folder.contents(of: StampFile.name))
        folder.remove(StampFile.name)
        #expect(makeFolder("\(folder.path)/stamp"))
        try await bench.put("kept", as: "since")
        #expect(try await bench.get("since") == "kept")
        removeFolder("\(folder.path)/stamp")
        try folder.write(before, to: StampFile.name)
        #expect(try await restoration(in: folder) == nil)
    }

    @Test func afterARestorationNoFingerOpensAnythingUntilThePinWasGiven() async throws {
        let other = try moved()
        other.remove(StampFile.name)
        let bench = try await opened(in: other)
        await #expect(throws: VaultError.authentication(.storeRestored(.unknown))) {
            try await bench.get()
        }
        // It is known for good, and not only to the one who noticed.
        let again = try await opened(in: other)
        await #expect(throws: VaultError.authentication(.storeRestored(.unknown))) {
            try await again.get()
        }
        #expect(try await again.getWithPin() == "s3cret")
        try await again.vault.acceptRestoration(again.credential(.clearLockout))
        #expect(try await again.get() == "s3cret")
        #expect(try await restoration(in: other) == nil)
    }

    @Test func aFingerEndsNoRestoration() async throws {
        let other = try moved()
        other.remove(StampFile.name)
        let bench = try await opened(in: other)
        await #expect(throws: VaultError.self) {
            try await bench.vault.acceptRestoration(bench.finger(.clearLockout))
        }
        #expect(try await bench.vault.restoration(of: VaultBench.subject) == .unknown)
    }

    @Test func eachSubjectMustComeThemselves() async throws {
        let second = try Subject(name: "second")
        try await bench.setUp(second, pin: "another horse")
        let other = try moved()
        other.remove(StampFile.name)
        let bench = try await opened(in: other)
        try await bench.vault.acceptRestoration(bench.credential(.clearLockout))
        #expect(try await bench.vault.restoration(of: VaultBench.subject) == nil)
        #expect(try await bench.vault.restoration(of: second) == .unknown)
    }

    @Test func theMachineIsNamedAsSystemdNamesItForAnApplication() throws {
        // As systemd-id128 names a machine of this id for this application.
        let derived = try MachineIdentity.derived(from: Array(0..<16))
        #expect(
            derived == [
                0xBC, 0x49, 0xAA, 0x93, 0x5C, 0xEF, 0x4A, 0xD7, 0x8B, 0xF6, 0xC7, 0x6B, 0x27, 0x96,
                0xDE, 0x7D,
            ])
        #expect(try MachineIdentity.derived(from: Array(1..<17)) != derived)
        #expect(MachineIdentity.current(file: "/dev/null") == [])
        #expect(MachineIdentity.current(file: "/nonexistent") == [])
    }
}
