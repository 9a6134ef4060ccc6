public import WhorlBiometrics
import WhorlCrypto
import WhorlSecrets

/// Proof that a subject's recovery key was given.
///
/// Only ``Vault/checkRecoveryKey(_:of:)`` makes one. It holds what opens the recovery key's way into
/// that subject's keys.
public struct RecoveryProof: ~Copyable, Sendable {
    /// Whose recovery key it was.
    public let subject: Subject

    /// The private half that the recovery key stands for, 32 bytes.
    let scalar: SecretBytes

    init(subject: Subject, scalar: consuming SecretBytes) {
        self.subject = subject
        self.scalar = scalar
    }

    /// The key pair that the recovery key stands for.
    borrowing func pair() throws(VaultError) -> P256PrivateKey {
        let copy = try memory { () throws(SecretMemoryError) in try scalar.clone() }
        do throws(CryptoError) {
            return try P256PrivateKey(scalar: copy)
        } catch {
            throw VaultError(error, in: "the recovery key")
        }
    }
}
