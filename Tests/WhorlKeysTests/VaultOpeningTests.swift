import Glibc
import Testing
import WhorlBiometrics
import WhorlDatabase

@testable import WhorlKeys

struct VaultOpeningTests {
    private func refusal(of folder: TemporaryFolder) async -> VaultError? {
        do {
            _ = try await VaultBench.open(in: folder, setUp: false)
            return nil
        } catch { return error as? VaultError }
    }

    private func isDamaged(_ folder: TemporaryFolder) async -> Bool {
        if case .damaged = await refusal(of: folder) { true } else { false }
    }

    @Test func aNewStoreHasAnIdentityAndAKeyAndKeepsThem() async throws {
        let bench = try await VaultBench.open(setUp: false)
        #expect(bench.vault.id.count == 16)
        #expect(bench.vault.storeKind == .software)
        #expect(bench.vault.folder == bench.folder)
        let key = try #require(bench.temporary.contents(of: "storage.key"))
        #expect(key.count == 32)
        let again = try await bench.reopened()
        #expect(again.vault.id == bench.vault.id)
        #expect(bench.temporary.contents(of: "storage.key") == key)
        let other = try await VaultBench.open(setUp: false)
        #expect(other.vault.id != bench.vault.id)
    }

    @Test func noStoreIsSaidAndNoneIsMade() async throws {
        let folder = try TemporaryFolder()
        await #expect(throws: VaultError.notSetUp) {
            try await StoreDatabase.open(folder: folder.path, creating: false)
        }
        #expect(folder.names().isEmpty)
    }

    @Test func twoWhoOpenANewStoreAtOnceGetTheSameVault() async throws {
        let folder = try TemporaryFolder()
        async let first = VaultBench.open(in: folder, setUp: false)
        async let second = VaultBench.open(in: folder, setUp: false)
        let ids = try await [first.vault.id, second.vault.id]
        #expect(ids[0] == ids[1])
    }

    @Test(.bug(id: "44"))
    func withoutItsStorageKeyAStoreIsOfAnotherMachineAndNoneIsMadeAnew() async throws {
        let bench = try await VaultBench.open()
        bench.temporary.remove("storage.key")
        #expect(await refusal(of: bench.temporary) == .otherMachine)
        #expect(!bench.temporary.names().contains("storage.key"))
    }

    @Test func aStorageKeyOfAnotherStoreIsDamage() async throws {
        let bench = try await VaultBench.open()
        let other = try await VaultBench.open(setUp: false)
        let key = try #require(other.temporary.contents(of: "storage.key"))
        try bench.temporary.write(key, to: "storage.key")
        #expect(await isDamaged(bench.temporary))
    }

    @Test func aStorageKeyThatOthersCouldReadIsRefused() async throws {
        let bench = try await VaultBench.open()
        #expect(unsafe chmod("\(bench.folder)/storage.key", 0o644) == 0)
        guard case .unsafePermissions = await refusal(of: bench.temporary) else {
            Issue.record("the vault opened")
            return
        }
    }

    @Test(arguments: ["id", "code"])
    func aChangedIdentityIsDamage(column: String) async throws {
        let bench = try await VaultBench.open()
        try bench.nudge(column, of: "vault")
        #expect(await isDamaged(bench.temporary))
    }

    @Test func anIdentityTakenAwayIsDamageAndIsNotMadeAnew() async throws {
        let bench = try await VaultBench.open()
        try bench.tamper("DELETE FROM vault")
        #expect(await isDamaged(bench.temporary))
    }

    @Test func aKeyFileLeftByAProcessThatWasKilledIsTaken() async throws {
        let folder = try TemporaryFolder()
        let left = revealed(try StorageKeyFile(folder: folder.path).create())
        let bench = try await VaultBench.open(in: folder)
        #expect(folder.contents(of: "storage.key") == left)
        #expect(try await bench.vault.isSetUp(VaultBench.subject))
    }

    @Test func aStoreOfANewerVersionIsRefused() async throws {
        let bench = try await VaultBench.open()
        try bench.tamper("UPDATE whorl_schema SET version = 99 WHERE module = 'vault'")
        #expect(await refusal(of: bench.temporary) == .newerStore)
    }

    @Test func anotherProgramsDatabaseIsRefused() async throws {
        let bench = try await VaultBench.open(setUp: false)
        let folder = try TemporaryFolder()
        let file = try #require(bench.temporary.contents(of: StoreDatabase.fileName))
        var foreign = file
        // The application id in SQLite's header.
        foreign.replaceSubrange(68..<72, with: [1, 2, 3, 4])
        try folder.write(foreign, to: StoreDatabase.fileName)
        #expect(await refusal(of: folder) == .foreignStore)
    }

    @Test func aDatabaseThatIsOpenToOthersIsRefused() async throws {
        let bench = try await VaultBench.open()
        #expect(unsafe chmod("\(bench.folder)/\(StoreDatabase.fileName)", 0o640) == 0)
        guard case .unsafePermissions = await refusal(of: bench.temporary) else {
            Issue.record("the vault opened")
            return
        }
    }

    @Test func theDatabaseIsTouchedOnItsOwnThreadOnly() async {
        await #expect(processExitsWith: .failure) {
            let bench = try await VaultBench.open(setUp: false)
            _ = bench.database.connection
        }
    }
}
