public import WhorlBiometrics
import WhorlCrypto
import WhorlDatabase

extension Vault {
    /// The number of bytes of a digest that a key signs: SHA-256.
    public static let digestCount = SHA256.digestCount

    /// Makes a signing key under a new name.
    ///
    /// The private half is made by the key store. The recovery key does not open it.
    ///
    /// - Parameters:
    ///   - name: The new name.
    ///   - subject: Whose key it is.
    ///   - options: Who may sign with it, and how.
    ///   - strength: The least strength of a finger; nil exactly where no finger opens it.
    ///   - isSimulated: Whether it is made with a simulated reader.
    ///   - unixTime: Now, in seconds since 1970.
    /// - Returns: What may be known of the key.
    /// - Throws: As ``put(_:as:for:options:strength:isSimulated:at:)``.
    public func createSigningKey(
        _ name: KeyName, for subject: Subject, options: SigningKeyOptions, strength: Strength?,
        isSimulated: Bool, at unixTime: Int64
    ) async throws(VaultError) -> KeyInfo {
        let record = try existingRecord(of: subject)
        guard try tables.key(name, of: subject) == nil else { throw .keyExists }
        let attributes = try attributes(
            ofNew: name, kind: .signing, for: subject, options: options.keyOptions,
            strength: strength, isSimulated: isSimulated, at: unixTime)
        let pair = try await store.makeSigningKey(as: attributes, credential: record.credential)
        let key = try StoredKey(
            attributes: attributes, wrapped: pair.wrapped, recovery: nil,
            publicHalf: pair.publicKey.uncompressed, authenticatedBy: storageKey)
        let new = NewKey(
            key: key, payload: [],
            generation: attributes.access.mentionsFinger ? attributes.generation : nil,
            record: record.code)
        return try tables.database.transaction { () throws(VaultError) in
            guard try tables.key(name, of: subject) == nil else { throw .keyExists }
            return try insert(new)
        }
    }

    /// The public half of a signing key.
    ///
    /// - Throws: ``VaultError/noSuchKey``; ``VaultError/wrongKind(_:)`` for a secret;
    ///   ``VaultError/damaged(_:)``, ``VaultError/storeBusy``, ``VaultError/storage(_:)``.
    public func publicKey(
        of name: KeyName, of subject: Subject
    ) throws(VaultError) -> SigningPublicKey {
        let key = try tables.database.transaction(.read) { () throws(VaultError) in
            try storedKey(name, of: subject)
        }
        return try SigningPublicKey(key.publicKey())
    }

    /// Signs a SHA-256 digest with a key.
    ///
    /// Nothing is written. The signature is checked before it is given out, since one that went wrong
    /// could tell something of the private half.
    ///
    /// - Parameters:
    ///   - digest: What to sign, 32 bytes.
    ///   - name: The signing key of the grant's subject.
    ///   - grant: A grant to open this very key.
    /// - Returns: The signature, another one each time.
    /// - Throws: ``VaultError/noSuchKey``; ``VaultError/wrongKind(_:)`` for a secret;
    ///   ``VaultError/noRecovery`` for a grant by the recovery key; ``VaultError/damaged(_:)`` also
    ///   where the key's public half is another's; else as ``open(_:grant:)``.
    public func sign(
        digest: [UInt8], with name: KeyName, grant: consuming Grant
    ) async throws(VaultError) -> SigningSignature {
        guard digest.count == Self.digestCount else {
            throw .internalError("a digest of \(digest.count) bytes was to be signed")
        }
        let found = try tables.database.transaction(.read) { () throws(VaultError) in
            try admitted(name, grant)
        }
        let publicKey = try found.key.publicKey()
        guard let way = found.way else { throw .noRecovery }
        let signature = try await store.sign(
            digest, with: found.key.wrapped, as: found.key.attributes, through: way, grant: grant)
        guard publicKey.isValid(signature, forDigest: digest) else {
            throw .damaged("the public half of the key \(name) is another key's")
        }
        return try SigningSignature(signature)
    }
}

extension StoredKey {
    /// The public half of a signing key.
    func publicKey() throws(VaultError) -> P256PublicKey {
        guard attributes.kind == .signing, let publicHalf else {
            throw .wrongKind(attributes.kind)
        }
        return try crypto("the public half of the key \(attributes.name)") {
            () throws(CryptoError) in try P256PublicKey(uncompressed: publicHalf)
        }
    }
}
