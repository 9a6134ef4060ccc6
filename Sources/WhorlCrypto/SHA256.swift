internal import CWhorlOpenSSL

/// SHA-256, FIPS 180-4.
public enum SHA256 {
    /// The number of bytes of a digest.
    public static let digestCount = 32

    /// Hashes bytes.
    ///
    /// The corresponding C function is `EVP_Digest`.
    ///
    /// - Parameter message: The bytes to hash.
    /// - Returns: 32 bytes.
    /// - Throws: ``CryptoError/library(code:)`` if OpenSSL offers no SHA-256.
    public static func digest(of message: [UInt8]) throws(CryptoError) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: digestCount)
        try unsafe check(EVP_Digest(message, message.count, &digest, nil, EVP_sha256(), nil))
        return digest
    }
}
