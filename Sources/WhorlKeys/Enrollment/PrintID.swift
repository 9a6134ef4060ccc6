/// The identity of a stored print: 16 random bytes, made at its enrolment.
public struct PrintID: Sendable, Hashable {
    /// The 16 bytes.
    public let bytes: [UInt8]

    init() {
        bytes = randomIdentifier()
    }

    init?(bytes: [UInt8]) {
        guard bytes.count == identifierCount else { return nil }
        self.bytes = bytes
    }
}
