internal import CWhorlOpenSSL

/// Makes random bytes that need not stay secret, such as salts and identifiers.
///
/// For secret ones make a `SecretBytes(randomCount:)`.
/// The corresponding C function is `RAND_bytes`.
///
/// - Parameter count: The number of bytes, 0 or more.
/// - Returns: The random bytes.
/// - Throws: ``CryptoError/badParameters`` for a negative count or one beyond 2³¹ − 1,
///   ``CryptoError/library(code:)`` if there is no randomness.
public func random(count: Int) throws(CryptoError) -> [UInt8] {
    guard count >= 0, let length = CInt(exactly: count) else { throw .badParameters }
    var bytes = [UInt8](repeating: 0, count: count)
    try unsafe check(RAND_bytes(&bytes, length))
    return bytes
}
