internal import CWhorlOpenSSL

extension P256PrivateKey {
    /// Signs a message: ECDSA over its SHA-256 digest (FIPS 186-4; ES256 of RFC 7518).
    ///
    /// - Parameter message: The bytes to sign.
    /// - Returns: The signature, another one each time.
    /// - Throws: As ``signature(forDigest:)``.
    public borrowing func signature(for message: [UInt8]) throws(CryptoError) -> P256Signature {
        try signature(forDigest: SHA256.digest(of: message))
    }

    /// Signs a SHA-256 digest.
    ///
    /// The corresponding C function is `EVP_PKEY_sign`.
    ///
    /// - Parameter digest: 32 bytes.
    /// - Returns: The signature, another one each time.
    /// - Throws: ``CryptoError/badParameters`` for another size, ``CryptoError/memory(_:)``,
    ///   ``CryptoError/library(code:)``.
    public borrowing func signature(
        forDigest digest: [UInt8]
    ) throws(CryptoError) -> P256Signature {
        guard digest.count == SHA256.digestCount else { throw .badParameters }
        let key = try EVPKey(self)
        let operation = try EVPKeyOperation(with: key)
        try unsafe check(EVP_PKEY_sign_init(operation.context))
        var der = [UInt8](repeating: 0, count: unsafe Int(EVP_PKEY_get_size(key.key)))
        var written = der.count
        try unsafe check(
            EVP_PKEY_sign(operation.context, &der, &written, digest, digest.count))
        return try P256Signature(der: Array(der.prefix(written)))
    }
}

extension P256PublicKey {
    /// Tells whether a signature over a message's SHA-256 digest was made with this key.
    ///
    /// - Parameters:
    ///   - signature: The signature.
    ///   - message: The bytes it should be over.
    /// - Returns: Whether it is right. A failure of the library is a no.
    public func isValid(_ signature: P256Signature, for message: [UInt8]) -> Bool {
        guard let digest = try? SHA256.digest(of: message) else { return false }
        return isValid(signature, forDigest: digest)
    }

    /// Tells whether a signature over a SHA-256 digest was made with this key.
    ///
    /// The corresponding C function is `EVP_PKEY_verify`.
    ///
    /// - Parameters:
    ///   - signature: The signature.
    ///   - digest: 32 bytes; any other size is a no.
    /// - Returns: Whether it is right. A failure of the library is a no.
    public func isValid(_ signature: P256Signature, forDigest digest: [UInt8]) -> Bool {
        guard digest.count == SHA256.digestCount else { return false }
        do {
            let key = try EVPKey(self)
            let operation = try EVPKeyOperation(with: key)
            try unsafe check(EVP_PKEY_verify_init(operation.context))
            try unsafe check(
                EVP_PKEY_verify(
                    operation.context, signature.der, signature.der.count, digest, digest.count))
            return true
        } catch {
            return false
        }
    }
}
