import Testing
import WhorlBiometrics
import WhorlSecrets

@testable import WhorlKeys

struct BackupTests {
    private let bench: VaultBench
    private let written: String

    init() async throws {
        bench = try await VaultBench.open(setUp: false)
        written = try await bench.setUp()
        try await bench.enroll()
    }

    private func backup() async throws -> RecoverableKeys {
        try BackupFile.read(try await bench.vault.backUp(VaultBench.subject).contents)
    }

    // Another machine's store, with a finger.
    private func other(enrolled: Bool = true) async throws -> VaultBench {
        let other = try await VaultBench.open()
        if enrolled { try await other.enroll(.leftThumb, "theirs") }
        return other
    }

    private func restored(
        in bench: VaultBench, _ backup: RecoverableKeys, with key: String? = nil
    ) async throws -> KeyRestoration {
        try await bench.vault.restore(
            backup, with: held(key ?? written), for: VaultBench.subject)
    }

    // MARK: Refusals

    @Test func anotherRecoveryKeyRestoresNothing() async throws {
        try await bench.put()
        let other = try await VaultBench.open(setUp: false)
        let theirs = try await other.setUp()
        await #expect(throws: VaultError.authentication(.wrongRecoveryKey)) {
            try await restored(in: other, backup(), with: theirs)
        }
        #expect(try await other.vault.keys(of: VaultBench.subject).isEmpty)
    }

    @Test func aStoreThatIsNotSetUpTakesNothing() async throws {
        try await bench.put()
        let other = try await VaultBench.open(setUp: false)
        await #expect(throws: VaultError.notSetUp) { try await restored(in: other, backup()) }
    }

    @Test func aBackupHoldsNothingButWhatTheRecoveryKeyOpens() async throws {
        try await bench.put("with", as: "with")
        try await bench.put("without", as: "without", hasRecovery: false)
        let backup = try await bench.vault.backUp(VaultBench.subject)
        #expect(backup.keys == [try KeyName("with")])
        #expect(
            backup.leftOut == [UnrecoverableKey(name: "without", reason: .withoutRecovery)])
        #expect(!backup.contents.holds(Array("without".utf8)))
        for column in ["credential", "salt"] {
            #expect(!backup.contents.holds(try bench.blob(column, of: "subject")))
        }
        #expect(!backup.contents.holds(try bench.blob("sealed", of: "print")))
        #expect(
            !backup.contents.holds(
                try bench.blob("wrapped", of: "wrapped_key", where: "name = 'with'")))
        #expect(!backup.contents.holds(try #require(bench.temporary.contents(of: "storage.key"))))
    }

    @Test func aKeyThatWasChangedIsNotBackedUp() async throws {
        try await bench.put()
        try bench.nudge("access", of: "wrapped_key")
        await #expect {
            try await bench.vault.backUp(VaultBench.subject)
        } throws: { error in
            if case VaultError.damaged = error { true } else { false }
        }
    }

    @Test func whatThisStoreCannotKeepAsStrictlyIsNotRestored() async throws {
        try await bench.put("strict", as: "strict", access: .biometryAny.or(.deviceCredential))
        try await bench.put("plain", as: "plain", access: .deviceCredential)
        let other = try await other()
        // A machine with a TPM made the one.
        let strong = try await backup().asking(.strong, of: "strict")
        let restoration = try await restored(in: other, strong)
        #expect(restoration.restored.map(\.name.text) == ["plain"])
        #expect(
            restoration.failed == [
                KeyRestoration.Failure(
                    name: try KeyName("strict"), error: .authentication(.strengthNotReached))
            ])
    }

    @Test func aKeyForFingersOnlyWaitsForAFinger() async throws {
        try await bench.put("finger", as: "finger", access: .biometryAny)
        try await bench.put("either", as: "either")
        let other = try await other(enrolled: false)
        let first = try await restored(in: other, backup())
        #expect(first.restored.map(\.name.text) == ["either"])
        #expect(first.failed.map(\.error) == [.authentication(.notEnrolled)])
        try await other.enroll(.leftThumb, "theirs")
        let second = try await restored(in: other, backup())
        #expect(second.restored.map(\.name.text) == ["finger"])
        #expect(second.kept.map(\.text) == ["either"])
        #expect(try await other.get("finger") == "finger")
    }

    // MARK: Restoring

    @Test func aRestoredKeyIsTheOtherStoresOwn() async throws {
        try await bench.put("s3cret", as: "key")
        let before = try await bench.vault.keys(of: VaultBench.subject)
        let other = try await VaultBench.open(setUp: false)
        let theirs = try await other.setUp(pin: "another horse")
        try await other.enroll(.leftThumb, "theirs", pin: "another horse")
        let restoration = try await restored(in: other, backup())
        #expect(restoration.restored.map(\.name.text) == ["key"])
        #expect(restoration.failed.isEmpty && restoration.kept.isEmpty)
        let after = try #require(restoration.restored.first)
        #expect(after.created == before[0].created)
        #expect(after.access == before[0].access)
        #expect(after.minimumStrength == before[0].minimumStrength)
        #expect(after.state == .open)
        #expect(try await other.get() == "s3cret")
        #expect(try await other.getWithPin(pin: "another horse") == "s3cret")
        let again = try BackupFile.read(try await other.vault.backUp(VaultBench.subject).contents)
        #expect(text(try again.open(KeyName("key"), with: held(theirs))) == "s3cret")
        #expect(throws: VaultError.authentication(.wrongRecoveryKey)) {
            _ = try again.open(KeyName("key"), with: held(written))
        }
    }

    @Test func aSimulatedKeyStaysOne() async throws {
        try await bench.put("s3cret", as: "key", isSimulated: true)
        let other = try await other()
        let restoration = try await restored(in: other, backup())
        #expect(restoration.restored.map(\.isSimulated) == [true])
        #expect(
            await other.refusal(
                opening: "key", try await other.credential(other.purpose(of: "key")))
                == .authentication(.simulatedNotAllowed))
    }

    @Test func aNameThatIsTakenKeepsItsKeyAndTwiceIsHarmless() async throws {
        try await bench.put("old", as: "key")
        try await bench.put("new", as: "other")
        let other = try await other()
        try await other.put("theirs", as: "key")
        let first = try await restored(in: other, backup())
        #expect(first.restored.map(\.name.text) == ["other"])
        #expect(first.kept.map(\.text) == ["key"])
        #expect(try await other.get("key") == "theirs")
        let second = try await restored(in: other, backup())
        #expect(second.restored.isEmpty)
        #expect(second.kept.map(\.text) == ["key", "other"])
    }

    @Test func allIsRestoredOrNothing() async throws {
        for name in ["a", "b", "c"] { try await bench.put(name, as: name) }
        let other = try await other()
        // The last of the writes fails, as on a full disk.
        try other.tamper(
            """
            CREATE TRIGGER fails BEFORE INSERT ON wrapped_key WHEN NEW.name = 'c'
            BEGIN SELECT RAISE(ABORT, 'no'); END
            """)
        await #expect(throws: VaultError.self) { try await restored(in: other, backup()) }
        #expect(try await other.vault.keys(of: VaultBench.subject).isEmpty)
    }

    @Test func aBackupOpensWithTheRecoveryKeyAloneToo() async throws {
        try await bench.put("s3cret", as: "key")
        let folder = try TemporaryFolder()
        try folder.write(
            try await bench.vault.backUp(VaultBench.subject).contents, to: "backup", mode: 0o444)
        let keys = try #require(try await RecoveryFile.read("\(folder.path)/backup").first)
        #expect(keys.subject == VaultBench.subject)
        #expect(text(try keys.open(KeyName("key"), with: held(written))) == "s3cret")
        #expect(folder.names() == ["backup"])
    }
}

extension RecoverableKeys {
    /// The same with a key that asks for more, as a store that can do more would have made it.
    fileprivate func asking(_ strength: Strength, of name: String) throws -> RecoverableKeys {
        let keys = try keys.map { key in
            guard key.attributes.name.text == name else { return key }
            let old = key.attributes
            let new = KeyAttributes(
                vaultID: old.vaultID, subject: old.subject, id: old.id, name: old.name,
                kind: old.kind, store: .tpm, access: old.access, minimumStrength: strength,
                reuseSeconds: 0, isBootBound: false, hasRecovery: true, isSimulated: false,
                created: old.created, generation: old.generation)
            let payloadKey = try secret([UInt8](repeating: 7, count: 32))
            return RecoverableKey(
                attributes: new, branch: try RecoveryBranch.wrap(payloadKey, to: publicHalf, new),
                payload: try Payload.seal(secret(name), under: payloadKey, new))
        }
        return RecoverableKeys(
            vaultID: vaultID, subject: subject, publicHalf: publicHalf, keys: keys, leftOut: [])
    }
}
