import WhorlBiometrics
import WhorlCrypto
import WhorlSecrets

/// The way in that needs nothing but the recovery key and the database.
///
/// It is the vault's and not the key store's: no machine, TPM or storage key takes part, so that it
/// still opens when all of those are gone.
enum RecoveryBranch {
    private static let info = CanonicalBytes("whorl/recovery-branch/1").bytes

    /// The key pair that belongs to a recovery key.
    static func pair(of recoveryKey: borrowing SecretBytes) throws(CryptoError) -> P256PrivateKey {
        try P256PrivateKey(
            derivedFrom: recoveryKey, info: CanonicalBytes("whorl/recovery-key/1").bytes)
    }

    /// The key pair of a recovery key as a person wrote it.
    ///
    /// - Throws: ``VaultError/invalidRecoveryKey(_:)`` where it is mistyped.
    static func pair(ofWritten written: HeldSecret) throws(VaultError) -> P256PrivateKey {
        guard let written = written.take() else {
            throw .internalError("a recovery key was used twice")
        }
        let key: SecretBytes
        do throws(RecoveryKeyError) {
            key = try RecoveryKeyForm.read(written)
        } catch .memory(let reason) {
            throw .storage(reason)
        } catch {
            throw .invalidRecoveryKey(error.message)
        }
        do throws(CryptoError) {
            return try pair(of: key)
        } catch {
            throw VaultError(error, in: "the recovery key")
        }
    }

    /// Wraps a payload key to the public half of a recovery key.
    static func wrap(
        _ payloadKey: borrowing SecretBytes, to publicHalf: P256PublicKey,
        _ attributes: KeyAttributes
    ) throws(VaultError) -> [UInt8] {
        do throws(CryptoError) {
            return try publicHalf.seal(
                payloadKey, info: info, authenticating: attributes.authenticated)
        } catch {
            throw VaultError(error, in: "the recovery branch")
        }
    }

    /// Unwraps a payload key with the recovery key's pair.
    static func unwrap(
        _ box: [UInt8], with pair: borrowing P256PrivateKey, _ attributes: KeyAttributes
    ) throws(VaultError) -> SecretBytes {
        do throws(CryptoError) {
            return try pair.open(box, info: info, authenticating: attributes.authenticated)
        } catch {
            throw VaultError(error, in: "the recovery branch of \(attributes.name)")
        }
    }
}
