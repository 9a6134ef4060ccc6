/// A value that is bound to a `?` of a statement.
public enum DatabaseValue: Equatable, Sendable {
    /// A signed 64-bit number.
    case integer(Int64)
    /// A text, which may contain NUL characters.
    case text(String)
    /// Bytes.
    case blob([UInt8])
    /// No value.
    case null
}

extension DatabaseValue {
    /// A number, or null.
    ///
    /// - Parameter value: The number; nil becomes null.
    /// - Returns: The value to bind.
    public static func optional(_ value: Int64?) -> DatabaseValue {
        value.map { .integer($0) } ?? .null
    }

    /// A text, or null.
    ///
    /// - Parameter value: The text; nil becomes null.
    /// - Returns: The value to bind.
    public static func optional(_ value: String?) -> DatabaseValue {
        value.map { .text($0) } ?? .null
    }

    /// Bytes, or null.
    ///
    /// - Parameter value: The bytes; nil becomes null.
    /// - Returns: The value to bind.
    public static func optional(_ value: [UInt8]?) -> DatabaseValue {
        value.map { .blob($0) } ?? .null
    }
}
