/// A JSON value whose objects keep the order in which their members were given.
///
/// Whole numbers only: nothing that the command prints is a fraction.
indirect enum JSON: Sendable, Hashable {
    /// Nothing known, or nothing there.
    case null
    /// Yes or no.
    case bool(Bool)
    /// A whole number.
    case integer(Int)
    /// Text.
    case string(String)
    /// Values in order.
    case array([JSON])
    /// Named values in order.
    case object([Member])

    /// One named value of an object.
    struct Member: Sendable, Hashable {
        let name: String
        let value: JSON

        init(_ name: String, _ value: JSON) {
            self.name = name
            self.value = value
        }
    }

    /// A number, or null.
    init(_ number: Int?) { self = number.map(JSON.integer) ?? .null }

    /// Text, or null.
    init(_ text: String?) { self = text.map(JSON.string) ?? .null }

    /// Texts in order.
    init(_ texts: [String]) { self = .array(texts.map(JSON.string)) }

    /// The first member of that name; nil where there is none, or this is no object.
    subscript(_ name: String) -> JSON? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name == name }?.value
    }
}

// MARK: - Literals

extension JSON: ExpressibleByNilLiteral {
    init(nilLiteral: ()) { self = .null }
}

extension JSON: ExpressibleByBooleanLiteral {
    init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension JSON: ExpressibleByIntegerLiteral {
    init(integerLiteral value: Int) { self = .integer(value) }
}

extension JSON: ExpressibleByStringLiteral {
    init(stringLiteral value: String) { self = .string(value) }
}

extension JSON: ExpressibleByArrayLiteral {
    init(arrayLiteral elements: JSON...) { self = .array(elements) }
}

extension JSON: ExpressibleByDictionaryLiteral {
    init(dictionaryLiteral elements: (String, JSON)...) {
        self = .object(elements.map { Member($0.0, $0.1) })
    }
}

// MARK: - Writing

extension JSON: CustomStringConvertible {
    /// The value on one line, without spaces, as RFC 8259 has it.
    ///
    /// Everything that could move a terminal's cursor or turn a line round is escaped, so that the
    /// line is as safe to look at as to parse.
    var description: String {
        var text = ""
        write(to: &text)
        return text
    }

    private func write(to text: inout String) {
        switch self {
        case .null: text += "null"
        case .bool(let value): text += value ? "true" : "false"
        case .integer(let value): text += String(value)
        case .string(let value): Self.write(quoted: value, to: &text)
        case .array(let values):
            text += "["
            for (index, value) in values.enumerated() {
                if index > 0 { text += "," }
                value.write(to: &text)
            }
            text += "]"
        case .object(let members):
            text += "{"
            for (index, member) in members.enumerated() {
                if index > 0 { text += "," }
                Self.write(quoted: member.name, to: &text)
                text += ":"
                member.value.write(to: &text)
            }
            text += "}"
        }
    }

    private static func write(quoted string: String, to text: inout String) {
        text += "\""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            default:
                if needsEscape(scalar) {
                    for unit in UTF16.encode(scalar).map(Array.init) ?? [] {
                        let digits = String(unit, radix: 16)
                        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                    }
                } else {
                    text.unicodeScalars.append(scalar)
                }
            }
        }
        text += "\""
    }

    private static func needsEscape(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return scalar.value < 0x20 || scalar.value == 0x7F }
        return switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }
}
