/// The identity of one request of a person: 16 random bytes.
public struct RequestID: Sendable, Hashable {
    /// The 16 bytes.
    public let bytes: [UInt8]

    /// Makes a new one from the kernel's randomness.
    ///
    /// The corresponding C function is `getrandom`.
    public init() {
        bytes = randomIdentifier()
    }
}
