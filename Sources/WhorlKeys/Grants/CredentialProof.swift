public import WhorlBiometrics
package import WhorlSecrets

/// Proof that a subject's credential was right.
///
/// Only ``Vault/checkCredential(_:pin:)`` makes one. It holds what the key store needs to open the
/// credential's way into that subject's keys, so that a program which only claims that the PIN was
/// right can open none.
public struct CredentialProof: ~Copyable, Sendable {
    /// Whose credential it was.
    public let subject: Subject

    /// What the key store gave for the right credential; its meaning is the store's own.
    package let secret: SecretBytes

    init(subject: Subject, secret: consuming SecretBytes) {
        self.subject = subject
        self.secret = secret
    }
}
