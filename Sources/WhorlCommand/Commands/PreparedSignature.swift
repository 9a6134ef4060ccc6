internal import WhorlBiometrics

/// A signature in a form, of which only the key's own work is missing.
enum PreparedSignature {
    case der(digest: [UInt8])
    case raw(digest: [UInt8])
    case ssh(SSHSignature)
    case jws(JSONWebSignature)

    /// What the key is to sign.
    var input: SigningInput {
        switch self {
        case .der(let digest), .raw(let digest): .digest(digest)
        case .ssh(let prepared): .message(prepared.signedMessage)
        case .jws(let prepared): .message(prepared.signedMessage)
        }
    }

    /// The signature as a file holds it: the lines of ssh with their ends, and nothing else behind any
    /// form, since readers of JSON Web Signatures take an end of line for a part of it.
    func bytes(_ signature: SigningSignature) -> [UInt8] {
        switch self {
        case .der: signature.der
        case .raw: signature.raw
        case .ssh: Array((text(signature) + "\n").utf8)
        case .jws: Array(text(signature).utf8)
        }
    }

    /// The signature as text: what has a text of its own as that, and bytes in base64url.
    func text(_ signature: SigningSignature) -> String {
        switch self {
        case .der: Base64.url(signature.der)
        case .raw: Base64.url(signature.raw)
        case .ssh(let prepared): prepared.armored(signature)
        case .jws(let prepared): prepared.compact(signature)
        }
    }
}
