internal import CWhorlOpenSSL
public import WhorlSecrets

extension P256PrivateKey {
    /// Agrees on a secret with the holder of another key, by ECDH (NIST SP 800-56A, 5.7.1.2).
    ///
    /// The result is not evenly distributed; derive a key from it with ``HKDFSHA256``.
    /// The corresponding C function is `EVP_PKEY_derive`.
    ///
    /// - Parameter peer: The other key's public half.
    /// - Returns: The x coordinate of the common point, 32 bytes.
    /// - Throws: ``CryptoError/memory(_:)``, ``CryptoError/library(code:)``.
    public borrowing func sharedSecret(
        with peer: P256PublicKey
    ) throws(CryptoError) -> SecretBytes {
        let own = try EVPKey(self)
        let other = try EVPKey(peer)
        let operation = try EVPKeyOperation(with: own)
        try unsafe check(EVP_PKEY_derive_init(operation.context))
        try unsafe check(EVP_PKEY_derive_set_peer(operation.context, other.key))
        var secret = try zeroedSecret(count: Self.scalarCount)
        var written = secret.count
        let result = unsafe secret.withUnsafeMutableBytes { secret in
            unsafe EVP_PKEY_derive(
                operation.context, secret.baseAddress?.assumingMemoryBound(to: UInt8.self),
                &written)
        }
        try check(result)
        guard written == secret.count else { throw libraryError() }
        return secret
    }
}
