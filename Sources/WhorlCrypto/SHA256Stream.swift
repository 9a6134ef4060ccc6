internal import CWhorlOpenSSL

/// SHA-256 of bytes that come in pieces.
///
/// The corresponding C functions are `EVP_DigestUpdate` and `EVP_DigestFinal_ex`.
@safe
public struct SHA256Stream: ~Copyable {
    private let context: OpaquePointer

    /// Begins with no bytes.
    ///
    /// - Throws: ``CryptoError/library(code:)`` if OpenSSL offers no SHA-256.
    public init() throws(CryptoError) {
        guard let context = unsafe EVP_MD_CTX_new() else { throw libraryError() }
        guard unsafe EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1 else {
            unsafe EVP_MD_CTX_free(context)
            throw libraryError()
        }
        unsafe self.context = context
    }

    deinit { unsafe EVP_MD_CTX_free(context) }

    /// Takes more bytes.
    ///
    /// - Throws: ``CryptoError/library(code:)``.
    public mutating func update(_ bytes: [UInt8]) throws(CryptoError) {
        try unsafe check(EVP_DigestUpdate(context, bytes, bytes.count))
    }

    /// Ends.
    ///
    /// - Returns: The digest of all bytes, 32 bytes.
    /// - Throws: ``CryptoError/library(code:)``.
    public consuming func digest() throws(CryptoError) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: SHA256.digestCount)
        try unsafe check(EVP_DigestFinal_ex(context, &digest, nil))
        return digest
    }
}
