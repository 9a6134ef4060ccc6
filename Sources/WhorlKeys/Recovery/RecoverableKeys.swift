package import WhorlBiometrics
import WhorlCrypto
package import WhorlSecrets

/// The keys of one subject that the recovery key opens, read out of a store or a backup.
///
/// Nothing vouches for it but what the recovery key finds: a payload opens only as the very key that
/// stands beside it, or not at all.
package struct RecoverableKeys: Sendable {
    /// The vault that they are of.
    package let vaultID: [UInt8]
    /// Whose they are.
    package let subject: Subject
    /// The public half of the recovery key.
    let publicHalf: P256PublicKey
    /// The keys, by name.
    package let keys: [RecoverableKey]
    /// The keys of the same subject that are not among them.
    package let leftOut: [UnrecoverableKey]

    /// The names of the keys that a recovery key opens, each of them tried.
    ///
    /// - Parameter recoveryKey: The recovery key in its written form.
    /// - Returns: The keys that it opens, and those that it does not.
    /// - Throws: ``VaultError/invalidRecoveryKey(_:)`` for a mistyped one;
    ///   ``VaultError/authentication(_:)`` with `wrongRecoveryKey` for another one;
    ///   ``VaultError/storage(_:)``.
    package func check(
        _ recoveryKey: HeldSecret
    ) throws(VaultError) -> (opened: [RecoverableKey], leftOut: [UnrecoverableKey]) {
        let pair = try pair(of: recoveryKey)
        var opened: [RecoverableKey] = []
        var leftOut = leftOut
        for key in keys {
            do throws(VaultError) {
                _ = try key.open(with: pair)
                opened.append(key)
            } catch {
                guard case .damaged = error else { throw error }
                leftOut.append(
                    UnrecoverableKey(name: key.attributes.name.text, reason: .damaged))
            }
        }
        return (opened, leftOut)
    }

    /// Checks whether a key is one that the recovery key opens.
    ///
    /// - Throws: ``VaultError/noSuchKey``; ``VaultError/noRecovery`` for one that was made without
    ///   it, or signs; ``VaultError/damaged(_:)`` for one that is not as it was stored.
    package func key(_ name: KeyName) throws(VaultError) -> RecoverableKey {
        if let key = keys.first(where: { $0.attributes.name == name }) { return key }
        switch leftOut.first(where: { $0.name == name.text })?.reason {
        case nil: throw .noSuchKey
        case .damaged: throw .damaged("the key \(name) was changed")
        default: throw .noRecovery
        }
    }

    /// Opens a key.
    ///
    /// - Parameters:
    ///   - name: The key.
    ///   - recoveryKey: The recovery key in its written form.
    /// - Returns: The secret.
    /// - Throws: As ``key(_:)``; ``VaultError/invalidRecoveryKey(_:)`` for a mistyped recovery key;
    ///   ``VaultError/authentication(_:)`` with `wrongRecoveryKey` for another one;
    ///   ``VaultError/storage(_:)``.
    package func open(
        _ name: KeyName, with recoveryKey: HeldSecret
    ) throws(VaultError) -> SecretBytes {
        let key = try key(name)
        return try key.open(with: pair(of: recoveryKey))
    }

    /// The key pair that a recovery key stands for, where it is the one of these keys.
    func pair(of recoveryKey: HeldSecret) throws(VaultError) -> P256PrivateKey {
        let pair = try RecoveryBranch.pair(ofWritten: recoveryKey)
        guard pair.publicKey == publicHalf else { throw .authentication(.wrongRecoveryKey) }
        return pair
    }
}
