/// The identity of a wrapped key: 16 random bytes, made with it and never used again.
///
/// A key that replaces another has another identity, so that no grant and no row of the one serves
/// the other.
public struct KeyID: Sendable, Hashable {
    /// The 16 bytes.
    public let bytes: [UInt8]

    init() {
        bytes = randomIdentifier()
    }

    package init?(bytes: [UInt8]) {
        guard bytes.count == identifierCount else { return nil }
        self.bytes = bytes
    }
}
