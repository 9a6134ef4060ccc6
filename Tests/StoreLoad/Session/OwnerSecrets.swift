import WhorlBiometrics
import WhorlCrypto
package import WhorlSecrets

/// What the owner of a store knows; here it protects nothing.
package struct OwnerSecrets: Sendable, Hashable {
    /// Which of the PINs it is, from 0.
    package var pin: Int
    /// The recovery key in its written form.
    package var recoveryKey: [UInt8]

    package init(pin: Int = 0, recoveryKey: [UInt8]) {
        self.pin = pin
        self.recoveryKey = recoveryKey
    }

    /// The PIN.
    package var credential: HeldSecret { Self.held(Array("correct horse \(pin)".utf8)) }

    /// The recovery key.
    package var heldRecoveryKey: HeldSecret { Self.held(recoveryKey) }

    /// Holds a copy of bytes as a secret.
    package static func held(_ bytes: [UInt8]) -> HeldSecret {
        guard let secret = try? SecretBytes(copying: bytes.span) else {
            preconditionFailure("there is no memory for a secret")
        }
        return HeldSecret(secret)
    }

    /// The bytes of a secret.
    package static func bytes(of secret: borrowing SecretBytes) -> [UInt8] {
        secret.withBytes { bytes in
            unsafe bytes.withUnsafeBytes { unsafe [UInt8]($0) }
        }
    }

    /// So little work for a PIN that nobody waits.
    static var cheap: ScryptParameters {
        get throws(VaultError) {
            guard let cheap = try? ScryptParameters(cost: 16, blockSize: 1, parallelization: 1)
            else { throw .internalError("scrypt takes no such cost") }
            return cheap
        }
    }
}
