internal import CWhorlSQLite
internal import Glibc

/// One connection to the one database file of a private folder.
///
/// It belongs to one actor, best one on a ``DatabaseThread``: every call may wait for the disk or for
/// another process. Writing is safe against a kill or a power cut at any instant (write-ahead log,
/// `synchronous=FULL`), but for ``TransactionKind/unsynced``, and what is deleted is overwritten
/// (`secure_delete`).
@safe
public final class Database {
    /// What marks the file as ours: "Whrl" in the header's application id.
    public static let applicationID: Int64 = 0x5768_726C

    /// The version of everything that is common to all modules.
    static let formatVersion: Int64 = 1

    /// The most bytes that one value may have: far more than any, and far less than all memory.
    static let maximumValueCount: CInt = 4 << 20

    let handle: OpaquePointer

    let idle = IdleStatements()
    /// Whether what is written now might not be safe against a power cut, so nothing must be.
    var isUnfitForWriting = false

    /// Opens a database, after checks of the folder and of each of its files.
    ///
    /// The folder must be a real folder of this user with mode 0700, the database and the files
    /// that SQLite keeps beside it (`-wal`, `-shm`, `-journal`) regular files of this user with mode
    /// 0600, none of them a symbolic link or with a second name.
    /// The corresponding C function is `sqlite3_open_v2`.
    ///
    /// - Parameters:
    ///   - folder: The path of the folder.
    ///   - name: The name of the file in it.
    ///   - create: Whether to make the folder (not those above it) and the file if missing, and a
    ///     database of a file that is empty.
    ///   - busyTimeout: How long each call waits for another process, at most.
    /// - Throws: ``DatabaseError``: `notPrivate`, `missing`, `notOurs`, `newerSchema`, `damaged`,
    ///   `busy`, `full`, `readOnly`, `inputOutput`, `system`. Nothing was changed then, but for a
    ///   folder and an empty file that may have been made.
    public init(
        inFolder folder: String, named name: String, create: Bool,
        busyTimeout: Duration = .seconds(5)
    ) throws(DatabaseError) {
        precondition(!name.isEmpty && !name.utf8.contains(0) && !name.contains("/"))
        let folder = try PrivateFolder(path: folder, create: create)
        if create { try folder.createPrivateFile(named: name) }
        let path = "\(folder.path)/\(name)"
        guard try folder.containsPrivateFile(named: name) else { throw .missing(path: path) }
        for suffix in ["-wal", "-shm", "-journal"] {
            _ = try folder.containsPrivateFile(named: name + suffix)
        }
        unsafe handle = try Self.open(path)
        try configure(busyTimeout: busyTimeout)
        try identify(path: path, create: create, until: .now + busyTimeout)
    }

    deinit {
        // SQLite closes nothing that has a statement left.
        idle.removeAll()
        unsafe sqlite3_close(handle)
    }

    private static func open(_ path: String) throws(DatabaseError) -> OpaquePointer {
        var handle: OpaquePointer?
        let code = unsafe sqlite3_open_v2(
            path, &handle,
            SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOFOLLOW | SQLITE_OPEN_EXRESCODE
                | SQLITE_OPEN_PRIVATECACHE | SQLITE_OPEN_NOMUTEX, nil)
        guard code == SQLITE_OK, let handle = unsafe handle else {
            // A handle is made even on failure, except for want of memory.
            unsafe sqlite3_close(handle)
            throw DatabaseError(code: code)
        }
        // Where the file cannot be written SQLite quietly opens it for reading.
        guard unsafe sqlite3_db_readonly(handle, "main") == 0 else {
            unsafe sqlite3_close(handle)
            throw .readOnly(code: SQLITE_READONLY)
        }
        return unsafe handle
    }

    private func configure(busyTimeout: Duration) throws(DatabaseError) {
        let switches: [(operation: CInt, on: CInt)] = [
            (SQLITE_DBCONFIG_DEFENSIVE, 1), (SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0),
            (SQLITE_DBCONFIG_ENABLE_FKEY, 1), (SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0),
            (SQLITE_DBCONFIG_DQS_DML, 0), (SQLITE_DBCONFIG_DQS_DDL, 0),
            // Closing what turns out to be another's database must not write to it.
            (SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1),
        ]
        for (operation, on) in switches {
            let code = unsafe cwhorl_sqlite3_db_config(handle, operation, on)
            guard code == SQLITE_OK else { throw DatabaseError(code: code) }
        }
        unsafe sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, Self.maximumValueCount)
        unsafe sqlite3_limit(handle, SQLITE_LIMIT_ATTACHED, 0)
        let (seconds, attoseconds) = busyTimeout.components
        let milliseconds = min(max(seconds, 0), 3600) * 1000 + attoseconds / 1_000_000_000_000_000
        unsafe sqlite3_busy_timeout(handle, CInt(clamping: milliseconds))
        for (pragma, value) in [
            ("synchronous", 2), ("secure_delete", 1), ("foreign_keys", 1), ("cell_size_check", 1),
            ("trusted_schema", 0), ("mmap_size", 0),
            // Sorting must not leave bytes in a temporary file.
            ("temp_store", 2),
        ] as [(String, Int64)] {
            _ = try rows("PRAGMA \(pragma)=\(value)") { _ throws(DatabaseError) in }
            let now = try rows("PRAGMA \(pragma)") { row throws(DatabaseError) in
                try row.integer(0)
            }
            // mmap_size answers with no row where SQLite was built without it.
            guard now.allSatisfy({ $0 == value }) else { throw .library(code: SQLITE_ERROR) }
        }
    }

    private func identify(
        path: String, create: Bool, until deadline: ContinuousClock.Instant
    ) throws(DatabaseError) {
        if try isFreshAtOneInstant(path: path) {
            // An empty file is no database yet, and whoever only looks must not make it one.
            guard create else { throw .missing(path: path) }
            // Another process may be at it too, so look again with the lock held.
            try retryWhileBusy(until: deadline) { () throws(DatabaseError) in
                try atomically { () throws(DatabaseError) in
                    guard try isFresh(path: path) else { return }
                    try run("PRAGMA application_id=\(Self.applicationID)")
                    try run("PRAGMA user_version=\(Self.formatVersion)")
                    try run(DatabaseSchema.versionTable)
                }
            }
        }
        try retryWhileBusy(until: deadline) { () throws(DatabaseError) in
            let mode = try row("PRAGMA journal_mode=WAL") { row throws(DatabaseError) in
                try row.text(0)
            }
            // Without shared memory, as on some network file systems, the log cannot be had.
            guard mode == "wal" else { throw .inputOutput(code: cwhorl_sqlite_ioerr_shmmap) }
        }
        let code = unsafe cwhorl_sqlite3_db_config(handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 0)
        guard code == SQLITE_OK else { throw DatabaseError(code: code) }
    }

    // Read one after the other, the marks of a database that another process makes just now would be
    // those of nobody's.
    private func isFreshAtOneInstant(path: String) throws(DatabaseError) -> Bool {
        try run("BEGIN DEFERRED")
        defer { _ = try? run("ROLLBACK") }
        return try isFresh(path: path)
    }

    /// Whether nothing was ever stored here; throws if what was stored is not ours.
    private func isFresh(path: String) throws(DatabaseError) -> Bool {
        let application = try number("PRAGMA application_id")
        let version = try number("PRAGMA user_version")
        if application == Self.applicationID {
            guard version <= Self.formatVersion else {
                throw .newerSchema(
                    module: "format", found: Int(version), known: Int(Self.formatVersion))
            }
            return false
        }
        guard application == 0, version == 0,
            try number("SELECT count(*) FROM sqlite_schema") == 0
        else { throw .notOurs(path: path) }
        return true
    }

    private func number(_ sql: String) throws(DatabaseError) -> Int64 {
        let number = try row(sql) { row throws(DatabaseError) in try row.integer(0) }
        guard let number else { throw .wrongType }
        return number
    }

    /// SQLite does not wait where two processes could wait for each other, as when both set the
    /// journal mode; so we do.
    private func retryWhileBusy(
        until deadline: ContinuousClock.Instant, _ body: () throws(DatabaseError) -> Void
    ) throws(DatabaseError) {
        while true {
            do throws(DatabaseError) {
                return try body()
            } catch {
                guard case .busy = error, ContinuousClock.now < deadline else { throw error }
                usleep(10_000)
            }
        }
    }
}
