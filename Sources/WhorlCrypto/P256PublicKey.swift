/// The public half of a P-256 key: a point of the curve.
///
/// A value of this type is always a valid point; it is checked when it is made.
public struct P256PublicKey: Hashable, Sendable {
    /// The number of bytes of the uncompressed form.
    public static let uncompressedCount = 65

    /// The uncompressed form, SEC 1 section 2.3.3: 0x04 ‖ x ‖ y.
    public let uncompressed: [UInt8]

    /// Checks the uncompressed form of a point.
    ///
    /// The corresponding C function is `EC_POINT_oct2point`.
    ///
    /// - Parameter uncompressed: 0x04 ‖ x ‖ y, 65 bytes.
    /// - Throws: ``CryptoError/badKey`` for any other form, infinity, a coordinate beyond the field
    ///   prime or a point off the curve; ``CryptoError/library(code:)``.
    public init(uncompressed: [UInt8]) throws(CryptoError) {
        guard try Curve().contains(uncompressed: uncompressed) else { throw .badKey }
        self.uncompressed = uncompressed
    }
}
