import WhorlBiometrics
import WhorlCrypto

extension SigningSignature {
    /// A signature as apps see it.
    init(_ signature: P256Signature) throws(VaultError) {
        guard let new = SigningSignature(raw: signature.raw, der: signature.der) else {
            throw .internalError("a signature has a form that none has")
        }
        self = new
    }
}

extension SigningPublicKey {
    /// A public half as apps see it.
    init(_ key: P256PublicKey) throws(VaultError) {
        guard let new = SigningPublicKey(uncompressed: key.uncompressed) else {
            throw .internalError("a public half has a form that none has")
        }
        self = new
    }
}
