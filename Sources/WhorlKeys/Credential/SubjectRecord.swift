import WhorlBiometrics
import WhorlCrypto

/// What the store keeps of a subject who is set up.
///
/// It is authenticated as a whole: nobody without the storage key can put another public half in,
/// to which secrets would then be wrapped.
struct SubjectRecord {
    /// What a subject said about their fingers.
    enum Consent: String {
        case given
        case revoked
    }

    /// The version that is written; what version 1 did not know has its default in one.
    private static let version: Int64 = 2

    let subject: Subject
    /// The account that the subject was, by name; empty where nobody knows.
    var account = ""
    var consent: Consent
    /// When the owner said so, in seconds since 1970.
    var consentAt: Int64
    /// Whether fingers are switched off.
    var isDisabled = false
    var salt: [UInt8]
    var parameters: ScryptParameters
    /// The key store's object for the credential.
    var credential: [UInt8]
    /// The public half of the recovery key.
    var recovery: P256PublicKey
    private(set) var code: [UInt8] = []

    /// A record to be written, once it is ``authenticated(by:)``.
    init(
        subject: Subject, account: String, consentAt: Int64, salt: [UInt8],
        parameters: ScryptParameters, credential: [UInt8], recovery: P256PublicKey
    ) {
        self.subject = subject
        self.account = account
        consent = .given
        self.consentAt = consentAt
        self.salt = salt
        self.parameters = parameters
        self.credential = credential
        self.recovery = recovery
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
        guard let consent = Consent(rawValue: row.consentState), (0...1).contains(row.disabled)
        else { throw .damaged("\(words) was changed") }
        recovery = try crypto(words) { () throws(CryptoError) in
            try P256PublicKey(uncompressed: row.recovery)
        }
        self.subject = subject
        account = row.account
        self.consent = consent
        consentAt = row.consent
        isDisabled = row.disabled == 1
        salt = row.salt
        credential = row.credential
        code = row.code
        try key.check(code, of: try message(key, version: row.version), naming: words)
    }

    /// Whether fingers may open anything.
    var permitsFingers: Bool { consent == .given && !isDisabled }

    /// The record as it is to be written.
    func authenticated(by key: StorageKey) throws(VaultError) -> SubjectRecord {
        var record = self
        record.code = try key.authenticationCode(for: message(key, version: Self.version))
        return record
    }

    var row: VaultTables.SubjectRow {
        VaultTables.SubjectRow(
            version: Self.version, account: account, consentState: consent.rawValue,
            consent: consentAt, disabled: isDisabled ? 1 : 0, salt: salt,
            cost: Int64(parameters.cost), blockSize: Int64(parameters.blockSize),
            parallelization: Int64(parameters.parallelization), credential: credential,
            recovery: recovery.uncompressed, code: code)
    }

    private func message(_ key: StorageKey, version: Int64) throws(VaultError) -> CanonicalBytes {
        var bytes: CanonicalBytes
        switch version {
        case 1:
            // Nothing vouches in such a row for what version 1 did not know.
            guard account.isEmpty, consent == .given, !isDisabled else {
                throw .damaged("the record of \(subject) was changed")
            }
            bytes = CanonicalBytes("whorl/subject/1")
        case 2:
            bytes = CanonicalBytes("whorl/subject/2")
            bytes.append(account)
            bytes.append(consent.rawValue)
            bytes.append(isDisabled)
        default: throw .damaged("the record of \(subject) was changed")
        }
        bytes.append(key.vaultID)
        bytes.append(subject.name)
        bytes.append(consentAt)
        bytes.append(salt)
        bytes.append(Int64(parameters.cost))
        bytes.append(Int64(parameters.blockSize))
        bytes.append(Int64(parameters.parallelization))
        bytes.append(credential)
        bytes.append(recovery.uncompressed)
        return bytes
    }
}
