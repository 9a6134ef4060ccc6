import WhorlBiometrics
import WhorlDatabase
import WhorlSecrets

/// Makes the tables, finds the storage key and looks whether the database is the newest, on the
/// database's thread.
actor VaultOpener {
    private let database: StoreDatabase

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        unsafe database.thread.asUnownedSerialExecutor()
    }

    init(database: StoreDatabase) {
        self.database = database
    }

    func open() throws(VaultError) -> StorageKey {
        try database.perform { (database) throws(DatabaseError) in
            try database.migrate([VaultTables.schema, StampTables.schema])
        }
        let tables = VaultTables(database: database)
        let key = try key(tables)
        try StoreStamp(
            folder: database.folder, vaultID: key.vaultID, machine: MachineIdentity.current()
        ).begin(in: database)
        return key
    }

    private func key(_ tables: VaultTables) throws(VaultError) -> StorageKey {
        if let key = try existingKey(tables) { return key }
        // Another process may be at it too, so look again with the lock held.
        return try database.transaction { () throws(VaultError) in
            if let key = try existingKey(tables) { return key }
            return try makeKey(tables)
        }
    }

    private func existingKey(_ tables: VaultTables) throws(VaultError) -> StorageKey? {
        guard let row = try tables.vault() else { return nil }
        guard row.id.count == identifierCount else { throw .damaged("the vault's id was changed") }
        guard let secret = try StorageKeyFile(folder: database.folder).read() else {
            // Never made anew: a new one would open nothing of what is here.
            throw .otherMachine
        }
        let key = try StorageKey(secret, vaultID: row.id)
        try key.check(
            row.code, of: Self.message(row.id),
            naming: "the vault's id or \(StorageKeyFile.name)")
        return key
    }

    private func makeKey(_ tables: VaultTables) throws(VaultError) -> StorageKey {
        guard try !tables.isInUse() else { throw .damaged("the vault's id is missing") }
        let secret = try StorageKeyFile(folder: database.folder).readOrCreate()
        let id = randomIdentifier()
        let key = try StorageKey(secret, vaultID: id)
        try tables.insertVault(id: id, code: key.authenticationCode(for: Self.message(id)))
        return key
    }

    private static func message(_ id: [UInt8]) -> CanonicalBytes {
        var bytes = CanonicalBytes("whorl/vault/1")
        bytes.append(id)
        return bytes
    }
}
