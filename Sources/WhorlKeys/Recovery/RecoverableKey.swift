import WhorlBiometrics
import WhorlCrypto
import WhorlSecrets

/// A secret as the recovery key reaches it: no part of it is of any use without.
package struct RecoverableKey: Sendable, Hashable {
    /// What is fixed about it; authenticated with the rest.
    package let attributes: KeyAttributes
    /// The payload key, sealed to the recovery key's public half.
    let branch: [UInt8]
    /// The secret under the payload key.
    let payload: [UInt8]

    /// Opens it.
    ///
    /// - Throws: ``VaultError/damaged(_:)`` where it is not what it says it is.
    func open(with pair: borrowing P256PrivateKey) throws(VaultError) -> SecretBytes {
        let payloadKey = try RecoveryBranch.unwrap(branch, with: pair, attributes)
        return try Payload.open(payload, under: payloadKey, attributes)
    }
}
