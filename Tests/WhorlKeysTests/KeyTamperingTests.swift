import Testing
import WhorlBiometrics

@testable import WhorlKeys

/// What somebody who can write the database gets: damage, and nothing opened.
struct KeyTamperingTests {
    private let bench: VaultBench
    private let other: Subject
    private static let otherPin = "another horse"

    init() async throws {
        bench = try await VaultBench.open()
        other = try Subject(name: "other")
        try await bench.setUp(other, pin: Self.otherPin)
        try await bench.enroll()
        try await bench.put("mine")
    }

    private func isDamaged(_ body: () async throws -> Void) async -> Bool {
        do {
            try await body()
            return false
        } catch VaultError.damaged { return true } catch { return false }
    }

    // Every way to reach the key: to list it, to look at it, to open it with a grant that was minted
    // before the change.
    private func isDamagedThroughout(
        after change: () throws -> Void, name: String = "key"
    ) async throws -> Bool {
        let purpose = try await bench.purpose(of: name)
        let finger = try await bench.finger(purpose)
        let pin = try await bench.credential(purpose)
        try change()
        let subject = VaultBench.subject
        let listed = await isDamaged { _ = try await bench.vault.keys(of: subject) }
        let shown = await isDamaged {
            _ = try await bench.vault.key(KeyName(name), of: subject)
        }
        let byFinger = await bench.refusal(opening: name, finger)
        let byPin = await bench.refusal(opening: name, pin)
        return listed && shown && byFinger?.identifier == "damaged"
            && byPin?.identifier == "damaged"
    }

    @Test(arguments: [
        "id", "kind", "store", "access", "strength", "reuse", "boot_bound", "simulated", "created",
        "generation", "wrapped", "recovery", "withdrawn", "public_half", "code",
    ])
    func aChangedColumnIsDamage(column: String) async throws {
        #expect(try await isDamagedThroughout { try bench.nudge(column, of: "wrapped_key") })
    }

    @Test func aChangedPayloadIsDamageWhenItOpens() async throws {
        try bench.nudge("payload", of: "wrapped_key")
        #expect(await isDamaged { _ = try await bench.get() })
        #expect(await isDamaged { _ = try await bench.getWithPin() })
    }

    @Test func aChangedNameIsDamage() async throws {
        try bench.tamper("UPDATE wrapped_key SET name = 'renamed'")
        #expect(await isDamaged { _ = try await bench.purpose(of: "renamed") })
    }

    @Test func everyColumnOfAKeyWasChangedAbove() throws {
        #expect(
            try bench.columns(of: "wrapped_key") == [
                "id", "subject", "name", "kind", "store", "access", "strength", "reuse",
                "boot_bound", "simulated", "created", "generation", "wrapped", "recovery", "code",
                "payload", "withdrawn", "public_half",
            ])
    }

    @Test(arguments: [
        "access = 'biometryAny or deviceCredential'", "access = 'deviceCredential'",
        "access = 'deviceCredential or biometryCurrentSet'", "access = ''",
        "strength = 0", "strength = 1", "strength = 3", "strength = 4", "simulated = 1",
        "simulated = 2", "recovery = NULL", "kind = 'signing'", "store = 'tpm'",
        "generation = generation + 1", "reuse = 300", "reuse = 9223372036854775807",
        "wrapped = x''", "code = x''", "id = x''",
    ])
    func aRowMadeWeakerIsDamage(change: String) async throws {
        #expect(
            try await isDamagedThroughout {
                try bench.tamper("UPDATE wrapped_key SET \(change)")
            })
    }

    @Test func aRowOfAnotherSubjectOpensNothing() async throws {
        try await bench.put("theirs", of: other, access: .deviceCredential)
        try bench.tamper("DELETE FROM wrapped_key WHERE subject = 'uid:4711'")
        try bench.tamper("UPDATE wrapped_key SET subject = 'uid:4711'")
        #expect(await isDamaged { _ = try await bench.get() })
        #expect(await isDamaged { _ = try await bench.getWithPin() })
    }

    @Test(arguments: ["wrapped", "recovery", "payload", "code", "id", "access"])
    func columnsSwappedBetweenTwoSubjectsOpenNothing(column: String) async throws {
        try await bench.enroll(.leftThumb, "theirs", of: other, pin: Self.otherPin)
        try await bench.put("theirs", of: other, access: .biometryAny.or(.deviceCredential))
        try bench.swap(column, of: "wrapped_key", "subject = 'uid:4711'", "subject = 'other'")
        #expect(await isDamaged { _ = try await bench.get() })
        #expect(await isDamaged { _ = try await bench.getWithPin() })
        #expect(await isDamaged { _ = try await bench.get(subject: other) })
        #expect(
            await isDamaged { _ = try await bench.getWithPin(subject: other, pin: Self.otherPin) })
    }

    @Test(arguments: ["wrapped", "recovery", "payload", "code", "id"])
    func columnsSwappedBetweenTwoKeysOpenNothing(column: String) async throws {
        try await bench.put("second", as: "second")
        try bench.swap(column, of: "wrapped_key", "name = 'key'", "name = 'second'")
        for name in ["key", "second"] {
            #expect(await isDamaged { _ = try await bench.get(name) })
            #expect(await isDamaged { _ = try await bench.getWithPin(name) })
        }
    }

    @Test func twoNamesExchangedOpenNothing() async throws {
        try await bench.put("second", as: "second")
        try bench.tamper("UPDATE wrapped_key SET name = 'x' WHERE name = 'key'")
        try bench.tamper("UPDATE wrapped_key SET name = 'key' WHERE name = 'second'")
        try bench.tamper("UPDATE wrapped_key SET name = 'second' WHERE name = 'x'")
        for name in ["key", "second"] {
            #expect(await isDamaged { _ = try await bench.get(name) })
        }
    }

    @Test func aRowOfAnotherMachineOpensNothing() async throws {
        let machine = try await VaultBench.open()
        try await machine.enroll()
        try await machine.put("elsewhere")
        for column in ["id", "wrapped", "recovery", "code", "payload"] {
            let foreign = try machine.blob(column, of: "wrapped_key")
            try bench.tamper("UPDATE wrapped_key SET \(column) = \(Self.literal(foreign))")
        }
        #expect(await isDamaged { _ = try await bench.get() })
        #expect(await isDamaged { _ = try await bench.getWithPin() })
    }

    // A copy of the database opens nothing with another storage key; here the very same rows.
    @Test func aDatabaseOnAnotherMachineDoesNotEvenOpen() async throws {
        let machine = try await VaultBench.open(setUp: false)
        let folder = try TemporaryFolder()
        try bench.sweepForCopy()
        for name in bench.temporary.names() where name.hasPrefix(StoreDatabase.fileName) {
            try folder.write(#require(bench.temporary.contents(of: name)), to: name)
        }
        try folder.write(
            #require(machine.temporary.contents(of: "storage.key")), to: "storage.key")
        #expect(
            await isDamaged { _ = try await VaultBench.open(in: folder, setUp: false) })
    }

    @Test func anOlderGenerationPutBackDoesNotReviveAKey() async throws {
        let old = [
            "generation": try number("generation"), "wrapped": try literal("wrapped"),
            "recovery": try literal("recovery"), "code": try literal("code"),
            "payload": try literal("payload"),
        ]
        // The key as it was before it was carried, put back after.
        try await bench.enroll(.leftThumb, "second", keys: .carry)
        #expect(try await bench.get() == "mine")
        let changes = old.map { "\($0.key) = \($0.value)" }.joined(separator: ", ")
        try bench.tamper("UPDATE wrapped_key SET \(changes)")
        await #expect(throws: VaultError.keyInvalidated) { try await bench.get() }
        // Only the number moved: the parts are of the older one.
        try bench.tamper("UPDATE wrapped_key SET generation = 3")
        #expect(await isDamaged { _ = try await bench.get() })
    }

    @Test func anOlderSecretPutBackUnderANewKeyOpensNothing() async throws {
        let payload = try literal("payload")
        _ = try await bench.vault.replace(
            secret("new"), as: KeyName("key"), options: KeyOptions(), strength: .weak,
            isSimulated: false, grant: bench.finger(bench.purpose(of: "key")), at: 0)
        try bench.tamper("UPDATE wrapped_key SET payload = \(payload)")
        #expect(await isDamaged { _ = try await bench.get() })
        #expect(await isDamaged { _ = try await bench.getWithPin() })
    }

    // MARK: Rows

    private static func literal(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef")
        return "x'" + String(bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }) + "'"
    }

    private func literal(_ column: String) throws -> String {
        Self.literal(try bench.blob(column, of: "wrapped_key"))
    }

    private func number(_ column: String) throws -> String {
        String(
            decoding: try bench.blob("CAST(CAST(\(column) AS TEXT) AS BLOB)", of: "wrapped_key"),
            as: UTF8.self)
    }
}
