import Testing
import WhorlBiometrics
import WhorlSecrets

@testable import WhorlKeys

struct CredentialTests {
    private func isDamaged(_ body: () async throws -> Void) async -> Bool {
        do {
            try await body()
            return false
        } catch VaultError.damaged { return true } catch { return false }
    }

    @Test func nobodyIsSetUpAtFirst() async throws {
        let bench = try await VaultBench.open(setUp: false)
        #expect(try await !bench.vault.isSetUp(VaultBench.subject))
        #expect(try await bench.vault.consent(of: VaultBench.subject, at: 0) == .notAsked)
        await #expect(throws: VaultError.notSetUp) { _ = try await bench.proof() }
        await #expect(throws: VaultError.notSetUp) {
            try await bench.put(access: .deviceCredential)
        }
        let enrollment = try await bench.vault.enrollment(of: VaultBench.subject)
        #expect(enrollment.generation == 0)
        #expect(!enrollment.isPending)
        #expect(enrollment.prints.isEmpty)
        await #expect(throws: VaultError.notSetUp) {
            try await bench.vault.beginEnrollment(VaultBench.subject)
        }
    }

    @Test func settingUpRecordsTheConsentAndGivesTheRecoveryKeyOnce() async throws {
        let bench = try await VaultBench.open(setUp: false)
        let written = try await bench.setUp()
        #expect(try await bench.vault.isSetUp(VaultBench.subject))
        let consent = try await bench.vault.consent(of: VaultBench.subject, at: 1_700_000_000)
        #expect(consent == .given(at: 1_700_000_000))
        let key = try RecoveryKeyForm.read(secret(written))
        #expect(!bench.files().holds(revealed(key)))
        #expect(!bench.files().holds(written.utf8))
        #expect(!bench.files().holds(VaultBench.pin.utf8))
        let again = try await bench.reopened()
        #expect(try await again.vault.isSetUp(VaultBench.subject))
    }

    @Test func aSecondTimeIsRefused() async throws {
        let bench = try await VaultBench.open()
        await #expect(throws: VaultError.alreadySetUp) { try await bench.setUp(pin: "new pin") }
        _ = try await bench.proof()
    }

    @Test func aPinThatBreaksARuleSetsNobodyUp() async throws {
        let bench = try await VaultBench.open(setUp: false)
        for pin in ["12345", "111111", "123456", String(repeating: "ab", count: 513)] {
            await #expect(throws: VaultError.self) { try await bench.setUp(pin: pin) }
        }
        #expect(try await !bench.vault.isSetUp(VaultBench.subject))
    }

    @Test func aRecoveryKeyThatCannotBeDeliveredSetsNobodyUp() async throws {
        let bench = try await VaultBench.open(setUp: false)
        await #expect(throws: VaultError.storage("no paper")) {
            try await bench.vault.setUp(
                VaultBench.subject, pin: held(VaultBench.pin), consentAt: 0
            ) { (_) throws(VaultError) in throw .storage("no paper") }
        }
        #expect(try await !bench.vault.isSetUp(VaultBench.subject))
    }

    @Test func theRightPinIsProvedAndAWrongOneIsNot() async throws {
        let bench = try await VaultBench.open()
        #expect(try await bench.proof().subject == VaultBench.subject)
        for pin in ["wrong horse", "correct hors", "correct horse ", "Correct horse", ""] {
            await #expect(throws: VaultError.authentication(.wrongCredential)) {
                _ = try await bench.proof(pin: pin)
            }
        }
        _ = try await bench.reopened().proof()
    }

    @Test func aPinIsTakenOnce() async throws {
        let bench = try await VaultBench.open()
        let pin = try held(VaultBench.pin)
        _ = try await bench.vault.checkCredential(VaultBench.subject, pin: pin)
        await #expect(throws: VaultError.self) {
            _ = try await bench.vault.checkCredential(VaultBench.subject, pin: pin)
        }
    }

    @Test func subjectsHaveTheirOwnPins() async throws {
        let bench = try await VaultBench.open()
        let other = try Subject(name: "other")
        try await bench.setUp(other, pin: "another horse")
        await #expect(throws: VaultError.authentication(.wrongCredential)) {
            _ = try await bench.proof(other)
        }
        #expect(try await bench.proof(other, pin: "another horse").subject == other)
    }

    @Test(arguments: [
        "consent", "salt", "cost", "block_size", "parallelization", "credential", "recovery",
        "code", "version", "account", "consent_state", "disabled",
    ])
    func aChangedRecordIsDamage(column: String) async throws {
        let bench = try await VaultBench.open()
        try await bench.put(access: .deviceCredential)
        try bench.nudge(column, of: "subject")
        #expect(await isDamaged { _ = try await bench.proof() })
        #expect(await isDamaged { _ = try await bench.vault.isSetUp(VaultBench.subject) })
        #expect(await isDamaged { try await bench.put(as: "new", access: .deviceCredential) })
    }

    @Test func everyColumnOfTheRecordWasChangedAbove() async throws {
        let bench = try await VaultBench.open()
        #expect(
            try bench.columns(of: "subject") == [
                "name", "consent", "salt", "cost", "block_size", "parallelization", "credential",
                "recovery", "code", "version", "account", "consent_state", "disabled",
            ])
    }

    @Test(arguments: [
        "consent_state = 'revoked'", "consent_state = ''", "disabled = 1", "disabled = 2",
        "account = 'other'", "version = 1", "version = 3",
    ])
    func noValueOfAColumnIsTakenUnvouched(change: String) async throws {
        let bench = try await VaultBench.open()
        try bench.tamper("UPDATE subject SET \(change)")
        #expect(await isDamaged { _ = try await bench.vault.isSetUp(VaultBench.subject) })
    }

    @Test(arguments: [
        "cost = 1", "cost = 3", "cost = 1073741824", "cost = -2", "block_size = 0",
        "block_size = 9223372036854775807", "parallelization = 100000000",
    ])
    func anAbsurdAmountOfWorkIsRefusedUntried(change: String) async throws {
        let bench = try await VaultBench.open()
        try bench.tamper("UPDATE subject SET \(change)")
        #expect(await isDamaged { _ = try await bench.proof() })
    }

    @Test func oneSubjectsRecordIsNoUseToAnother() async throws {
        let bench = try await VaultBench.open()
        let other = try Subject(name: "other")
        try await bench.setUp(other, pin: "another horse")
        try bench.tamper("DELETE FROM subject WHERE name = 'uid:4711'")
        try bench.tamper("UPDATE subject SET name = 'uid:4711'")
        #expect(await isDamaged { _ = try await bench.proof(pin: "another horse") })
    }

    // Somebody who could write the file would else become the owner of what is there.
    @Test func aRecordTakenAwayIsNotSetUpAnew() async throws {
        let bench = try await VaultBench.open()
        try await bench.enroll()
        try bench.tamper("DELETE FROM subject")
        #expect(await isDamaged { try await bench.setUp(pin: "my own pin") })
        try bench.tamper("DELETE FROM enrollment")
        #expect(await isDamaged { try await bench.setUp(pin: "my own pin") })
        #expect(
            await isDamaged { _ = try await bench.vault.enrollment(of: VaultBench.subject) })
    }

    // The work of the shipped parameters, once: the other tests use cheap ones.
    @Test func theShippedWorkIsRecordedAndFound() async throws {
        let folder = try TemporaryFolder()
        let database = try await StoreDatabase.open(folder: folder.path, creating: true)
        let opened = try await Vault.open(database: database, timekeeper: ManualClock())
        try await opened.vault.setUp(
            VaultBench.subject, pin: held(VaultBench.pin), consentAt: 0
        ) { _ in }
        let bench = try await VaultBench.open(in: folder, setUp: false)
        _ = try await bench.proof()
        await #expect(throws: VaultError.authentication(.wrongCredential)) {
            _ = try await bench.proof(pin: "wrong horse")
        }
    }
}
