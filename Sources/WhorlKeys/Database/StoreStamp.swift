import WhorlBiometrics

/// Notices a database that was put back from a copy.
///
/// The database counts its writes, and a small file beside it says what the count was last, of which
/// vault and on which machine. A database that is behind the file is an older one. A file that is
/// behind the database means nothing: it is written after the commit, with no wait for the disk, and
/// where it cannot be written what was committed stands.
///
/// Who copies both files back is not noticed here, nor who can write them: that takes a counter that
/// only goes up, which a TPM has.
struct StoreStamp {
    private let file: StampFile
    private let vaultID: [UInt8]
    private let machine: [UInt8]

    init(folder: String, vaultID: [UInt8], machine: [UInt8]) {
        file = StampFile(folder: folder)
        self.vaultID = vaultID
        self.machine = machine
    }

    /// Looks how old the database is, and begins to keep the stamp.
    ///
    /// A store with no stamp gets one. Where none can be made, as on a full disk, the store is used
    /// without.
    ///
    /// - Throws: ``VaultError`` where it was put back and that could not be recorded.
    func begin(in database: StoreDatabase) throws(VaultError) {
        let tables = StampTables(database: database)
        let counter = try tables.counter()
        if restoration(at: counter) != nil {
            try noteRestoration(tables)
        } else {
            try catchUp(tables, from: counter)
        }
        database.stamp = self
    }

    /// Counts a write, within its transaction.
    func advance(_ database: StoreDatabase) throws(VaultError) -> Int64? {
        try StampTables(database: database).advance()
    }

    /// Writes down that the store is so old now.
    func note(_ counter: Int64) {
        file.write(StampFile.Record(vaultID: vaultID, counter: counter, machine: machine))
    }

    private func restoration(at counter: Int64?) -> StoreRestoration? {
        switch file.read() {
        // The database has a count only after there was a file.
        case .lost, .missing: counter == nil ? nil : .unknown
        case .record(let record) where record.vaultID != vaultID: .unknown
        case .record(let record) where record.machine != machine: .otherMachine
        case .record(let record): record.counter > counter ?? 0 ? .older : nil
        }
    }

    private func noteRestoration(_ tables: StampTables) throws(VaultError) {
        let counter = try tables.database.transaction { () throws(VaultError) -> Int64? in
            // Looked at again with the lock held: another process may have written between one look
            // and the other, or seen to it already.
            let counter = try tables.counter()
            guard let restoration = restoration(at: counter) else { return nil }
            try tables.noteRestoration(restoration)
            var last = counter ?? 0
            if case .record(let record) = file.read() { last = max(last, record.counter) }
            let (next, overflow) = last.addingReportingOverflow(1)
            guard !overflow else { throw .damaged("the count of writes is at its end") }
            try tables.setCounter(next)
            return next
        }
        if let counter { note(counter) }
    }

    private func catchUp(_ tables: StampTables, from counter: Int64?) throws(VaultError) {
        let record = StampFile.Record(vaultID: vaultID, counter: counter ?? 0, machine: machine)
        if counter != nil {
            if file.read() != .record(record) { file.write(record) }
            return
        }
        // The file first: a database with a count and no file beside it was put back.
        guard file.write(record) else { return }
        do throws(VaultError) {
            try tables.database.transaction { () throws(VaultError) in
                guard try tables.counter() == nil else { return }
                try tables.setCounter(0)
            }
        } catch {
            guard case .storage = error else { throw error }
        }
    }
}
