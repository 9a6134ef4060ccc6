import WhorlBiometrics
import WhorlCrypto
import WhorlDatabase
import WhorlSecrets

/// The thread on which PINs are turned into keys, which takes long on purpose.
///
/// A thread of its own, so that neither the shared pool nor the database waits meanwhile.
actor KeyDerivation {
    private let thread: DatabaseThread

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        unsafe thread.asUnownedSerialExecutor()
    }

    init() throws(VaultError) {
        do throws(DatabaseError) {
            thread = try DatabaseThread(name: "whorl-scrypt")
        } catch {
            throw VaultError(error)
        }
    }

    /// Derives 32 bytes from a PIN or passphrase.
    func derive(
        from credential: HeldSecret, salt: [UInt8], parameters: ScryptParameters
    ) throws(VaultError) -> SecretBytes {
        guard let credential = credential.take() else {
            throw .internalError("a PIN was used twice")
        }
        return try crypto("the credential's record") { () throws(CryptoError) in
            try Scrypt.deriveKey(from: credential, salt: salt, parameters: parameters)
        }
    }
}
