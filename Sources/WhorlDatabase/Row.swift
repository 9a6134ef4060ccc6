internal import CWhorlSQLite

/// One row of an answer.
///
/// Nothing is converted: a value of another type than asked for is damage, not a surprise.
@safe
public struct Row: ~Copyable {
    private let statement: OpaquePointer

    init(of statement: borrowing Statement) {
        unsafe self.statement = statement.handle
    }

    /// The number of columns.
    public var count: Int { unsafe Int(sqlite3_column_count(statement)) }

    /// Reads a number.
    ///
    /// The corresponding C function is `sqlite3_column_int64`.
    ///
    /// - Parameter column: The column, from 0.
    /// - Returns: The number.
    /// - Throws: ``DatabaseError/damaged(code:)`` if it is none.
    public func integer(_ column: Int) throws(DatabaseError) -> Int64 {
        guard type(of: column) == SQLITE_INTEGER else { throw .wrongType }
        return unsafe sqlite3_column_int64(statement, CInt(column))
    }

    /// Reads a text.
    ///
    /// The corresponding C function is `sqlite3_column_text`.
    ///
    /// - Parameter column: The column, from 0.
    /// - Returns: The text, with any NUL characters that it was stored with.
    /// - Throws: ``DatabaseError/damaged(code:)`` if it is none, or no UTF-8.
    public func text(_ column: Int) throws(DatabaseError) -> String {
        guard type(of: column) == SQLITE_TEXT else { throw .wrongType }
        let start = unsafe sqlite3_column_text(statement, CInt(column))
        let bytes = unsafe UnsafeBufferPointer(start: start, count: byteCount(of: column))
        guard let text = unsafe String(validating: bytes, as: UTF8.self) else { throw .wrongType }
        return text
    }

    /// Reads bytes.
    ///
    /// The corresponding C function is `sqlite3_column_blob`.
    ///
    /// - Parameter column: The column, from 0.
    /// - Returns: The bytes.
    /// - Throws: ``DatabaseError/damaged(code:)`` if it is none.
    public func blob(_ column: Int) throws(DatabaseError) -> [UInt8] {
        guard type(of: column) == SQLITE_BLOB else { throw .wrongType }
        let start = unsafe sqlite3_column_blob(statement, CInt(column))
        return unsafe [UInt8](
            UnsafeRawBufferPointer(start: start, count: byteCount(of: column)))
    }

    /// Tells whether there is no value.
    ///
    /// - Parameter column: The column, from 0.
    /// - Returns: Whether it is null.
    public func isNull(_ column: Int) -> Bool { type(of: column) == SQLITE_NULL }

    private func type(of column: Int) -> CInt {
        precondition((0..<count).contains(column), "no column \(column)")
        return unsafe sqlite3_column_type(statement, CInt(column))
    }

    private func byteCount(of column: Int) -> Int {
        unsafe Int(sqlite3_column_bytes(statement, CInt(column)))
    }
}
