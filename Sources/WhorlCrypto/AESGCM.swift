internal import CWhorlOpenSSL
public import WhorlSecrets

/// AES-256-GCM, NIST SP 800-38D, with a random nonce and a full tag.
///
/// A sealed box is nonce (12 bytes) ‖ ciphertext ‖ tag (16 bytes). With random nonces one key should
/// seal no more than 2³² boxes.
public enum AESGCM {
    /// The number of bytes of a key.
    public static let keyCount = 32

    /// The most bytes that one box holds: 1 MiB.
    public static let maximumPlaintextCount = 1 << 20

    /// How much longer a sealed box is than what it holds.
    public static let overheadCount = nonceCount + tagCount

    private static let nonceCount = 12
    private static let tagCount = 16

    /// Seals a secret.
    ///
    /// The corresponding C functions are `EVP_EncryptInit_ex2`, `EVP_EncryptUpdate` and
    /// `EVP_EncryptFinal_ex`.
    ///
    /// - Parameters:
    ///   - plaintext: What to seal, up to ``maximumPlaintextCount`` bytes; it may be empty.
    ///   - key: 32 bytes.
    ///   - additionalData: Bytes that are not in the box but must be the same to open it.
    /// - Returns: The sealed box.
    /// - Throws: ``CryptoError/badKey``, ``CryptoError/tooLong(limit:)``,
    ///   ``CryptoError/library(code:)``.
    public static func seal(
        _ plaintext: borrowing SecretBytes, key: borrowing SecretBytes,
        authenticating additionalData: [UInt8]
    ) throws(CryptoError) -> [UInt8] {
        guard key.count == keyCount else { throw .badKey }
        guard plaintext.count <= maximumPlaintextCount else {
            throw .tooLong(limit: maximumPlaintextCount)
        }
        let nonce = try random(count: nonceCount)
        let cipher = try Cipher(.encrypt, key: key, nonce: nonce)
        try cipher.authenticate(additionalData)
        var box = nonce + [UInt8](repeating: 0, count: plaintext.count + tagCount)
        try unsafe plaintext.withUnsafeBytes { (plaintext) throws(CryptoError) in
            var span = box.mutableSpan
            try unsafe span.withUnsafeMutableBytes { (box) throws(CryptoError) in
                let body = unsafe UnsafeMutableRawBufferPointer(rebasing: box[nonceCount...])
                try unsafe cipher.update(plaintext, into: body)
                try cipher.finish()
                let tag = unsafe UnsafeMutableRawBufferPointer(rebasing: body[plaintext.count...])
                try unsafe cipher.getTag(into: tag)
            }
        }
        return box
    }

    /// Opens a sealed box.
    ///
    /// The corresponding C functions are `EVP_DecryptInit_ex2`, `EVP_DecryptUpdate` and
    /// `EVP_DecryptFinal_ex`.
    ///
    /// - Parameters:
    ///   - box: What ``seal(_:key:authenticating:)`` returned.
    ///   - key: The key it was sealed under.
    ///   - additionalData: The bytes it was sealed with.
    /// - Returns: What was sealed.
    /// - Throws: ``CryptoError/authenticationFailed`` if anything is not as it was sealed,
    ///   ``CryptoError/badKey`` for a key of another size, ``CryptoError/tooLong(limit:)``,
    ///   ``CryptoError/memory(_:)``, ``CryptoError/library(code:)``.
    public static func open(
        _ box: [UInt8], key: borrowing SecretBytes, authenticating additionalData: [UInt8]
    ) throws(CryptoError) -> SecretBytes {
        guard key.count == keyCount else { throw .badKey }
        guard box.count >= overheadCount else { throw .authenticationFailed }
        let count = box.count - overheadCount
        guard count <= maximumPlaintextCount else { throw .tooLong(limit: maximumPlaintextCount) }
        let cipher = try Cipher(.decrypt, key: key, nonce: Array(box[..<nonceCount]))
        try cipher.authenticate(additionalData)
        var plaintext = try zeroedSecret(count: count)
        try unsafe plaintext.withUnsafeMutableBytes { (plaintext) throws(CryptoError) in
            try unsafe box.span.withUnsafeBytes { (box) throws(CryptoError) in
                let body = unsafe UnsafeRawBufferPointer(rebasing: box[nonceCount...])
                let ciphertext = unsafe UnsafeRawBufferPointer(rebasing: body[..<count])
                try unsafe cipher.update(ciphertext, into: plaintext)
                try unsafe cipher.setTag(Array(body[count...]))
            }
        }
        // What is in `plaintext` before this answer is unauthenticated, and wiped if it is "no".
        try cipher.verify()
        return plaintext
    }
}
