import WhorlBiometrics

/// Reads the fields of ``CanonicalBytes`` one by one, and takes no length for granted.
struct FieldReader {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) {
        rest = bytes
    }

    var isAtEnd: Bool { rest.isEmpty }

    private mutating func length() throws(VaultError) -> UInt64 {
        guard rest.count >= 8 else { throw BackupFile.cutShort }
        let length = rest.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        rest = rest.dropFirst(8)
        return length
    }

    mutating func field(atMost limit: Int) throws(VaultError) -> [UInt8] {
        guard let count = Int(exactly: try length()), count <= limit else {
            throw BackupFile.changed
        }
        guard count <= rest.count else { throw BackupFile.cutShort }
        let field = Array(rest.prefix(count))
        rest = rest.dropFirst(count)
        return field
    }

    mutating func field(exactly count: Int) throws(VaultError) -> [UInt8] {
        let field = try field(atMost: count)
        guard field.count == count else { throw BackupFile.changed }
        return field
    }

    mutating func integer() throws(VaultError) -> Int64 {
        let bytes = try field(exactly: 8)
        return Int64(bitPattern: bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
    }

    mutating func text(atMost limit: Int) throws(VaultError) -> String {
        guard let text = String(validating: try field(atMost: limit), as: UTF8.self) else {
            throw BackupFile.changed
        }
        return text
    }
}
