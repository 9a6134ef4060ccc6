/// Fields joined so that no two different lists of fields give the same bytes.
///
/// Each field has its length before it, as 8 big-endian bytes; numbers are fields of 8 bytes. What
/// is authenticated is always written so: without the lengths a character could move from one
/// field to the next and nobody would notice.
struct CanonicalBytes {
    private(set) var bytes: [UInt8] = []

    /// Begins with what the bytes are for; different purposes must differ here.
    init(_ purpose: String) {
        append(purpose)
    }

    mutating func append(_ field: [UInt8]) {
        appendNumber(UInt64(field.count))
        bytes += field
    }

    mutating func append(_ text: String) { append(Array(text.utf8)) }

    mutating func append(_ number: Int64) {
        appendNumber(8)
        appendNumber(UInt64(bitPattern: number))
    }

    mutating func append(_ flag: Bool) { append(flag ? 1 : 0) }

    private mutating func appendNumber(_ number: UInt64) {
        for shift in stride(from: 56, through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: number >> UInt64(shift)))
        }
    }

    /// The fields of bytes that were written so; nil where they were not.
    static func fields(of bytes: [UInt8]) -> [[UInt8]]? {
        var fields: [[UInt8]] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            guard rest.count >= 8 else { return nil }
            let length = rest.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            rest = rest.dropFirst(8)
            guard let count = Int(exactly: length), count <= rest.count else { return nil }
            fields.append(Array(rest.prefix(count)))
            rest = rest.dropFirst(count)
        }
        return fields
    }
}
