import Testing
import WhorlBiometrics

@testable import WhorlKeys

struct RevocationTests {
    private let subject = VaultBench.subject
    private let bench: VaultBench
    private let recoveryKey: String

    init() async throws {
        bench = try await VaultBench.open(setUp: false)
        recoveryKey = try await bench.setUp()
        try await bench.enroll()
        try await bench.enroll(.leftThumb, "other")
        try await bench.put(as: "either")
        try await bench.put(as: "finger", access: .biometryAny, hasRecovery: false)
        try await bench.put(as: "finger and recovery", access: .biometryCurrentSet)
        try await bench.put(
            as: "both", access: .biometryAny.and(.deviceCredential), hasRecovery: false)
        try await bench.put(as: "pin", access: .deviceCredential, hasRecovery: false)
    }

    @discardableResult
    private func revoke() async throws -> ConsentRevocation {
        try await bench.vault.revokeConsent(
            bench.credential(.changeConsent), at: 1_700_001_000)
    }

    @Test func whatWouldGoIsWhatGoes() async throws {
        let before = try await bench.vault.revocation(of: subject)
        #expect(Set(before.fingers) == [.rightIndexFinger, .leftThumb])
        #expect(before.deletedKeys.map(\.text) == ["both", "finger"])
        #expect(before.keptKeys.map(\.text) == ["either", "finger and recovery", "pin"])
        #expect(try await revoke() == before)
        let consent = try await bench.vault.consent(of: subject, at: 1_700_001_000)
        #expect(consent == .revoked(at: 1_700_001_000))
        #expect(try await bench.vault.enrollment(of: subject).prints.isEmpty)
        let keys = try await bench.vault.keys(of: subject)
        #expect(keys.map(\.name.text) == ["either", "finger and recovery", "pin"])
        #expect(keys.map(\.state) == [.fingerDead, .recoveryOnly, .open])
    }

    @Test func theGenerationMovesAndFingersOpenNothing() async throws {
        let generation = try await bench.vault.enrollment(of: subject).generation
        try await revoke()
        let now = try await bench.vault.enrollment(of: subject)
        #expect(now.generation == generation + 1)
        let disabled = VaultError.authentication(.disabledByPolicy)
        let grant = try await bench.finger(bench.purpose(of: "either"))
        #expect(await bench.refusal(opening: "either", grant) == disabled)
        await #expect(throws: disabled) { try await bench.enroll() }
        await #expect(throws: disabled) { try await bench.put(as: "new") }
    }

    @Test func theOtherWaysStayAsTheyWere() async throws {
        try await revoke()
        #expect(try await bench.getWithPin("either") == "s3cret")
        #expect(try await bench.getWithPin("pin") == "s3cret")
        let opened = try await bench.vault.open(
            KeyName("finger and recovery"),
            grant: bench.recovery(bench.purpose(of: "finger and recovery"), recoveryKey))
        #expect(text(opened) == "s3cret")
    }

    @Test func theRecoveryKeyRevokesToo() async throws {
        let done = try await bench.vault.revokeConsent(
            bench.recovery(.changeConsent, recoveryKey), at: 0)
        #expect(done.deletedKeys.count == 2)
        #expect(try await !bench.vault.permitsFingers(subject))
    }

    @Test func aFingerDoesNotRevoke() async throws {
        for purpose in [GrantPurpose.changeConsent, .changeEnrollment] {
            await #expect(throws: VaultError.self) {
                try await bench.vault.revokeConsent(bench.finger(purpose), at: 0)
            }
        }
        await #expect(throws: VaultError.self) {
            try await bench.vault.revokeConsent(bench.nothing(.changeConsent), at: 0)
        }
        #expect(try await bench.get("either") == "s3cret")
    }

    @Test func aSecondRevocationChangesNothing() async throws {
        try await revoke()
        let generation = try await bench.vault.enrollment(of: subject).generation
        let again = try await bench.vault.revokeConsent(
            bench.credential(.changeConsent), at: 1_800_000_000)
        #expect(again.fingers.isEmpty && again.deletedKeys.isEmpty)
        #expect(again.keptKeys.count == 3)
        #expect(try await bench.vault.enrollment(of: subject).generation == generation)
        let consent = try await bench.vault.consent(of: subject, at: 1_800_000_000)
        #expect(consent == .revoked(at: 1_700_001_000))
    }

    @Test func aNoAfterARevocationLeavesItAsItIs() async throws {
        try await revoke()
        let consent = try await bench.vault.declineConsent(subject, at: 1_800_000_000)
        #expect(consent == .revoked(at: 1_700_001_000))
    }

    @Test func consentGivenAgainBringsFingersBackWhereAKeyIsRenewed() async throws {
        try await revoke()
        await #expect(throws: VaultError.self) {
            try await bench.vault.giveConsent(bench.nothing(.changeConsent), at: 0)
        }
        try await bench.vault.giveConsent(bench.credential(.changeConsent), at: 1_700_002_000)
        let consent = try await bench.vault.consent(of: subject, at: 1_700_002_000)
        #expect(consent == .given(at: 1_700_002_000))
        await #expect(throws: VaultError.alreadySetUp) {
            try await bench.vault.giveConsent(bench.credential(.changeConsent), at: 0)
        }
        try await bench.enroll()
        // The same finger, but its way is gone until the owner brings it back.
        let grant = try await bench.finger(bench.purpose(of: "either"))
        #expect(await bench.refusal(opening: "either", grant) == .keyInvalidated)
        _ = try await bench.vault.renewKeys(
            [KeyName("either")], grant: bench.credential(.renewKeys))
        #expect(try await bench.get("either") == "s3cret")
    }

    @Test func aKeyRenewedWhileRevokedGetsNoFingersWay() async throws {
        try await revoke()
        _ = try await bench.vault.renewKeys(nil, grant: bench.credential(.renewKeys))
        try await bench.vault.giveConsent(bench.credential(.changeConsent), at: 0)
        try await bench.enroll()
        let grant = try await bench.finger(bench.purpose(of: "either"))
        #expect(await bench.refusal(opening: "either", grant) == .keyInvalidated)
    }
}
