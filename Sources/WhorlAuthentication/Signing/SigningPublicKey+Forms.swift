public import WhorlBiometrics
import WhorlCrypto

/// The forms of a public half that need a library of cryptography.
extension SigningPublicKey {
    /// The key in PEM, as `openssl dgst -verify` takes it.
    ///
    /// - Returns: Lines, each with its end.
    /// - Throws: ``VaultError/damaged(_:)`` for a point off the curve;
    ///   ``VaultError/internalError(_:)``.
    public func pem() throws(VaultError) -> String {
        do throws(CryptoError) {
            return try P256PublicKey(uncompressed: uncompressed).pem()
        } catch {
            if error == .badKey { throw .damaged("a public half is off the curve") }
            throw .internalError(error.description)
        }
    }

    /// The thumbprint of the key, RFC 7638, by which JSON Web Signatures name it.
    ///
    /// - Returns: 32 bytes.
    /// - Throws: ``VaultError/internalError(_:)``.
    public func thumbprint() throws(VaultError) -> [UInt8] {
        try MessageDigest.of(thumbprintMessage)
    }
}
