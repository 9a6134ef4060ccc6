/// Bytes as text, RFC 4648.
package enum Base64 {
    private static let standardDigits = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    private static let urlDigits = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    /// The usual alphabet, filled up with `=` (section 4).
    package static func standard(_ bytes: [UInt8]) -> String {
        encode(bytes, standardDigits, fillsUp: true)
    }

    /// The alphabet for URLs, not filled up (section 5, and RFC 7515 section 2).
    package static func url(_ bytes: [UInt8]) -> String {
        encode(bytes, urlDigits, fillsUp: false)
    }

    private static func encode(_ bytes: [UInt8], _ digits: [UInt8], fillsUp: Bool) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let number = group.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } << (8 * (3 - group.count))
            for place in 0...group.count {
                text.append(digits[Int(number >> (18 - 6 * place)) & 63])
            }
            if fillsUp { text += Array(repeating: UInt8(ascii: "="), count: 3 - group.count) }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
