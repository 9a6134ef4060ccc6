internal import CWhorlOpenSSL
public import WhorlSecrets

/// HMAC with SHA-256, RFC 2104.
public enum HMACSHA256 {
    /// The number of bytes of an authentication code.
    public static let codeCount = 32

    /// Computes an authentication code.
    ///
    /// The corresponding C function is `EVP_Q_mac`.
    ///
    /// - Parameters:
    ///   - message: The bytes to authenticate.
    ///   - key: The key, at least one byte.
    /// - Returns: 32 bytes.
    /// - Throws: ``CryptoError/badKey`` for an empty key, ``CryptoError/library(code:)`` if OpenSSL
    ///   offers no HMAC.
    public static func authenticationCode(
        for message: [UInt8], key: borrowing SecretBytes
    ) throws(CryptoError) -> [UInt8] {
        guard !key.isEmpty else { throw .badKey }
        var code = [UInt8](repeating: 0, count: codeCount)
        var written = 0
        let result = unsafe key.withUnsafeBytes { key in
            unsafe EVP_Q_mac(
                nil, "HMAC", nil, "SHA256", nil, key.baseAddress, key.count, message,
                message.count, &code, codeCount, &written)
        }
        guard unsafe result != nil, written == codeCount else { throw libraryError() }
        return code
    }

    /// Tells whether an authentication code belongs to a message, in constant time.
    ///
    /// - Parameters:
    ///   - code: The code to check.
    ///   - message: The bytes it should authenticate.
    ///   - key: The key, at least one byte.
    /// - Returns: Whether the code is right.
    /// - Throws: As ``authenticationCode(for:key:)``.
    public static func isValid(
        _ code: [UInt8], for message: [UInt8], key: borrowing SecretBytes
    ) throws(CryptoError) -> Bool {
        let expected = try authenticationCode(for: message, key: key)
        guard code.count == expected.count else { return false }
        return unsafe CRYPTO_memcmp(code, expected, expected.count) == 0
    }
}
