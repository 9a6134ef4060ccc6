/// A JSON Web Signature in its compact form, RFC 7515, by the algorithm `ES256`.
public struct JSONWebSignature: Sendable, Hashable {
    private let text: String

    /// Prepares a signature.
    ///
    /// - Parameters:
    ///   - payload: What is signed; it becomes part of the signature.
    ///   - thumbprint: The thumbprint of the key that will sign, which becomes the key's id.
    public init(payload: [UInt8], thumbprint: [UInt8]) {
        self.init(
            header: #"{"alg":"ES256","kid":"\#(Base64.url(thumbprint))"}"#, payload: payload)
    }

    init(header: String, payload: [UInt8]) {
        text = Base64.url(Array(header.utf8)) + "." + Base64.url(payload)
    }

    /// The message that the key is to sign.
    public var signedMessage: [UInt8] { Array(text.utf8) }

    /// The signature with what it is over.
    ///
    /// - Parameter signature: What the key made of ``signedMessage``.
    /// - Returns: Header, payload and signature, with dots between them.
    public func compact(_ signature: SigningSignature) -> String {
        text + "." + Base64.url(signature.raw)
    }
}
