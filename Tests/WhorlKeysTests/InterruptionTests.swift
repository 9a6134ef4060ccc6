import Synchronization
import Testing
import WhorlBiometrics

@testable import WhorlKeys

/// What happens when something else happens while the vault waits for its key store.
struct InterruptionTests {
    private let bench: VaultBench
    private let store: InterruptedStore
    private let subject = VaultBench.subject

    init() async throws {
        let made = Mutex<InterruptedStore?>(nil)
        bench = try await VaultBench.open { key in
            let store = InterruptedStore(key)
            made.withLock { $0 = store }
            return store
        }
        store = try #require(made.withLock { $0 })
        try await bench.enroll()
    }

    private func interrupt(
        _ step: InterruptedStore.Step, _ body: @escaping @Sendable () async throws -> Void
    ) {
        store.interrupt(step) { () throws(VaultError) in
            do { try await body() } catch let error as VaultError { throw error } catch {
                throw .internalError("the interruption failed")
            }
        }
    }

    @Test func aKeyPutWhileTheEnrolmentChangesIsRefused() async throws {
        interrupt(.wrap) { [bench] in try await bench.enroll(.leftThumb, "other") }
        await #expect(throws: VaultError.authentication(.enrollmentChanged)) {
            try await bench.put()
        }
        #expect(try await bench.vault.keys(of: subject).isEmpty)
    }

    @Test func aKeyPutWhileAnEnrolmentBeginsIsRefused() async throws {
        interrupt(.wrap) { [bench] in try await bench.vault.beginEnrollment(VaultBench.subject) }
        await #expect(throws: VaultError.authentication(.enrollmentChanged)) {
            try await bench.put()
        }
    }

    @Test func aKeyForThePinMayBePutMeanwhile() async throws {
        interrupt(.wrap) { [bench] in try await bench.enroll(.leftThumb, "other") }
        try await bench.put(access: .deviceCredential)
        #expect(try await bench.getWithPin() == "s3cret")
    }

    @Test func ofTwoKeysPutAtOnceUnderOneNameOneIsKept() async throws {
        interrupt(.wrap) { [bench] in try await bench.put("first") }
        await #expect(throws: VaultError.keyExists) { try await bench.put("second") }
        #expect(try await bench.get() == "first")
    }

    @Test func aKeyRemovedWhileItIsReplacedStaysAway() async throws {
        try await bench.put()
        let purpose = try await bench.purpose(of: "key")
        interrupt(.wrap) { [bench] in
            try await bench.vault.remove(KeyName("key"), grant: bench.finger(purpose))
        }
        await #expect(throws: VaultError.noSuchKey) {
            _ = try await bench.vault.replace(
                secret("new"), as: KeyName("key"), options: KeyOptions(), strength: .weak,
                isSimulated: false, grant: bench.finger(purpose), at: 0)
        }
        #expect(try await bench.vault.keys(of: subject).isEmpty)
    }

    @Test func aKeyRemovedWhileItIsCarriedStaysAway() async throws {
        try await bench.put()
        let purpose = try await bench.purpose(of: "key")
        interrupt(.advance) { [bench] in
            try await bench.vault.remove(KeyName("key"), grant: bench.credential(purpose))
        }
        let change = try await bench.enroll(.leftThumb, "other", keys: .carry)
        #expect(change.deadKeys.isEmpty)
        #expect(try await bench.vault.keys(of: subject).isEmpty)
    }

    @Test func aKeyPutWhileOthersAreCarriedIsRefusedSinceTheMarkStands() async throws {
        try await bench.put()
        interrupt(.carry) { [bench] in
            await #expect(throws: VaultError.authentication(.stepUpDue)) {
                try await bench.put(as: "late")
            }
        }
        try await bench.enroll(.leftThumb, "other", keys: .carry)
        #expect(try await bench.get() == "s3cret")
    }

    @Test func anEnrolmentThatChangedUnderAnotherIsRefused() async throws {
        interrupt(.advance) { [bench] in
            try await bench.vault.abandonEnrollment(VaultBench.subject)
        }
        await #expect(throws: VaultError.authentication(.enrollmentChanged)) {
            try await bench.enroll(.leftThumb, "other")
        }
        #expect(try await bench.vault.enrollment(of: subject).prints.count == 1)
    }

    // The counter of a TPM may have moved or not: nobody knows, so the mark must stand.
    @Test func aGenerationThatDoesNotMoveLeavesTheMarkAndTheOldSet() async throws {
        try await bench.put()
        interrupt(.advance) { throw VaultError.storeUnavailable("the TPM is gone") }
        await #expect(throws: VaultError.storeUnavailable("the TPM is gone")) {
            try await bench.enroll(.leftThumb, "other")
        }
        let state = try await bench.vault.enrollment(of: subject)
        #expect(state.isPending)
        #expect(state.generation == 2)
        #expect(state.prints.count == 1)
        await #expect(throws: VaultError.authentication(.stepUpDue)) { try await bench.get() }
        _ = try await bench.vault.resolvePendingEnrollment(bench.credential(.changeEnrollment))
        #expect(try await bench.vault.enrollment(of: subject).generation == 3)
    }

    @Test func aKeyThatCannotBeCarriedKeepsTheOldSet() async throws {
        try await bench.put()
        interrupt(.carry) { throw VaultError.storeUnavailable("the TPM is gone") }
        await #expect(throws: VaultError.storeUnavailable("the TPM is gone")) {
            try await bench.enroll(.leftThumb, "other", keys: .carry)
        }
        #expect(try await bench.vault.enrollment(of: subject).prints.count == 1)
        try await bench.vault.abandonEnrollment(subject)
        #expect(try await bench.get() == "s3cret")
    }

    @Test func aKeyOpensAsItWasWhenItWasAdmitted() async throws {
        try await bench.put("old", access: .biometryAny)
        let purpose = try await bench.purpose(of: "key")
        interrupt(.unwrap) { [bench] in
            try await bench.vault.remove(KeyName("key"), grant: bench.finger(purpose))
        }
        #expect(try await bench.get() == "old")
    }

    @Test func aKeyThatAppearsWhileConsentIsRevokedStopsThat() async throws {
        try await bench.put()
        interrupt(.advance) { [bench] in try await bench.put(as: "late") }
        await #expect(throws: VaultError.storeBusy) {
            try await bench.vault.revokeConsent(bench.credential(.changeConsent), at: 0)
        }
        #expect(try await bench.get() == "s3cret")
        #expect(try await bench.get("late") == "s3cret")
    }

    @Test func fingersSwitchedOffWhileOneIsEnrolledKeepItOut() async throws {
        interrupt(.advance) { [bench, subject] in
            try await bench.vault.disableFingers(of: subject)
        }
        await #expect(throws: VaultError.authentication(.disabledByPolicy)) {
            try await bench.enroll(.leftThumb, "other")
        }
        #expect(try await bench.vault.enrollment(of: subject).prints.count == 1)
    }

    @Test func aKeyPutWhileTheStoreIsResetComesToNothing() async throws {
        interrupt(.wrap) { [bench] in
            _ = try await bench.vault.reset(bench.nothing(.reset)) { _ in }
        }
        await #expect(throws: VaultError.notSetUp) { try await bench.put() }
        #expect(try await bench.vault.contents(of: subject).keys.isEmpty)
    }

    private func backup(
        of names: [String]
    ) async throws -> (keys: RecoverableKeys, written: String) {
        let other = try await VaultBench.open(setUp: false)
        let written = try await other.setUp()
        for name in names { try await other.put(name, as: name, access: .deviceCredential) }
        let contents = try await other.vault.backUp(VaultBench.subject).contents
        return (try BackupFile.read(contents), written)
    }

    @Test func fingersThatChangeWhileABackupIsRestoredStopIt() async throws {
        let backup = try await backup(of: ["key"])
        interrupt(.wrap) { [bench] in try await bench.enroll(.leftThumb, "other") }
        await #expect(throws: VaultError.authentication(.enrollmentChanged)) {
            try await bench.vault.restore(
                backup.keys, with: held(backup.written), for: subject)
        }
        #expect(try await bench.vault.keys(of: subject).isEmpty)
    }

    @Test func aNameTakenWhileABackupIsRestoredKeepsItsKey() async throws {
        let backup = try await backup(of: ["first", "second"])
        interrupt(.wrap) { [bench] in try await bench.put("mine", as: "second") }
        let restoration = try await bench.vault.restore(
            backup.keys, with: held(backup.written), for: subject)
        #expect(restoration.restored.map(\.name.text) == ["first"])
        #expect(restoration.kept.map(\.text) == ["second"])
        #expect(try await bench.get("second") == "mine")
    }
}
