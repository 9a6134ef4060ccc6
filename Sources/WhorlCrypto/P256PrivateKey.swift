public import WhorlSecrets

/// A P-256 key with its private half, for ECDH and ECDSA.
///
/// A key should be used for one of the two.
public struct P256PrivateKey: ~Copyable, Sendable {
    /// The number of bytes of the private half.
    public static let scalarCount = 32

    let scalar: SecretBytes

    /// The public half.
    public let publicKey: P256PublicKey

    /// Makes a new key from the kernel's randomness.
    ///
    /// The method is that of FIPS 186-4, B.4.2: testing candidates.
    ///
    /// - Throws: ``CryptoError/memory(_:)``, ``CryptoError/library(code:)``.
    public init() throws(CryptoError) {
        let curve = try Curve()
        var candidate = try Self.randomScalar()
        // One candidate in 2³² is out of range.
        while try !curve.isScalar(candidate) { candidate = try Self.randomScalar() }
        publicKey = try P256PublicKey(uncompressed: curve.publicPoint(ofScalar: candidate))
        scalar = candidate
    }

    /// Takes a private half and computes the public one.
    ///
    /// - Parameter scalar: A big-endian number of 32 bytes, from 1 to the order of the curve minus 1.
    /// - Throws: ``CryptoError/badKey`` if it is not, ``CryptoError/memory(_:)``,
    ///   ``CryptoError/library(code:)``.
    public init(scalar: consuming SecretBytes) throws(CryptoError) {
        let curve = try Curve()
        guard try curve.isScalar(scalar) else { throw .badKey }
        publicKey = try P256PublicKey(uncompressed: curve.publicPoint(ofScalar: scalar))
        self.scalar = scalar
    }

    /// Derives a key from a secret, the same each time.
    ///
    /// The private half is the first number in range among HKDF-SHA256(secret, no salt,
    /// info ‖ counter), 32 bytes, for the one-byte counters 0, 1, 2 …
    ///
    /// - Parameters:
    ///   - secret: At least 32 bytes that are hard to guess.
    ///   - info: What the key is for. Different purposes must differ here.
    /// - Throws: ``CryptoError/badKey`` for a shorter secret, ``CryptoError/memory(_:)``,
    ///   ``CryptoError/library(code:)``.
    public init(
        derivedFrom secret: borrowing SecretBytes, info: [UInt8]
    ) throws(CryptoError) {
        guard secret.count >= Self.scalarCount else { throw .badKey }
        let curve = try Curve()
        for counter in UInt8.min...UInt8.max {
            let candidate = try HKDFSHA256.deriveKey(
                from: secret, info: info + [counter], count: Self.scalarCount)
            guard try curve.isScalar(candidate) else { continue }
            self = try P256PrivateKey(scalar: candidate)
            return
        }
        throw .badKey
    }

    /// Gives up the key for its private half, to be kept elsewhere.
    ///
    /// - Returns: A big-endian number of 32 bytes.
    public consuming func intoScalar() -> SecretBytes { scalar }

    private static func randomScalar() throws(CryptoError) -> SecretBytes {
        do throws(SecretMemoryError) {
            return try SecretBytes(randomCount: scalarCount)
        } catch {
            throw .memory(error)
        }
    }
}
