public import WhorlBiometrics
public import WhorlDatabase

/// The store's database, with the thread on which alone it may be touched.
///
/// The actors that keep their rows in it (the vault, the record of attempts) name its
/// ``thread`` as their executor, and so share one connection without ever sharing an instant.
public final class StoreDatabase: @unchecked Sendable {
    // Unchecked, since a connection is not Sendable: every access traps off its thread, and so does
    // every access to the stamp.

    /// The name of the file in the store's folder.
    public static let fileName = "whorl.db"

    /// The thread of the connection.
    public let thread: DatabaseThread

    /// The path of the store's folder.
    public let folder: String

    private let database: Database
    private var keptStamp: StoreStamp?

    /// What keeps count of the writes; nil until the vault is open.
    ///
    /// Traps on any other thread than ``thread``.
    var stamp: StoreStamp? {
        get {
            thread.checkIsolated()
            return keptStamp
        }
        set {
            thread.checkIsolated()
            keptStamp = newValue
        }
    }

    /// The connection.
    ///
    /// Traps on any other thread than ``thread``.
    public var connection: Database {
        thread.checkIsolated()
        return database
    }

    fileprivate init(thread: DatabaseThread, folder: String, database: Database) {
        self.thread = thread
        self.folder = folder
        self.database = database
    }

    /// Opens the database of a store, after checks of its folder and files.
    ///
    /// - Parameters:
    ///   - folder: The path of the store's folder.
    ///   - creating: Whether to make the folder (not those above it) and the file if missing.
    /// - Returns: The database, which has none of the actors' tables yet.
    /// - Throws: ``VaultError/notSetUp`` where there is none, ``VaultError/unsafePermissions(_:)``,
    ///   ``VaultError/foreignStore``, ``VaultError/newerStore``, ``VaultError/damaged(_:)``,
    ///   ``VaultError/storeBusy``, ``VaultError/storage(_:)``.
    public static func open(
        folder: String, creating: Bool
    ) async throws(VaultError) -> StoreDatabase {
        let thread: DatabaseThread
        do throws(DatabaseError) {
            thread = try DatabaseThread()
        } catch {
            throw VaultError(error)
        }
        return try await Opener(thread: thread).open(folder: folder, creating: creating)
    }
}

/// Opens on the thread, since opening waits for the disk.
private actor Opener {
    private let thread: DatabaseThread

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        unsafe thread.asUnownedSerialExecutor()
    }

    init(thread: DatabaseThread) {
        self.thread = thread
    }

    func open(folder: String, creating: Bool) throws(VaultError) -> StoreDatabase {
        do throws(DatabaseError) {
            return StoreDatabase(
                thread: thread, folder: folder,
                database: try Database(
                    inFolder: folder, named: StoreDatabase.fileName, create: creating))
        } catch {
            throw VaultError(error)
        }
    }
}
