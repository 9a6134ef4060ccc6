public import WhorlSecrets

/// Sealing to a public half, so that sealing needs no secret and opening needs the private half.
///
/// The construction, with R the recipient's key pair and E one made for this box alone:
///
///     Z   = ECDH(E.private, R.public)                               32 bytes
///     K   = HKDF-SHA256(Z, no salt,
///             "whorl/p256-seal/1" ‖ E.public ‖ R.public ‖ info)     32 bytes
///     box = E.public ‖ AES-256-GCM(K, plaintext, additional data)
///
/// Public halves are 65 bytes, uncompressed. All before `info` has a fixed length, so no two
/// different inputs give the same text. The sender is not authenticated: anyone can seal.
extension P256PublicKey {
    /// How much longer a sealed box is than what it holds.
    public static let sealingOverheadCount = uncompressedCount + AESGCM.overheadCount

    /// Seals a secret to the holder of the private half.
    ///
    /// - Parameters:
    ///   - plaintext: What to seal, up to ``AESGCM/maximumPlaintextCount`` bytes.
    ///   - info: What the box is for. Different purposes must differ here.
    ///   - additionalData: Bytes that are not in the box but must be the same to open it.
    /// - Returns: The sealed box.
    /// - Throws: ``CryptoError/tooLong(limit:)``, ``CryptoError/memory(_:)``,
    ///   ``CryptoError/library(code:)``.
    public func seal(
        _ plaintext: borrowing SecretBytes, info: [UInt8], authenticating additionalData: [UInt8]
    ) throws(CryptoError) -> [UInt8] {
        let ephemeral = try P256PrivateKey()
        let key = try sealingKey(
            ephemeral.sharedSecret(with: self), ephemeral: ephemeral.publicKey, recipient: self,
            info: info)
        let box = try AESGCM.seal(plaintext, key: key, authenticating: additionalData)
        return ephemeral.publicKey.uncompressed + box
    }
}

extension P256PrivateKey {
    /// Opens what was sealed to the public half of this key.
    ///
    /// - Parameters:
    ///   - box: What ``P256PublicKey/seal(_:info:authenticating:)`` returned.
    ///   - info: The purpose it was sealed for.
    ///   - additionalData: The bytes it was sealed with.
    /// - Returns: What was sealed.
    /// - Throws: ``CryptoError/authenticationFailed`` if anything is not as it was sealed,
    ///   ``CryptoError/tooLong(limit:)``, ``CryptoError/memory(_:)``,
    ///   ``CryptoError/library(code:)``.
    public borrowing func open(
        _ box: [UInt8], info: [UInt8], authenticating additionalData: [UInt8]
    ) throws(CryptoError) -> SecretBytes {
        guard box.count >= P256PublicKey.sealingOverheadCount else { throw .authenticationFailed }
        let ephemeral: P256PublicKey
        do throws(CryptoError) {
            ephemeral = try P256PublicKey(
                uncompressed: Array(box[..<P256PublicKey.uncompressedCount]))
        } catch {
            // A point off the curve is damage like any other here, and must not be used.
            throw error == .badKey ? .authenticationFailed : error
        }
        let key = try sealingKey(
            sharedSecret(with: ephemeral), ephemeral: ephemeral, recipient: publicKey, info: info)
        return try AESGCM.open(
            Array(box[P256PublicKey.uncompressedCount...]), key: key,
            authenticating: additionalData)
    }
}

private func sealingKey(
    _ sharedSecret: borrowing SecretBytes, ephemeral: P256PublicKey, recipient: P256PublicKey,
    info: [UInt8]
) throws(CryptoError) -> SecretBytes {
    let label = [UInt8]("whorl/p256-seal/1".utf8)
    return try HKDFSHA256.deriveKey(
        from: sharedSecret,
        info: label + ephemeral.uncompressed + recipient.uncompressed + info,
        count: AESGCM.keyCount)
}
