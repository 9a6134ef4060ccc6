internal import CWhorlSQLite

/// Owns one prepared statement (`sqlite3_stmt`).
///
/// Every word that this module says to SQLite about what is stored, reads, writes, transactions and
/// settings alike, passes through ``step()``.
@safe
struct Statement: ~Copyable {
    let handle: OpaquePointer

    /// Prepares the one statement of a text.
    init(_ database: OpaquePointer, _ sql: String) throws(DatabaseError) {
        var rest = sql[...]
        guard let statement = try unsafe Self.prepareFirst(database, of: &rest) else {
            preconditionFailure("no statement in: \(sql)")
        }
        precondition(rest.allSatisfy(\.isWhitespace), "more than one statement in: \(sql)")
        self = statement
    }

    private init(handle: OpaquePointer) { unsafe self.handle = handle }

    deinit { unsafe sqlite3_finalize(handle) }

    /// Prepares the first statement of a text and takes it off; nil if only white space is left.
    static func prepareFirst(
        _ database: OpaquePointer, of sql: inout Substring
    ) throws(DatabaseError) -> Statement? {
        var handle: OpaquePointer?
        var text = String(sql)
        var used = 0
        let code = text.withUTF8 { utf8 in
            unsafe utf8.withMemoryRebound(to: CChar.self) { bytes in
                var tail: UnsafePointer<CChar>?
                let code = unsafe sqlite3_prepare_v3(
                    database, bytes.baseAddress, CInt(clamping: bytes.count), 0, &handle, &tail)
                if let tail = unsafe tail, let start = bytes.baseAddress {
                    used = unsafe tail - start
                }
                return code
            }
        }
        guard code == SQLITE_OK else { throw DatabaseError(code: code) }
        sql = text[text.utf8.index(text.startIndex, offsetBy: used)...]
        guard let handle = unsafe handle else { return nil }
        return unsafe Statement(handle: handle)
    }

    func bind(_ values: [DatabaseValue]) throws(DatabaseError) {
        precondition(unsafe sqlite3_bind_parameter_count(handle) == values.count)
        for (index, value) in zip(CInt(1)..., values) {
            let code: CInt
            switch value {
            case .integer(let number):
                code = unsafe sqlite3_bind_int64(handle, index, number)
            case .text(var text):
                code = text.withUTF8 { utf8 in
                    unsafe utf8.withMemoryRebound(to: CChar.self) { bytes in
                        unsafe cwhorl_sqlite3_bind_text(
                            handle, index, bytes.baseAddress, UInt64(bytes.count))
                    }
                }
            case .blob(let bytes):
                code = unsafe bytes.withUnsafeBytes { bytes in
                    unsafe cwhorl_sqlite3_bind_blob(
                        handle, index, bytes.baseAddress, UInt64(bytes.count))
                }
            case .null:
                code = unsafe sqlite3_bind_null(handle, index)
            }
            guard code == SQLITE_OK else { throw DatabaseError(code: code) }
        }
    }

    /// Makes it ready to be run again, with no values and no lock left.
    func reset() {
        // What it answers is how the last run ended, which was told already.
        unsafe sqlite3_reset(handle)
        unsafe sqlite3_clear_bindings(handle)
    }

    /// Runs to the next row; false at the end.
    func step() throws(DatabaseError) -> Bool {
        switch unsafe sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code: throw DatabaseError(code: code)
        }
    }
}
