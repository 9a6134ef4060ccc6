/// What a signing key is to sign.
public enum SigningInput: Sendable, Hashable {
    /// A message, which is hashed with SHA-256 first.
    case message([UInt8])
    /// The SHA-256 digest of a message, 32 bytes; anything else is refused.
    case digest([UInt8])
}
