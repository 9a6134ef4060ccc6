public import WhorlBiometrics
import WhorlDatabase

extension Vault {
    /// Whether the store was put back from a copy, and the credential was not given since.
    ///
    /// - Throws: ``VaultError/damaged(_:)``, ``VaultError/storeBusy``, ``VaultError/storage(_:)``.
    public func restoration(of subject: Subject) throws(VaultError) -> StoreRestoration? {
        try StampTables(database: tables.database).restoration(of: subject)
    }

    /// Takes note that the owner is here: fingers count again.
    ///
    /// - Parameter grant: A grant to clear a lockout, by the credential or the recovery key.
    /// - Throws: ``VaultError/authentication(_:)`` where neither was given;
    ///   ``VaultError/internalError(_:)`` for a grant of another vault or for something else;
    ///   ``VaultError/damaged(_:)``, ``VaultError/storeBusy``, ``VaultError/storage(_:)``. Fingers
    ///   count as little as before then.
    public func acceptRestoration(_ grant: consuming Grant) throws(VaultError) {
        try check(grant, isFor: .clearLockout)
        guard grant.factors.contains(.deviceCredential) || grant.factors == [.recoveryKey] else {
            throw .authentication(
                .notPermitted(.whorl("this needs the PIN or the recovery key")))
        }
        let subject = grant.subject
        guard try restoration(of: subject) != nil else { return }
        // Not waited for: a power cut that undoes it only asks for the PIN again.
        try tables.database.transaction(.unsynced) { () throws(VaultError) in
            try StampTables(database: tables.database).forgetRestoration(of: subject)
        }
    }
}
