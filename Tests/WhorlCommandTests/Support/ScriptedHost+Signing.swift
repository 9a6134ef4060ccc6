import Synchronization
import WhorlBiometrics
import WhorlSensorLab

@testable import WhorlCommand

extension SigningPublicKey {
    /// The key of RFC 7515, appendix A.3.1.
    static let example = SigningPublicKey(
        uncompressed: [
            4, 127, 205, 206, 39, 112, 246, 196, 93, 65, 131, 203, 238, 111, 219, 75, 123, 88, 7,
            51, 53, 123, 233, 239, 19, 186, 207, 110, 60, 123, 209, 84, 69, 199, 241, 68, 205, 27,
            189, 155, 126, 135, 44, 223, 237, 185, 238, 185, 244, 179, 105, 93, 110, 169, 11, 36,
            173, 138, 70, 35, 40, 133, 136, 229, 173,
        ])
}

extension SigningSignature {
    /// Text in the place of a signature, so that it shows what came out and where.
    static let example = SigningSignature(
        raw: Array("raw ".utf8) + [UInt8](repeating: UInt8(ascii: "r"), count: 60),
        der: Array("der ".utf8) + [UInt8](repeating: UInt8(ascii: "d"), count: 66))
}

extension ScriptedHost {
    /// Makes a signing key whose signature is always ``SigningSignature/example``.
    ///
    /// - Returns: What it was given to sign, as it comes.
    @discardableResult
    func create(
        _ name: String, access: AccessControl = .biometryCurrentSet.or(.deviceCredential)
    ) async throws -> SignedInputs {
        guard let key = SigningPublicKey.example, let signature = SigningSignature.example else {
            throw VaultError.internalError("the examples have other sizes")
        }
        let inputs = SignedInputs()
        let keys = session.scriptedSigningKeys
        try await keys.create(KeyName(name), options: SigningKeyOptions(access: access))
        let signer = ScriptedSigner(publicKey: key) { input in
            inputs.note(input)
            return signature
        }
        keys.use(signer, for: try KeyName(name))
        return inputs
    }
}

/// What a key was given to sign.
final class SignedInputs: Sendable {
    private let inputs = Mutex<[SigningInput]>([])
    func note(_ input: SigningInput) { inputs.withLock { $0.append(input) } }
    var all: [SigningInput] { inputs.withLock { $0 } }
}
