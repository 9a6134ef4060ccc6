import Testing
import WhorlBiometrics

@testable import WhorlKeys

struct ConsentTests {
    private let subject = VaultBench.subject
    private let disabled = VaultError.authentication(.disabledByPolicy)

    // MARK: Declining

    @Test func aNoIsRememberedForThirtyDays() async throws {
        let bench = try await VaultBench.open(setUp: false)
        let declined = try await bench.vault.declineConsent(subject, at: 1000)
        #expect(declined == .declined(at: 1000))
        let end: Int64 = 1000 + 30 * 24 * 60 * 60
        #expect(declined.until == end)
        let again = try await bench.reopened().vault
        #expect(try await again.consent(of: subject, at: end - 1) == declined)
        #expect(try await again.consent(of: subject, at: end) == .notAsked)
        #expect(try await again.consent(of: Subject(uid: 1), at: 1000) == .notAsked)
    }

    @Test func aYesAfterANoCounts() async throws {
        let bench = try await VaultBench.open(setUp: false)
        _ = try await bench.vault.declineConsent(subject, at: 1_700_000_000)
        try await bench.setUp()
        let consent = try await bench.vault.consent(of: subject, at: 1_700_000_000)
        #expect(consent == .given(at: 1_700_000_000))
        #expect(!bench.files().isEmpty)
    }

    @Test func aNoTakesNoYesBack() async throws {
        let bench = try await VaultBench.open()
        await #expect(throws: VaultError.consentStands) {
            try await bench.vault.declineConsent(subject, at: 1_800_000_000)
        }
        let consent = try await bench.vault.consent(of: subject, at: 1_800_000_000)
        #expect(consent == .given(at: 1_700_000_000))
    }

    // MARK: Switching off

    @Test func fingersThatAreSwitchedOffOpenNothingAndThePinDoes() async throws {
        let bench = try await VaultBench.open()
        try await bench.enroll()
        try await bench.put()
        try await bench.vault.disableFingers(of: subject)
        try await bench.vault.disableFingers(of: subject)
        let again = try await bench.reopened()
        #expect(try await again.vault.isDisabled(subject))
        #expect(try await !again.vault.permitsFingers(subject))
        let grant = try await again.finger(again.purpose(of: "key"))
        #expect(await again.refusal(opening: "key", grant) == disabled)
        #expect(try await again.getWithPin() == "s3cret")
        await #expect(throws: disabled) { try await again.enroll(.leftThumb) }
        #expect(try await again.vault.enrollment(of: subject).prints.count == 1)
    }

    @Test func fingersAreSwitchedOnWithThePinOnly() async throws {
        let bench = try await VaultBench.open()
        try await bench.enroll()
        try await bench.put()
        try await bench.vault.disableFingers(of: subject)
        await #expect(throws: VaultError.self) {
            try await bench.vault.enableFingers(bench.finger(.changeConsent))
        }
        await #expect(throws: VaultError.self) {
            try await bench.vault.enableFingers(bench.nothing(.changeConsent))
        }
        await #expect(throws: VaultError.self) {
            try await bench.vault.enableFingers(bench.credential(.changeEnrollment))
        }
        #expect(try await bench.vault.isDisabled(subject))
        try await bench.vault.enableFingers(bench.credential(.changeConsent))
        #expect(try await bench.get() == "s3cret")
    }

    @Test func anEnrolmentThatIsUnderWayEndsInNothing() async throws {
        let bench = try await VaultBench.open()
        try await bench.vault.beginEnrollment(subject)
        try await bench.vault.disableFingers(of: subject)
        await #expect(throws: disabled) {
            try await bench.vault.commitEnrollment(
                finger: .leftThumb, print: print("own"), reader: VaultBench.reader,
                isSimulated: false, keys: .drop, grant: bench.credential(.changeEnrollment), at: 0)
        }
        #expect(try await bench.vault.enrollment(of: subject).prints.isEmpty)
    }

    @Test(arguments: ["disabled", "consent", "consent_state", "account"])
    func whoChangesTheRecordInTheFileSwitchesNothingOn(column: String) async throws {
        let bench = try await VaultBench.open()
        try await bench.enroll()
        try await bench.put()
        try await bench.vault.disableFingers(of: subject)
        try bench.nudge(column, of: "subject")
        let grant = try await bench.finger(bench.purpose(of: "key"))
        let refusal = await bench.refusal(opening: "key", grant)
        guard case .damaged = refusal else {
            Issue.record("not refused as damaged: \(String(describing: refusal))")
            return
        }
    }

    // MARK: Accounts

    @Test func anAccountOfAnotherNameIsRefused() async throws {
        let bench = try await VaultBench.open(setUp: false)
        try await bench.vault.checkAccount(subject, is: "ada")
        try await bench.vault.setUp(
            subject, account: "ada", pin: held(VaultBench.pin), consentAt: 0
        ) { _ in }
        try await bench.vault.checkAccount(subject, is: "ada")
        for other in ["bob", "", "Ada"] {
            await #expect(throws: VaultError.otherAccount("ada")) {
                try await bench.vault.checkAccount(subject, is: other)
            }
        }
        try bench.tamper("UPDATE subject SET account = 'bob'")
        await #expect(throws: VaultError.self) {
            try await bench.vault.checkAccount(subject, is: "bob")
        }
    }

    @Test func aStoreThatKnowsNoNameIsAnybodysWhoHasTheNumber() async throws {
        let bench = try await VaultBench.open()
        try await bench.vault.checkAccount(subject, is: "ada")
    }
}
