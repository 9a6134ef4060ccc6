package import WhorlBiometrics
import WhorlCrypto
import WhorlDatabase

/// Reads what the recovery key opens out of a database alone.
///
/// No storage key, TPM, reader or PIN takes part, so it also works on another machine. Nobody else may
/// use this database: its tables are brought to this version's, so it is a copy that nobody needs.
package actor Recovery {
    private let database: StoreDatabase

    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        unsafe database.thread.asUnownedSerialExecutor()
    }

    package init(database: StoreDatabase) {
        self.database = database
    }

    /// The keys of every subject, by the subject's name.
    ///
    /// - Throws: ``VaultError/notSetUp`` where nobody was ever set up; ``VaultError/newerStore``,
    ///   ``VaultError/damaged(_:)``, ``VaultError/storeBusy``, ``VaultError/storage(_:)``.
    package func read() throws(VaultError) -> [RecoverableKeys] {
        try database.perform { (database) throws(DatabaseError) in
            try database.migrate([VaultTables.schema])
        }
        let tables = VaultTables(database: database)
        return try database.transaction(.read) { () throws(VaultError) in
            guard let vault = try tables.vault() else { throw .notSetUp }
            var all: [RecoverableKeys] = []
            for name in try tables.subjectNames() {
                guard let subject = try? Subject(name: name) else {
                    throw .damaged("the name of a subject was changed")
                }
                all.append(try keys(of: subject, vaultID: vault.id, in: tables))
            }
            guard !all.isEmpty else { throw .notSetUp }
            return all
        }
    }

    private func keys(
        of subject: Subject, vaultID: [UInt8], in tables: VaultTables
    ) throws(VaultError) -> RecoverableKeys {
        guard let owner = try tables.subject(subject) else { throw .notSetUp }
        let publicHalf = try crypto("the record of \(subject)") { () throws(CryptoError) in
            try P256PublicKey(uncompressed: owner.recovery)
        }
        var keys: [RecoverableKey] = []
        var leftOut: [UnrecoverableKey] = []
        for row in try tables.keys(of: subject) {
            // One row that was changed keeps nobody from the others.
            guard let attributes = try? StoredKey.attributes(row, of: subject, vaultID: vaultID)
            else {
                leftOut.append(UnrecoverableKey(name: row.name, reason: .damaged))
                continue
            }
            guard attributes.kind == .secret else {
                leftOut.append(UnrecoverableKey(name: row.name, reason: .signing))
                continue
            }
            guard let branch = row.recovery else {
                leftOut.append(UnrecoverableKey(name: row.name, reason: .withoutRecovery))
                continue
            }
            guard let payload = try tables.payload(of: attributes.id) else { continue }
            keys.append(
                RecoverableKey(attributes: attributes, branch: branch, payload: payload))
        }
        return RecoverableKeys(
            vaultID: vaultID, subject: subject, publicHalf: publicHalf, keys: keys,
            leftOut: leftOut)
    }
}
