/// What a signing key made: an ECDSA signature on P-256 over a SHA-256 digest.
public struct SigningSignature: Sendable, Hashable {
    /// The number of bytes of the raw form.
    public static let rawCount = 64

    /// The raw form: r ‖ s, 32 big-endian bytes each, as in JWS (RFC 7518, 3.4).
    public let raw: [UInt8]

    /// The DER form of `ECDSA-Sig-Value` (RFC 3279, 2.2.3), 8 to 72 bytes.
    public let der: [UInt8]

    /// Takes both forms of one signature; nil where one has not the size of its form.
    public init?(raw: [UInt8], der: [UInt8]) {
        guard raw.count == Self.rawCount, (8...72).contains(der.count) else { return nil }
        self.raw = raw
        self.der = der
    }
}
