/// The public half of a signing key: a point of the curve P-256.
///
/// It comes from a store, which saw to it that it is on the curve; here only its form is checked.
public struct SigningPublicKey: Sendable, Hashable {
    /// The number of bytes of the uncompressed form.
    public static let uncompressedCount = 65

    /// The uncompressed form, SEC 1 section 2.3.3: 0x04 ‖ x ‖ y.
    public let uncompressed: [UInt8]

    /// Takes the uncompressed form; nil for any other.
    public init?(uncompressed: [UInt8]) {
        guard uncompressed.count == Self.uncompressedCount, uncompressed.first == 0x04 else {
            return nil
        }
        self.uncompressed = uncompressed
    }

    /// The x coordinate, 32 big-endian bytes.
    public var x: [UInt8] { Array(uncompressed[1..<33]) }

    /// The y coordinate, 32 big-endian bytes.
    public var y: [UInt8] { Array(uncompressed[33...]) }
}
