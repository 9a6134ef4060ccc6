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

    // A copy of the database, and nothing else, on another machine.
    private func recoverable(
        of subject: Subject = VaultBench.subject
    ) async throws -> RecoverableKeys {
        let folder = try TemporaryFolder()
        try bench.sweepForCopy()
        try folder.write(
            #require(bench.temporary.contents(of: StoreDatabase.fileName)), to: "copy", mode: 0o444)
        let all = try await RecoveryFile.read("\(folder.path)/copy")
        #expect(folder.names() == ["copy"])
        return try #require(all.first { $0.subject == subject })
    }

    private func recovered(_ name: String, _ written: String) async throws -> String {
        text(try await recoverable().open(KeyName(name), with: held(written)))
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
        await #expect(throws: VaultError.authentication(.wrongRecoveryKey)) {
            try await recovered("key", other)
        }
        let second = try Subject(name: "second")
        let theirs = try await bench.setUp(second, pin: "another horse")
        await #expect(throws: VaultError.authentication(.wrongRecoveryKey)) {
            try await recovered("key", theirs)
        }
    }

    @Test func aKeyMadeWithoutRecoveryHasNone() async throws {
        try await bench.put(hasRecovery: false)
        await #expect(throws: VaultError.noRecovery) { try await recovered("key", written) }
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

    @Test func oneChangedRowKeepsNobodyFromTheOthers() async throws {
        try await bench.put("first", as: "first")
        try await bench.put("second", as: "second")
        try await bench.put("third", as: "third", hasRecovery: false)
        try bench.tamper("UPDATE wrapped_key SET access = 'nonsense' WHERE name = 'first'")
        #expect(try await recovered("second", written) == "second")
        await #expect(throws: VaultError.damaged("the key first was changed")) {
            try await recovered("first", written)
        }
        let findings = try await recoverable().check(held(written))
        #expect(findings.opened.map(\.attributes.name.text) == ["second"])
        #expect(
            findings.leftOut == [
                UnrecoverableKey(name: "first", reason: .damaged),
                UnrecoverableKey(name: "third", reason: .withoutRecovery),
            ])
    }

    @Test func aMistypedRecoveryKeySaysWhere() async throws {
        try await bench.put()
        let mistyped = String(written.dropLast()) + (written.hasSuffix("0") ? "1" : "0")
        await #expect {
            try await recovered("key", mistyped)
        } throws: { error in
            guard case VaultError.invalidRecoveryKey(let what) = error else { return false }
            return what.contains("group 13")
        }
    }

    @Test func whatIsOnlyInTheLogIsRecovered() async throws {
        let folder = try TemporaryFolder()
        try bench.sweepForCopy()
        let before = try #require(bench.temporary.contents(of: StoreDatabase.fileName))
        try await bench.put("late", as: "late")
        // The database as it was, and a log with the key beside it.
        try folder.write(before, to: "copy")
        try folder.write(
            #require(bench.temporary.contents(of: StoreDatabase.fileName + "-wal")), to: "copy-wal")
        let keys = try #require(try await RecoveryFile.read("\(folder.path)/copy").first)
        #expect(text(try keys.open(KeyName("late"), with: held(written))) == "late")
        #expect(folder.contents(of: "copy") == before)
        #expect(folder.names() == ["copy", "copy-wal"])
    }

    @Test(arguments: ["nothing", "text", "a short header"])
    func whatIsNoDatabaseIsRefused(kind: String) async throws {
        let folder = try TemporaryFolder()
        let content: [UInt8] =
            switch kind {
            case "nothing": []
            case "text": Array("what is this?".utf8)
            default: Array("SQLite format 3\0".utf8)
            }
        try folder.write(content, to: "file")
        await #expect(throws: VaultError.self) {
            try await RecoveryFile.read("\(folder.path)/file")
        }
        #expect(folder.contents(of: "file") == content)
    }

    @Test func aNewerDatabaseIsRefusedAndStaysAsItIs() async throws {
        try bench.tamper("UPDATE whorl_schema SET version = 99 WHERE module = 'vault'")
        await #expect(throws: VaultError.newerStore) { try await recoverable() }
    }
}
