internal import CWhorlSQLite

extension Database {
    /// Whether a transaction will write.
    public enum TransactionKind: Sendable {
        /// It only reads, and sees one state throughout.
        case read
        /// It writes: it holds the one write lock of all processes from its beginning on.
        case immediate
        /// As ``immediate``, but nobody waits for the disk: a power cut soon after may undo it.
        ///
        /// It never undoes half of it, nor anything before it, and the death of a process undoes
        /// nothing. For what may as well not have happened, and only that.
        case unsynced
    }

    /// How many rows this connection inserted, changed or deleted so far.
    ///
    /// The corresponding C function is `sqlite3_total_changes64`.
    public var changeCount: Int64 { unsafe sqlite3_total_changes64(handle) }

    /// Does several things at once, or none of them.
    ///
    /// Transactions do not nest. What the body reads stays true until the end.
    ///
    /// - Parameters:
    ///   - kind: Whether it will write.
    ///   - body: What to do. If it throws, all it did is undone.
    /// - Returns: What the body returns.
    /// - Throws: What the body throws, or a ``DatabaseError``: `busy` if another process holds the
    ///   lock too long.
    @discardableResult
    public func transaction<Result: ~Copyable>(
        _ kind: TransactionKind = .immediate, _ body: () throws -> Result
    ) throws -> Result {
        try begin(kind)
        defer { if kind == .unsynced { synchronizeAgain() } }
        do {
            let result = try body()
            try run("COMMIT")
            return result
        } catch {
            rollBack()
            throw error
        }
    }

    /// An immediate transaction whose body knows no other error than ours.
    func atomically(_ body: () throws(DatabaseError) -> Void) throws(DatabaseError) {
        try begin(.immediate)
        do throws(DatabaseError) {
            try body()
            try run("COMMIT")
        } catch {
            rollBack()
            throw error
        }
    }

    private func begin(_ kind: TransactionKind) throws(DatabaseError) {
        switch kind {
        case .read: try run("BEGIN DEFERRED")
        case .immediate: try run("BEGIN IMMEDIATE")
        case .unsynced:
            try run("PRAGMA synchronous=NORMAL")
            do throws(DatabaseError) {
                try run("BEGIN IMMEDIATE")
            } catch {
                synchronizeAgain()
                throw error
            }
        }
    }

    // The setting lies in memory, so only a lack of that keeps it from being made. What were written
    // then would pass for safe, so nothing is.
    private func synchronizeAgain() {
        do throws(DatabaseError) {
            try run("PRAGMA synchronous=FULL")
        } catch {
            isUnfitForWriting = true
        }
    }

    /// Undoes the transaction, unless SQLite already did, as it does on a full disk.
    private func rollBack() {
        guard unsafe sqlite3_get_autocommit(handle) == 0 else { return }
        // If this fails too, the lock goes when the connection closes and the log is never committed.
        _ = try? run("ROLLBACK")
    }

    /// Moves everything from the log into the database file and empties the log.
    ///
    /// With `secure_delete` no deleted byte is left in either file afterwards.
    /// The corresponding C function is `sqlite3_wal_checkpoint_v2`.
    ///
    /// - Throws: ``DatabaseError``: `busy` if another process reads or writes too long.
    public func checkpoint() throws(DatabaseError) {
        let code = unsafe sqlite3_wal_checkpoint_v2(
            handle, "main", SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
        guard code == SQLITE_OK else { throw DatabaseError(code: code) }
    }

    /// Checks the whole file: its structure, its indexes, its foreign keys.
    ///
    /// - Throws: ``DatabaseError``: `damaged` if anything is wrong.
    public func checkIntegrity() throws(DatabaseError) {
        let findings = try rows("PRAGMA integrity_check(1)") { row throws(DatabaseError) in
            try row.text(0)
        }
        guard findings == ["ok"] else { throw .damaged(code: SQLITE_CORRUPT) }
        let orphans: [Void] = try rows("PRAGMA foreign_key_check") { _ throws(DatabaseError) in }
        guard orphans.isEmpty else { throw .damaged(code: SQLITE_CORRUPT) }
    }
}
