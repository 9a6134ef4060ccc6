import WhorlBiometrics
import WhorlCrypto

/// What the store keeps of a subject who is set up.
///
/// It is authenticated as a whole: nobody without the storage key can put another public half in,
/// to which secrets would then be wrapped.
struct SubjectRecord {
    let subject: Subject
    /// When the owner consented, in seconds since 1970.
    let consent: Int64
    let salt: [UInt8]
    let parameters: ScryptParameters
    /// The key store's object for the credential.
    let credential: [UInt8]
    /// The public half of the recovery key.
    let recovery: P256PublicKey
    let code: [UInt8]

    /// A record to be written.
    init(
        subject: Subject, consent: Int64, salt: [UInt8], parameters: ScryptParameters,
        credential: [UInt8], recovery: P256PublicKey, authenticatedBy key: StorageKey
    ) throws(VaultError) {
        let message = Self.message(
            key, subject, consent, salt, parameters, credential, recovery.uncompressed)
        self.subject = subject
        self.consent = consent
        self.salt = salt
        self.parameters = parameters
        self.credential = credential
        self.recovery = recovery
        code = try key.authenticationCode(for: message)
    }

    /// A record that was read.
    ///
    /// - Throws: ``VaultError/damaged(_:)`` if it is not as it was written.
    init(_ row: VaultTables.SubjectRow, of subject: Subject, key: StorageKey) throws(VaultError) {
        let words = "the record of \(subject)"
        parameters = try crypto(words) { () throws(CryptoError) in
            guard let cost = Int(exactly: row.cost), let blockSize = Int(exactly: row.blockSize),
                let parallelization = Int(exactly: row.parallelization)
            else { throw .badParameters }
            return try ScryptParameters(
                cost: cost, blockSize: blockSize, parallelization: parallelization)
        }
        let message = Self.message(
            key, subject, row.consent, row.salt, parameters, row.credential, row.recovery)
        try key.check(row.code, of: message, naming: words)
        recovery = try crypto(words) { () throws(CryptoError) in
            try P256PublicKey(uncompressed: row.recovery)
        }
        self.subject = subject
        consent = row.consent
        salt = row.salt
        credential = row.credential
        code = row.code
    }

    private static func message(
        _ key: StorageKey, _ subject: Subject, _ consent: Int64, _ salt: [UInt8],
        _ parameters: ScryptParameters, _ credential: [UInt8], _ recovery: [UInt8]
    ) -> CanonicalBytes {
        var bytes = CanonicalBytes("whorl/subject/1")
        bytes.append(key.vaultID)
        bytes.append(subject.name)
        bytes.append(consent)
        bytes.append(salt)
        bytes.append(Int64(parameters.cost))
        bytes.append(Int64(parameters.blockSize))
        bytes.append(Int64(parameters.parallelization))
        bytes.append(credential)
        bytes.append(recovery)
        return bytes
    }
}
