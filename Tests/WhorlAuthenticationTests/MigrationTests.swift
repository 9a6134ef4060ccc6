import Glibc
import Testing
import WhorlBiometrics
import WhorlDatabase
import WhorlKeys
import WhorlSecrets
import WhorlSensorLab

@testable import WhorlAuthentication

/// A store of each earlier version is opened by this one, and holds what it held.
struct MigrationTests {
    private static let versions = [1, 2]

    private let keys = ["github": "s3cret", "bank": "bank-secret", "both": "both-secret"]

    // MARK: Refusals

    @Test(arguments: versions, ["vault", "attempts"])
    func aNewerVersionIsRefusedAndStaysAsItIs(version: Int, module: String) async throws {
        let stored = try StoredVersion(version)
        do {
            let database = try Database(
                inFolder: stored.store, named: StoreDatabase.fileName, create: false)
            try database.run(
                "UPDATE whorl_schema SET version = 99 WHERE module = ?", .text(module))
            try database.checkpoint()
        }
        if module == "attempts" {
            // Brought to this version otherwise, as by the program that is the newer one.
            _ = try? await stored.session()
        }
        let before = try stored.database()
        await #expect(throws: VaultError.newerStore) { try await stored.session() }
        #expect(try stored.database() == before)
    }

    // MARK: Forward

    @Test(arguments: versions)
    func everyKeyOpensWithTheFinger(version: Int) async throws {
        let stored = try StoredVersion(version)
        let session = try await stored.trusted()
        for name in ["github", "bank"] {
            stored.reader.script(
                .verify, .event(.finger([.needed, .present])), .end(.match(index: 0)))
            #expect(try await session.opened(name) == keys[name])
        }
    }

    @Test(arguments: versions)
    func everyKeyOpensWithThePINThatItOpensWith(version: Int) async throws {
        let stored = try StoredVersion(version)
        let session = try await stored.session()
        #expect(try await session.opened("github", pin: StoredVersion.pin) == "s3cret")
        #expect(try await session.report().restoration == nil)
        #expect(try await session.opened("pin-only", pin: StoredVersion.pin) == "pin-secret")
        await #expect(throws: VaultError.authentication(.wrongCredential)) {
            try await session.opened("github", pin: "wrong horse")
        }
        stored.reader.script(
            .verify, .event(.finger([.needed, .present])), .end(.match(index: 0)))
        #expect(try await session.opened("both", pin: StoredVersion.pin) == "both-secret")
    }

    @Test(arguments: versions)
    func everyKeyWithRecoveryOpensWithTheRecoveryKey(version: Int) async throws {
        let stored = try StoredVersion(version)
        let session = try await stored.session()
        for (name, value) in keys {
            #expect(try await session.opened(name, recoveryKey: stored.recoveryKey) == value)
        }
        await #expect(throws: VaultError.noRecovery) {
            try await session.opened("pin-only", recoveryKey: stored.recoveryKey)
        }
    }

    @Test(arguments: versions)
    func fingersGenerationAndCountsAreAsTheyWere(version: Int) async throws {
        let report = try await StoredVersion(version).session().report()
        #expect(report.isSetUp)
        #expect(report.failures == 3)
        #expect(report.fingers.map(\.finger) == [.rightIndexFinger])
        #expect(report.fingers.map(\.isSimulated) == [true])
        #expect(report.generation == 2)
        #expect(report.restoration == (version == 1 ? nil : .unknown))
        #expect(report.keys.map(\.state) == [.open, .open, .open, .open])
        #expect(report.keys.map(\.name.text) == ["bank", "both", "github", "pin-only"])
    }

    // Cut off between two modules, which is where one version and the next stand side by side.
    @Test(arguments: versions)
    func aMigrationThatWasCutOffGoesOn(version: Int) async throws {
        let stored = try StoredVersion(version)
        do {
            let database = try await StoreDatabase.open(folder: stored.store, creating: false)
            _ = try await Recovery(database: database).read()
        }
        let session = try await stored.session()
        #expect(try await session.opened("pin-only", pin: StoredVersion.pin) == "pin-secret")
    }

    @Test(arguments: versions)
    func severalMayMigrateAtOnce(version: Int) async throws {
        let stored = try StoredVersion(version)
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<4 {
                group.addTask { try await stored.session().report().keys.count }
            }
            for try await count in group { #expect(count == 4) }
        }
        let restoration = try await stored.session().report().restoration
        #expect(restoration == (version == 1 ? nil : .unknown))
    }
}
