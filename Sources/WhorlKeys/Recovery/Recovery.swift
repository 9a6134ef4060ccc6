package import WhorlBiometrics
import WhorlCrypto
import WhorlDatabase
package import WhorlSecrets

/// Opens keys with the recovery key and the database alone.
///
/// No storage key, TPM, reader or PIN takes part, so it also works on another machine with a copy of
/// the database. Without the storage key nothing vouches for the rows; but a payload opens only as
/// the very key that the row claims, or not at all.
package actor Recovery {
    private let database: StoreDatabase

    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        unsafe database.thread.asUnownedSerialExecutor()
    }

    package init(database: StoreDatabase) {
        self.database = database
    }

    /// Opens a key.
    ///
    /// - Parameters:
    ///   - name: The key of the subject.
    ///   - subject: Whose key it is.
    ///   - recoveryKey: The recovery key, 32 bytes, as ``RecoveryKeyForm`` read it.
    /// - Returns: The secret.
    /// - Throws: ``VaultError/notSetUp``, ``VaultError/noSuchKey``;
    ///   ``VaultError/unenforceable(_:)`` for a key that was made without recovery;
    ///   ``VaultError/authentication(_:)`` with `wrongCredential` for another recovery key;
    ///   ``VaultError/damaged(_:)``, ``VaultError/storeBusy``, ``VaultError/storage(_:)``.
    package func open(
        _ name: KeyName, of subject: Subject, with recoveryKey: HeldSecret
    ) throws(VaultError) -> SecretBytes {
        guard let recoveryKey = recoveryKey.take() else {
            throw .internalError("a recovery key was used twice")
        }
        let tables = VaultTables(database: database)
        let found = try database.transaction(.read) { () throws(VaultError) in
            guard let vault = try tables.vault(), let owner = try tables.subject(subject) else {
                throw .notSetUp
            }
            guard let row = try tables.key(name, of: subject) else { throw .noSuchKey }
            let attributes = try StoredKey.attributes(row, of: subject, vaultID: vault.id)
            guard let branch = row.recovery, let payload = try tables.payload(of: attributes.id)
            else { throw .unenforceable("\(name) was made without a way for the recovery key") }
            return (
                attributes: attributes, branch: branch, payload: payload, owner: owner.recovery
            )
        }
        let payloadKey = try Self.unwrap(
            found.branch, found.attributes, owner: found.owner, recoveryKey)
        return try Payload.open(found.payload, under: payloadKey, found.attributes)
    }

    private static func unwrap(
        _ branch: [UInt8], _ attributes: KeyAttributes, owner: [UInt8],
        _ recoveryKey: borrowing SecretBytes
    ) throws(VaultError) -> SecretBytes {
        let pair: P256PrivateKey
        do throws(CryptoError) {
            pair = try RecoveryBranch.pair(of: recoveryKey)
        } catch {
            throw VaultError(error, in: "the recovery key")
        }
        guard pair.publicKey.uncompressed == owner else {
            throw .authentication(.wrongCredential)
        }
        return try RecoveryBranch.unwrap(branch, with: pair, attributes)
    }
}
