package import WhorlCrypto

/// What a key store made for a new signing key.
package struct SigningKeyPair: Sendable {
    /// The private half, as only the store can use it.
    package let wrapped: WrappedKey
    /// The public half.
    package let publicKey: P256PublicKey

    package init(wrapped: WrappedKey, publicKey: P256PublicKey) {
        self.wrapped = wrapped
        self.publicKey = publicKey
    }
}
