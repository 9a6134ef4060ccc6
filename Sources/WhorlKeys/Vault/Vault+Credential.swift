public import WhorlBiometrics
import WhorlCrypto
public import WhorlSecrets

extension Vault {
    /// Whether a subject has a credential.
    ///
    /// - Throws: ``VaultError/damaged(_:)``, ``VaultError/storeBusy``, ``VaultError/storage(_:)``.
    public func isSetUp(_ subject: Subject) throws(VaultError) -> Bool {
        try record(of: subject) != nil
    }

    /// Refuses an account that only has the number of the one that a subject was.
    ///
    /// - Parameters:
    ///   - subject: Whose store is to be used.
    ///   - account: The name of the account that the subject is now; empty where there is none.
    /// - Throws: ``VaultError/otherAccount(_:)`` where it was set up under another name;
    ///   ``VaultError/damaged(_:)``, ``VaultError/storeBusy``, ``VaultError/storage(_:)``.
    public func checkAccount(_ subject: Subject, is account: String) throws(VaultError) {
        // Stores of the first version know no name.
        guard let record = try record(of: subject), !record.account.isEmpty,
            record.account != account
        else { return }
        throw .otherAccount(record.account)
    }

    /// Sets a subject up: the credential, the consent, the recovery key.
    ///
    /// - Parameters:
    ///   - subject: Who.
    ///   - account: The name of the account that the subject is; empty where there is none.
    ///   - pin: The PIN or passphrase, 6 to 1024 bytes.
    ///   - unixTime: When the subject consented, in seconds since 1970.
    ///   - deliver: Gets the recovery key as ``RecoveryKeyForm`` writes it, once, before anything is
    ///     kept. It is nowhere else; if this throws, nothing is set up.
    /// - Throws: ``VaultError/alreadySetUp``; ``VaultError/storeUnavailable(_:)`` where another
    ///   program reset the store meanwhile; ``VaultError/unacceptableCredential(_:)`` with the
    ///   rule that the PIN breaks; what `deliver` throws; ``VaultError/damaged(_:)`` where there is
    ///   something of a subject who was never set up; ``VaultError/storeBusy``,
    ///   ``VaultError/storage(_:)``.
    public func setUp(
        _ subject: Subject, account: String = "", pin: HeldSecret, consentAt unixTime: Int64,
        deliver: @Sendable (borrowing SecretBytes) async throws(VaultError) -> Void
    ) async throws(VaultError) {
        try checkIsNew(subject)
        let derived = try await derive(fromNew: pin)
        let object = try await store.makeCredential(from: derived.secret, for: subject)
        let generation = try await store.firstGeneration(of: subject)
        let publicHalf = try await newRecoveryKey(deliver)
        let record = try SubjectRecord(
            subject: subject, account: account, consentAt: unixTime, salt: derived.salt,
            parameters: derived.parameters, credential: object, recovery: publicHalf
        ).authenticated(by: storageKey)
        let enrollment = try EnrollmentRecord(
            subject: subject, generation: generation, isPending: false, prints: [],
            authenticatedBy: storageKey)
        try tables.database.transaction { () throws(VaultError) in
            try checkIsThere()
            try checkIsNew(subject)
            try tables.removeDeclinedConsent(of: subject)
            try tables.write(record)
            try tables.write(enrollment)
        }
    }

    /// Checks a PIN or passphrase, which takes a tenth of a second or so on a thread of its own.
    ///
    /// Nothing here counts or throttles; the authenticator does that before it calls.
    ///
    /// - Parameters:
    ///   - subject: Whose.
    ///   - pin: What was given.
    /// - Returns: The proof that it is right.
    /// - Throws: ``VaultError/authentication(_:)`` with ``AuthenticationError/wrongCredential``;
    ///   ``VaultError/notSetUp``; ``VaultError/damaged(_:)``, ``VaultError/storeBusy``,
    ///   ``VaultError/storage(_:)``.
    public func checkCredential(
        _ subject: Subject, pin: HeldSecret
    ) async throws(VaultError) -> CredentialProof {
        let record = try existingRecord(of: subject)
        let derived = try await derivation().derive(
            from: pin, salt: record.salt, parameters: record.parameters)
        let secret = try await store.checkCredential(
            derived, against: record.credential, of: subject)
        return CredentialProof(subject: subject, secret: secret)
    }

    func record(of subject: Subject) throws(VaultError) -> SubjectRecord? {
        guard let row = try tables.subject(subject) else { return nil }
        do throws(VaultError) {
            return try SubjectRecord(row, of: subject, key: storageKey)
        } catch {
            // It may be in order, and under the key of a vault that was made since.
            try checkIsThere()
            throw error
        }
    }

    func existingRecord(of subject: Subject) throws(VaultError) -> SubjectRecord {
        guard let record = try record(of: subject) else { throw .notSetUp }
        return record
    }

    // Somebody could take a subject's row away to set the same name up again with a PIN of their
    // own; what belongs to that name must not become theirs.
    private func checkIsNew(_ subject: Subject) throws(VaultError) {
        guard try record(of: subject) == nil else { throw .alreadySetUp }
        guard try !tables.hasBelongings(subject) else {
            throw .damaged("the record of \(subject) is missing")
        }
    }

    /// Checks the rules for a new PIN or passphrase.
    ///
    /// - Parameter pin: What the person chose; it is taken.
    /// - Returns: The same.
    /// - Throws: ``VaultError/unacceptableCredential(_:)`` with the rule that it breaks.
    public func acceptable(_ pin: HeldSecret) throws(VaultError) -> HeldSecret {
        guard let credential = pin.take() else { throw .internalError("a PIN was used twice") }
        try CredentialRule.check(credential, minimumCount: store.minimumCredentialCount)
        return HeldSecret(credential)
    }

    /// Checks the rules for a new PIN and derives from it, on a thread of its own.
    func derive(fromNew pin: HeldSecret) async throws(VaultError) -> DerivedCredential {
        let pin = try acceptable(pin)
        return try await derivation().derive(fromNew: pin, costing: scrypt)
    }
}
