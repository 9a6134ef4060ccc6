public import WhorlBiometrics
import WhorlKeys
public import WhorlSecrets

/// How things stand with a subject's store; what `status` shows.
public struct StoreReport: Sendable {
    /// Whether a credential is set and consent was given.
    public let isSetUp: Bool
    /// What was said to the use of fingers.
    public let consent: Consent
    /// Whether fingers are switched off.
    public let isDisabled: Bool
    /// What wraps the keys.
    public let storeKind: StoreKind
    /// The enrolment generation.
    public let generation: Int64
    /// Whether an enrolment was cut off: no finger opens anything until the credential was given.
    public let isEnrollmentPending: Bool
    /// Whether the store was put back from a copy, and no credential was given since; nil where
    /// nothing shows that.
    public let restoration: StoreRestoration?
    /// Whether failed attempts keep the fingers out.
    public let lockout: LockoutStatus
    /// Failed attempts since the last match or credential.
    public let failures: Int
    /// The fingers that are enrolled.
    public let fingers: [EnrolledFinger]
    /// The keys, by name.
    public let keys: [KeyInfo]
}

extension InProcessSession {
    /// Sets the credential, records consent, and hands out the recovery key.
    ///
    /// - Parameters:
    ///   - credential: The owner's PIN or passphrase, to be taken once.
    ///   - deliver: Gets the recovery key in its written form, once, before anything is kept; if it
    ///     throws, nothing is set up. The store keeps only what the key was derived to.
    /// - Throws: ``VaultError/unacceptableCredential(_:)`` for a PIN that breaks a rule,
    ///   ``VaultError/alreadySetUp`` a second time, and what `deliver` throws.
    public func setUp(
        credential: HeldSecret,
        deliver: @Sendable (borrowing SecretBytes) async throws(VaultError) -> Void
    ) async throws(VaultError) {
        try await authenticator.vault.setUp(
            subject, account: account, pin: credential,
            consentAt: authenticator.timekeeper.unixTime(), deliver: deliver)
    }

    /// Records that somebody who is not set up said no to the use of fingers.
    ///
    /// - Returns: The answer that stands.
    /// - Throws: ``VaultError/consentStands`` where it was yes, and ``VaultError`` where it cannot be
    ///   recorded.
    public func declineConsent() async throws(VaultError) -> Consent {
        try await authenticator.vault.declineConsent(
            subject, at: authenticator.timekeeper.unixTime())
    }

    /// How things stand.
    ///
    /// Nobody is asked, and nothing is armed.
    ///
    /// - Throws: ``VaultError`` where the store cannot be read.
    public func report() async throws(VaultError) -> StoreReport {
        let vault = authenticator.vault
        let ledger = authenticator.ledger
        let consent = try await vault.consent(
            of: subject, at: authenticator.timekeeper.unixTime())
        guard try await vault.isSetUp(subject) else {
            return StoreReport(
                isSetUp: false, consent: consent, isDisabled: false, storeKind: vault.storeKind,
                generation: 0, isEnrollmentPending: false, restoration: nil, lockout: .open,
                failures: 0, fingers: [], keys: [])
        }
        let enrollment = try await vault.enrollment(of: subject)
        return StoreReport(
            isSetUp: true, consent: consent, isDisabled: try await vault.isDisabled(subject),
            storeKind: vault.storeKind, generation: enrollment.generation,
            isEnrollmentPending: enrollment.isPending,
            restoration: try await vault.restoration(of: subject),
            lockout: try await ledger.lockout(of: subject, at: authenticator.timekeeper.now()),
            failures: try await ledger.failures(of: subject),
            fingers: try await fingers.list(), keys: try await vault.keys(of: subject))
    }
}
