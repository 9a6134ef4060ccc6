internal import CWhorlOpenSSL
public import WhorlSecrets

/// How much work scrypt (RFC 7914) is made to do.
///
/// Stored beside what it protected, so that the cost can rise with time. Numbers that come from
/// storage are checked again: a damaged row must not make a program take all memory.
public struct ScryptParameters: Hashable, Sendable {
    /// The most memory that any parameters may ask for, in bytes.
    public static let maximumMemoryByteCount = 256 << 20

    /// The most that `N · r · p` may be, which bounds the time.
    public static let maximumWork = 1 << 24

    /// CPU and memory cost, N in RFC 7914: a power of two greater than 1.
    public let cost: Int

    /// Block size factor, r in RFC 7914.
    public let blockSize: Int

    /// Parallelisation factor, p in RFC 7914.
    public let parallelization: Int

    /// For a PIN or passphrase: N = 2¹⁶, r = 8, p = 2, which takes 64 MiB.
    ///
    /// One of the equivalent choices of OWASP's Password Storage Cheat Sheet.
    public static let passphrase = ScryptParameters(checked: 1 << 16, 8, 2)

    /// Checks parameters.
    ///
    /// - Parameters:
    ///   - cost: N, a power of two greater than 1.
    ///   - blockSize: r, at least 1.
    ///   - parallelization: p, at least 1.
    /// - Throws: ``CryptoError/badParameters`` if RFC 7914 does not allow them, or beyond
    ///   ``maximumMemoryByteCount`` or ``maximumWork``.
    public init(cost: Int, blockSize: Int, parallelization: Int) throws(CryptoError) {
        guard cost > 1, cost & (cost - 1) == 0, blockSize >= 1, parallelization >= 1,
            cost <= Self.maximumWork,
            blockSize <= Self.maximumWork / cost,
            parallelization <= Self.maximumWork / (cost * blockSize)
        else { throw .badParameters }
        self.init(checked: cost, blockSize, parallelization)
        guard memoryByteCount <= Self.maximumMemoryByteCount else { throw .badParameters }
    }

    private init(checked cost: Int, _ blockSize: Int, _ parallelization: Int) {
        self.cost = cost
        self.blockSize = blockSize
        self.parallelization = parallelization
    }

    /// The memory that a derivation takes, in bytes.
    public var memoryByteCount: Int { 128 * blockSize * (cost + parallelization + 2) }
}

/// scrypt, RFC 7914: turns a short secret into a key, slowly.
public enum Scrypt {
    /// Derives a secret from a passphrase, blocking for as long as the parameters say.
    ///
    /// The corresponding C function is `EVP_PBE_scrypt`.
    ///
    /// - Parameters:
    ///   - passphrase: The short secret; it may be empty.
    ///   - salt: A random value, stored beside the result.
    ///   - parameters: How much work to do.
    ///   - count: The number of bytes to derive, 1 to 1024.
    /// - Returns: The derived secret.
    /// - Throws: ``CryptoError/badParameters`` for a count out of range, ``CryptoError/memory(_:)``,
    ///   ``CryptoError/library(code:)`` if the working memory cannot be had.
    public static func deriveKey(
        from passphrase: borrowing SecretBytes, salt: [UInt8], parameters: ScryptParameters,
        count: Int = 32
    ) throws(CryptoError) -> SecretBytes {
        guard (1...1024).contains(count) else { throw .badParameters }
        var derived = try zeroedSecret(count: count)
        let result = unsafe derived.withUnsafeMutableBytes { derived in
            unsafe passphrase.withUnsafeBytes { passphrase in
                unsafe EVP_PBE_scrypt(
                    // Null would mean "only check the parameters".
                    passphrase.baseAddress?.assumingMemoryBound(to: CChar.self) ?? cString(""),
                    passphrase.count, salt, salt.count, UInt64(parameters.cost),
                    UInt64(parameters.blockSize), UInt64(parameters.parallelization),
                    UInt64(parameters.memoryByteCount),
                    derived.baseAddress?.assumingMemoryBound(to: UInt8.self), derived.count)
            }
        }
        try check(result)
        return derived
    }
}
