public import WhorlBiometrics
package import WhorlCrypto
import WhorlDatabase
import WhorlSecrets

/// Keys that open with a finger or the credential, and the fingers themselves.
///
/// Every secret is sealed under a key of its own, which a key store wraps once for every way in. A
/// vault gives it out for a ``Grant`` only, and checks of it what can be checked: whose vault, key and
/// subject it names, its age, the factors against the key's access control, the strength, and
/// whether the enrolled fingers are still those that the key was made with.
public actor Vault {
    /// The vault's identity: 16 random bytes, made with the store.
    public nonisolated let id: [UInt8]

    /// The path of the store's folder.
    public nonisolated let folder: String

    /// What kind of key store wraps the keys.
    public nonisolated var storeKind: StoreKind { store.kind }

    /// The thread of the store's database, which the vault shares with others that keep rows there.
    public nonisolated var unownedExecutor: UnownedSerialExecutor {
        unsafe thread.asUnownedSerialExecutor()
    }

    private nonisolated let thread: DatabaseThread
    nonisolated let store: any KeyStore
    nonisolated let storageKey: StorageKey
    nonisolated let tables: VaultTables
    nonisolated let timekeeper: any Timekeeper
    /// What new credentials cost; nil for what is measured here.
    nonisolated let scrypt: ScryptParameters?
    private var keyDerivation: KeyDerivation?

    private init(
        database: StoreDatabase, storageKey: StorageKey, store: any KeyStore,
        timekeeper: any Timekeeper, scrypt: ScryptParameters?
    ) {
        id = storageKey.vaultID
        folder = database.folder
        thread = database.thread
        self.store = store
        self.storageKey = storageKey
        tables = VaultTables(database: database)
        self.timekeeper = timekeeper
        self.scrypt = scrypt
    }

    /// Opens the vault of a store.
    ///
    /// In a new store it makes the tables, the vault's identity and the storage key, which lies in
    /// the file `storage.key` of the folder.
    ///
    /// - Parameters:
    ///   - database: The store's database.
    ///   - timekeeper: The clocks, by which the age of a grant is measured.
    /// - Returns: The vault, with the one mint of its grants.
    /// - Throws: ``VaultError/otherMachine`` where the storage key is missing,
    ///   ``VaultError/damaged(_:)`` where it is another one,
    ///   ``VaultError/unsafePermissions(_:)`` where others could touch it,
    ///   ``VaultError/newerStore``, ``VaultError/storeBusy``, ``VaultError/storage(_:)``.
    public static func open(
        database: StoreDatabase, timekeeper: any Timekeeper
    ) async throws(VaultError) -> OpenedVault {
        try await open(database: database, timekeeper: timekeeper, scrypt: nil)
    }

    /// Opens a vault on another key store, or whose new credentials take another amount of work.
    package static func open(
        database: StoreDatabase, timekeeper: any Timekeeper, scrypt: ScryptParameters?,
        store makeStore: @Sendable (StorageKey) -> any KeyStore = {
            SoftwareKeyStore(storageKey: $0)
        }
    ) async throws(VaultError) -> OpenedVault {
        let storageKey = try await VaultOpener(database: database).open()
        return OpenedVault(
            Vault(
                database: database, storageKey: storageKey, store: makeStore(storageKey),
                timekeeper: timekeeper, scrypt: scrypt))
    }

    func derivation() throws(VaultError) -> KeyDerivation {
        if let keyDerivation { return keyDerivation }
        let new = try KeyDerivation()
        keyDerivation = new
        return new
    }

    // MARK: Grants

    /// Checks of a grant what does not depend on what it opens.
    ///
    /// - Throws: ``VaultError/internalError(_:)`` for a grant that is for something else, since only
    ///   a mistake of ours brings one here; ``AuthenticationError/systemCancelled`` for one that is
    ///   too old, which a suspend between match and use makes it.
    func check(_ grant: borrowing Grant, isFor purpose: GrantPurpose) throws(VaultError) {
        guard grant.vaultID == id else {
            throw .internalError("a grant of another vault was given")
        }
        guard grant.purpose == purpose else {
            throw .internalError("a grant for something else was given")
        }
        guard let age = timekeeper.now().nanoseconds(since: grant.minted),
            age <= Grant.lifetimeSeconds * 1_000_000_000
        else { throw .authentication(.systemCancelled) }
    }

    // MARK: Deletion

    /// Takes what was deleted out of the files.
    ///
    /// It is deleted already, and its bytes are sealed; so another process that reads just now only
    /// puts this off until the next deletion or the last closing.
    func sweep() {
        try? tables.database.perform { (database) throws(DatabaseError) in
            try database.checkpoint()
        }
    }
}
