import Testing
import WhorlBiometrics
import WhorlSecrets

@testable import WhorlKeys

struct RecoveryTests {
    private let bench: VaultBench
    private let written: String

    init() async throws {
        bench = try await VaultBench.open(setUp: false)
        written = try await bench.setUp()
        try await bench.enroll()
    }

    // A copy of the database, and nothing else, opened as another program would.
    private func recovery(
        of database: String = StoreDatabase.fileName
    ) async throws -> (Recovery, TemporaryFolder) {
        let folder = try TemporaryFolder()
        try bench.sweepForCopy()
        try folder.write(#require(bench.temporary.contents(of: database)), to: database)
        let database = try await StoreDatabase.open(folder: folder.path, creating: false)
        return (Recovery(database: database), folder)
    }

    private func recovered(_ name: String, _ written: String) async throws -> String {
        let (recovery, folder) = try await recovery()
        let key = HeldSecret(try RecoveryKeyForm.read(secret(written)))
        let opened = try await recovery.open(
            KeyName(name), of: VaultBench.subject, with: key)
        #expect(!folder.names().contains("storage.key"))
        return text(opened)
    }

    @Test func theRecoveryKeyAndTheDatabaseOpenEveryKey() async throws {
        for access in [
            "biometryCurrentSet", "biometryAny", "deviceCredential",
            "biometryAny and deviceCredential", "biometryCurrentSet or deviceCredential",
        ] {
            try await bench.put(
                access, as: "key", access: AccessControl(parsing: access))
            #expect(try await recovered("key", written) == access)
            try bench.tamper("DELETE FROM wrapped_key")
        }
    }

    @Test func aDeadKeyAndACarriedOneAreRecovered() async throws {
        try await bench.put("carried", as: "carried")
        try await bench.enroll(.leftThumb, "second", keys: .carry)
        try await bench.put("dead", as: "dead", access: .biometryCurrentSet)
        try await bench.enroll(.leftThumb, "third")
        #expect(try await recovered("carried", written) == "carried")
        #expect(try await recovered("dead", written) == "dead")
    }

    @Test func anotherRecoveryKeyOpensNothing() async throws {
        try await bench.put()
        let other = try await VaultBench.open(setUp: false).setUp()
        await #expect(throws: VaultError.authentication(.wrongCredential)) {
            try await recovered("key", other)
        }
        let second = try Subject(name: "second")
        let theirs = try await bench.setUp(second, pin: "another horse")
        await #expect(throws: VaultError.authentication(.wrongCredential)) {
            try await recovered("key", theirs)
        }
    }

    @Test func aKeyMadeWithoutRecoveryHasNone() async throws {
        try await bench.put(hasRecovery: false)
        await #expect(throws: VaultError.self) { try await recovered("key", written) }
        await #expect(throws: VaultError.noSuchKey) { try await recovered("other", written) }
    }

    // Without the storage key nothing vouches for a row, but it opens as what it was or not at all.
    @Test(arguments: [
        "name = 'renamed'", "access = 'biometryAny'", "strength = 1", "generation = 9",
        "simulated = 1", "created = 0", "id = x'00112233445566778899aabbccddeeff'",
    ])
    func aChangedRowIsNotRecovered(change: String) async throws {
        try await bench.put(as: "key")
        try bench.tamper("UPDATE wrapped_key SET \(change)")
        let name = change.hasPrefix("name") ? "renamed" : "key"
        await #expect(throws: VaultError.damaged("the recovery branch of \(name) was changed")) {
            try await recovered(name, written)
        }
    }

    @Test func branchesExchangedBetweenKeysAreNotRecovered() async throws {
        try await bench.put("first", as: "first")
        try await bench.put("second", as: "second")
        try bench.tamper(
            """
            UPDATE wrapped_key SET recovery = (SELECT recovery FROM wrapped_key WHERE name = 'second')
            WHERE name = 'first'
            """)
        await #expect(throws: VaultError.self) { try await recovered("first", written) }
    }
}
