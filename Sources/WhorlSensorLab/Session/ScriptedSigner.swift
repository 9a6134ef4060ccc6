public import WhorlBiometrics

/// What makes the signatures of a scripted session's key: a test's own, since the lab has no
/// cryptography and makes none up.
///
/// A test that only looks at what becomes of a signature may give one out that it made before; one
/// that verifies it brings a key of its own.
public struct ScriptedSigner: Sendable {
    /// The public half that belongs to the signatures.
    public let publicKey: SigningPublicKey
    let sign: @Sendable (SigningInput) -> SigningSignature

    /// Makes a signer.
    ///
    /// - Parameters:
    ///   - publicKey: The public half that belongs to the signatures.
    ///   - sign: Makes a signature, or gives one out that was made before.
    public init(
        publicKey: SigningPublicKey, sign: @escaping @Sendable (SigningInput) -> SigningSignature
    ) {
        self.publicKey = publicKey
        self.sign = sign
    }
}
