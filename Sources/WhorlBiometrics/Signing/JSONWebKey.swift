extension SigningPublicKey {
    /// The key as a JSON Web Key, RFC 7517 and RFC 7518 section 6.2.
    ///
    /// - Parameter thumbprint: Its thumbprint, which becomes the key's id.
    /// - Returns: One JSON object on one line.
    public func jsonWebKey(thumbprint: [UInt8]) -> String {
        #"{"kty":"EC","crv":"P-256","x":"\#(Base64.url(x))","y":"\#(Base64.url(y))","#
            + #""use":"sig","alg":"ES256","kid":"\#(Base64.url(thumbprint))"}"#
    }

    /// What the thumbprint is the SHA-256 digest of, RFC 7638 section 3.
    public var thumbprintMessage: [UInt8] {
        Array(
            #"{"crv":"P-256","kty":"EC","x":"\#(Base64.url(x))","y":"\#(Base64.url(y))"}"#.utf8)
    }
}
