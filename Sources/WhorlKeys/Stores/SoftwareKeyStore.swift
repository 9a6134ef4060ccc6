package import WhorlBiometrics
package import WhorlCrypto
package import WhorlSecrets

/// The key store of machines without a TPM: keys wrapped under the machine's storage key.
///
/// Each way in has a part of its own. A way with the credential is sealed to the subject's public
/// half first, so that the machine alone does not open it; every way is sealed under a key of its
/// own derived from the storage key. That a finger was given is the vault's word: whoever can read
/// the storage key needs none.
///
/// The credential object is the subject's P-256 public half followed by the private half, sealed
/// under a key derived from the storage key and the credential together.
package struct SoftwareKeyStore: KeyStore {
    private let storageKey: StorageKey

    package init(storageKey: StorageKey) {
        self.storageKey = storageKey
    }

    package var kind: StoreKind { .software }
    package var strongestMinimum: Strength { .weak }
    package var bindsToBoot: Bool { false }
    package var minimumCredentialCount: Int { 6 }

    // MARK: The credential

    package func makeCredential(
        from derived: borrowing SecretBytes, for subject: Subject
    ) async throws(VaultError) -> [UInt8] {
        let pair = try crypto(Self.credentialWords) { () throws(CryptoError) in
            try P256PrivateKey()
        }
        return try sealed(pair, under: derived, for: subject)
    }

    package func changeCredential(
        _ object: [UInt8], to derived: borrowing SecretBytes, proof: borrowing CredentialProof
    ) async throws(VaultError) -> [UInt8] {
        let copy = try memory { () throws(SecretMemoryError) in try proof.secret.clone() }
        let pair: P256PrivateKey
        do throws(CryptoError) {
            pair = try P256PrivateKey(scalar: copy)
        } catch {
            throw VaultError(error, in: Self.credentialWords)
        }
        guard try pair.publicKey == Self.publicHalf(of: object) else {
            throw .internalError("a proof is of another credential")
        }
        return try sealed(pair, under: derived, for: proof.subject)
    }

    // The public half, and the private half under the storage key and the credential together.
    private func sealed(
        _ pair: consuming P256PrivateKey, under derived: borrowing SecretBytes, for subject: Subject
    ) throws(VaultError) -> [UInt8] {
        let publicHalf = pair.publicKey.uncompressed
        let scalar = pair.intoScalar()
        let context = credentialContext(publicHalf, subject)
        let key = try storageKey.key(for: context, with: derived)
        let box: [UInt8]
        do throws(CryptoError) {
            box = try AESGCM.seal(scalar, key: key, authenticating: context.bytes)
        } catch {
            throw VaultError(error, in: Self.credentialWords)
        }
        return publicHalf + box
    }

    package func checkCredential(
        _ derived: borrowing SecretBytes, against object: [UInt8], of subject: Subject
    ) async throws(VaultError) -> SecretBytes {
        let publicKey = try Self.publicHalf(of: object)
        let box = Array(object[P256PublicKey.uncompressedCount...])
        let context = credentialContext(publicKey.uncompressed, subject)
        let key = try storageKey.key(for: context, with: derived)
        let pair: P256PrivateKey
        do throws(CryptoError) {
            let scalar = try AESGCM.open(box, key: key, authenticating: context.bytes)
            pair = try P256PrivateKey(scalar: scalar)
        } catch .authenticationFailed {
            // The object is authenticated before, so only the credential can be another.
            throw .authentication(.wrongCredential)
        } catch {
            throw VaultError(error, in: Self.credentialWords)
        }
        guard pair.publicKey == publicKey else {
            throw .damaged("\(Self.credentialWords) was changed")
        }
        return pair.intoScalar()
    }

    private static let credentialWords = "the credential's record"

    private func credentialContext(
        _ publicHalf: [UInt8], _ subject: Subject
    ) -> CanonicalBytes {
        var context = CanonicalBytes("whorl/credential/1")
        context.append(storageKey.vaultID)
        context.append(subject.name)
        context.append(publicHalf)
        return context
    }

    private static func publicHalf(of object: [UInt8]) throws(VaultError) -> P256PublicKey {
        try crypto(credentialWords) { () throws(CryptoError) in
            try P256PublicKey(uncompressed: Array(object.prefix(P256PublicKey.uncompressedCount)))
        }
    }

    // MARK: Keys

    package func wrap(
        _ payloadKey: borrowing SecretBytes, as attributes: KeyAttributes, credential: [UInt8]
    ) async throws(VaultError) -> WrappedKey {
        let publicKey = try Self.publicHalf(of: credential)
        var parts: [[UInt8]] = []
        for way in attributes.access.ways {
            let context = Self.context(of: way, attributes)
            let key = try storageKey.key(for: context)
            do throws(CryptoError) {
                if way.needsCredential {
                    let inner = try publicKey.seal(
                        payloadKey, info: context.bytes, authenticating: context.bytes)
                    parts.append(try Self.seal(inner, key: key, context))
                } else {
                    parts.append(
                        try AESGCM.seal(payloadKey, key: key, authenticating: context.bytes))
                }
            } catch {
                throw VaultError(error, in: Self.words(for: attributes))
            }
        }
        return WrappedKey(parts: parts)
    }

    package func unwrap(
        _ wrapped: WrappedKey, as attributes: KeyAttributes, through way: AccessWay,
        grant: borrowing Grant
    ) async throws(VaultError) -> SecretBytes {
        try open(wrapped, attributes, through: way, grant)
    }

    package func unwrapByCredential(
        _ wrapped: WrappedKey, as attributes: KeyAttributes, grant: borrowing Grant
    ) async throws(VaultError) -> SecretBytes? {
        let way = attributes.access.ways.first { $0.needsCredential && !$0.needsFinger }
        guard let way else { return nil }
        return try open(wrapped, attributes, through: way, grant)
    }

    package func withdrawFinger(
        from wrapped: WrappedKey, as attributes: KeyAttributes, grant: borrowing Grant
    ) async throws(VaultError) -> WrappedKey {
        let ways = attributes.access.ways
        guard ways.count == wrapped.parts.count else {
            throw .damaged("\(Self.words(for: attributes)) has not the ways that it should have")
        }
        return WrappedKey(
            parts: zip(ways, wrapped.parts).map { way, part in way.needsFinger ? [] : part })
    }

    // MARK: Signing keys

    package func makeSigningKey(
        as attributes: KeyAttributes, credential: [UInt8]
    ) async throws(VaultError) -> SigningKeyPair {
        let pair = try crypto(Self.words(for: attributes)) { () throws(CryptoError) in
            try P256PrivateKey()
        }
        let publicKey = pair.publicKey
        let scalar = pair.intoScalar()
        return SigningKeyPair(
            wrapped: try await wrap(scalar, as: attributes, credential: credential),
            publicKey: publicKey)
    }

    package func sign(
        _ digest: [UInt8], with wrapped: WrappedKey, as attributes: KeyAttributes,
        through way: AccessWay, grant: borrowing Grant
    ) async throws(VaultError) -> P256Signature {
        let scalar = try open(wrapped, attributes, through: way, grant)
        do throws(CryptoError) {
            return try P256PrivateKey(scalar: scalar).signature(forDigest: digest)
        } catch {
            throw VaultError(error, in: Self.words(for: attributes))
        }
    }

    // MARK: Parts

    private func open(
        _ wrapped: WrappedKey, _ attributes: KeyAttributes, through way: AccessWay,
        _ grant: borrowing Grant
    ) throws(VaultError) -> SecretBytes {
        let ways = attributes.access.ways
        guard ways.count == wrapped.parts.count, let index = ways.firstIndex(of: way) else {
            throw .damaged("\(Self.words(for: attributes)) has not the ways that it should have")
        }
        let context = Self.context(of: way, attributes)
        let key = try storageKey.key(for: context)
        do throws(CryptoError) {
            let opened = try AESGCM.open(
                wrapped.parts[index], key: key, authenticating: context.bytes)
            guard way.needsCredential else { return opened }
            guard let pair = try grant.privateHalf() else { throw .badKey }
            return try pair.open(
                Self.bytes(of: opened), info: context.bytes, authenticating: context.bytes)
        } catch {
            throw VaultError(error, in: Self.words(for: attributes))
        }
    }

    private static func context(of way: AccessWay, _ attributes: KeyAttributes) -> CanonicalBytes {
        var context = CanonicalBytes("whorl/branch/1")
        context.append(attributes.authenticated)
        context.append(way.sorted.map(\.rawValue).joined(separator: " and "))
        return context
    }

    private static func words(for attributes: KeyAttributes) -> String {
        "the key \(attributes.name)"
    }

    // What is sealed to a public half is no secret, but boxes hold secrets only.
    private static func seal(
        _ inner: [UInt8], key: borrowing SecretBytes, _ context: CanonicalBytes
    ) throws(CryptoError) -> [UInt8] {
        let copy: SecretBytes
        do throws(SecretMemoryError) {
            copy = try SecretBytes(copying: inner.span)
        } catch {
            throw .memory(error)
        }
        return try AESGCM.seal(copy, key: key, authenticating: context.bytes)
    }

    private static func bytes(of opened: borrowing SecretBytes) -> [UInt8] {
        unsafe opened.withUnsafeBytes { unsafe Array($0) }
    }

    // MARK: The generation

    package func firstGeneration(of subject: Subject) async throws(VaultError) -> Int64 { 1 }

    // The number in the database is all there is; the vault writes it.
    package func advanceGeneration(
        of subject: Subject, to next: Int64
    ) async throws(VaultError) {}
}

extension Grant {
    /// The private half that the credential brought out; nil without its proof.
    borrowing func privateHalf() throws(CryptoError) -> P256PrivateKey? {
        let copy: SecretBytes
        switch credential {
        case .none: return nil
        case .some(let proof):
            guard proof.subject == subject else { return nil }
            do throws(SecretMemoryError) {
                copy = try proof.secret.clone()
            } catch {
                throw .memory(error)
            }
        }
        return try P256PrivateKey(scalar: copy)
    }
}
