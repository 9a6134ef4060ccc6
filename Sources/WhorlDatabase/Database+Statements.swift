internal import CWhorlSQLite
internal import Glibc

extension Database {
    /// Runs one statement that answers with no rows.
    ///
    /// The corresponding C function is `sqlite3_step`.
    ///
    /// - Parameters:
    ///   - sql: One statement, a literal of the program and never put together from outside values.
    ///   - values: A value for each `?`.
    /// - Returns: How many rows it inserted, changed or deleted.
    /// - Throws: ``DatabaseError``.
    @discardableResult
    public func run(_ sql: String, _ values: DatabaseValue...) throws(DatabaseError) -> Int {
        guard !isUnfitForWriting else { throw .system(function: "sqlite3_step", errno: ENOMEM) }
        let statement = try statement(sql)
        try statement.bind(values)
        while try statement.step() {}
        idle.keep(statement, for: sql)
        return unsafe Int(sqlite3_changes64(handle))
    }

    /// Reads all rows of an answer.
    ///
    /// - Parameters:
    ///   - sql: One statement, a literal of the program and never put together from outside values.
    ///   - values: A value for each `?`.
    ///   - read: Makes something of a row.
    /// - Returns: What was made, in order.
    /// - Throws: ``DatabaseError``.
    public func rows<Result>(
        _ sql: String, _ values: DatabaseValue...,
        reading read: (borrowing Row) throws(DatabaseError) -> Result
    ) throws(DatabaseError) -> [Result] {
        try rows(sql, values, limit: .max, reading: read)
    }

    /// Reads the only row of an answer.
    ///
    /// - Parameters:
    ///   - sql: One statement, a literal of the program and never put together from outside values.
    ///   - values: A value for each `?`.
    ///   - read: Makes something of the row.
    /// - Returns: What was made, or nil if there is no row.
    /// - Throws: ``DatabaseError``, `damaged` if there are more.
    public func row<Result>(
        _ sql: String, _ values: DatabaseValue...,
        reading read: (borrowing Row) throws(DatabaseError) -> Result
    ) throws(DatabaseError) -> Result? {
        try rows(sql, values, limit: 1, reading: read).first
    }

    private func rows<Result>(
        _ sql: String, _ values: [DatabaseValue], limit: Int,
        reading read: (borrowing Row) throws(DatabaseError) -> Result
    ) throws(DatabaseError) -> [Result] {
        let statement = try statement(sql)
        try statement.bind(values)
        var results: [Result] = []
        while try statement.step() {
            guard results.count < limit else { throw .wrongType }
            results.append(try read(Row(of: statement)))
        }
        idle.keep(statement, for: sql)
        return results
    }

    private func statement(_ sql: String) throws(DatabaseError) -> Statement {
        if let kept = idle.take(sql) { return kept }
        return try unsafe Statement(handle, sql)
    }

    /// Runs all statements of a script.
    func runScript(_ script: String) throws(DatabaseError) {
        var rest = script[...]
        while let statement = try unsafe Statement.prepareFirst(handle, of: &rest) {
            while try statement.step() {}
        }
    }
}
