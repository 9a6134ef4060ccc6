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

    /// When a subject consented.
    ///
    /// - Returns: Seconds since 1970; nil where the subject is not set up.
    /// - Throws: ``VaultError/damaged(_:)``, ``VaultError/storeBusy``, ``VaultError/storage(_:)``.
    public func consent(of subject: Subject) throws(VaultError) -> Int64? {
        try record(of: subject)?.consent
    }

    /// Sets a subject up: the credential, the consent, the recovery key.
    ///
    /// - Parameters:
    ///   - subject: Who.
    ///   - pin: The PIN or passphrase, 6 to 1024 bytes.
    ///   - unixTime: When the subject consented, in seconds since 1970.
    ///   - deliver: Gets the recovery key as ``RecoveryKeyForm`` writes it, once, before anything is
    ///     kept. It is nowhere else; if this throws, nothing is set up.
    /// - Throws: ``VaultError/alreadySetUp``; ``VaultError/unacceptableCredential(_:)`` with the
    ///   rule that the PIN breaks; what `deliver` throws; ``VaultError/damaged(_:)`` where there is
    ///   something of a subject who was never set up; ``VaultError/storeBusy``,
    ///   ``VaultError/storage(_:)``.
    public func setUp(
        _ subject: Subject, pin: HeldSecret, consentAt unixTime: Int64,
        deliver: @Sendable (borrowing SecretBytes) async throws(VaultError) -> Void
    ) async throws(VaultError) {
        try checkIsNew(subject)
        guard let credential = pin.take() else { throw .internalError("a PIN was used twice") }
        try CredentialRule.check(credential, minimumCount: store.minimumCredentialCount)
        let salt = randomIdentifier()
        let derived = try await derivation().derive(
            from: HeldSecret(credential), salt: salt, parameters: scrypt)
        let object = try await store.makeCredential(from: derived, for: subject)
        let generation = try await store.firstGeneration(of: subject)
        let recoveryKey = try memory { () throws(SecretMemoryError) in
            try SecretBytes(randomCount: RecoveryKeyForm.keyCount)
        }
        let publicHalf = try Self.publicHalf(of: recoveryKey)
        try await deliver(Self.written(recoveryKey))
        let record = try SubjectRecord(
            subject: subject, consent: unixTime, salt: salt, parameters: scrypt,
            credential: object, recovery: publicHalf, authenticatedBy: storageKey)
        let enrollment = try EnrollmentRecord(
            subject: subject, generation: generation, isPending: false, prints: [],
            authenticatedBy: storageKey)
        try tables.database.transaction { () throws(VaultError) in
            try checkIsNew(subject)
            try tables.insert(record)
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
        return try SubjectRecord(row, of: subject, key: storageKey)
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

    private static func publicHalf(
        of recoveryKey: borrowing SecretBytes
    ) throws(VaultError) -> P256PublicKey {
        do throws(CryptoError) {
            return try RecoveryBranch.pair(of: recoveryKey).publicKey
        } catch {
            throw VaultError(error, in: "the recovery key")
        }
    }

    private static func written(
        _ recoveryKey: borrowing SecretBytes
    ) throws(VaultError) -> SecretBytes {
        do throws(RecoveryKeyError) {
            return try RecoveryKeyForm.write(recoveryKey)
        } catch {
            throw .internalError(error.message)
        }
    }
}
