/// A value of JSON.
enum JSONValue: Sendable, Hashable, Decodable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let bool = try? container.decode(Bool.self) {
            self = .bool(bool)
        } else if let number = try? container.decode(Double.self) {
            self = .number(number)
        } else if let string = try? container.decode(String.self) {
            self = .string(string)
        } else if let array = try? container.decode([JSONValue].self) {
            self = .array(array)
        } else {
            self = .object(try container.decode([String: JSONValue].self))
        }
    }

    /// A member of an object; nil where there is none, or this is no object.
    subscript(name: String) -> JSONValue? {
        if case .object(let members) = self { members[name] } else { nil }
    }

    /// The names of an object's members.
    var names: Set<String> {
        if case .object(let members) = self { Set(members.keys) } else { [] }
    }

    var array: [JSONValue]? {
        if case .array(let values) = self { values } else { nil }
    }

    var text: String? {
        if case .string(let text) = self { text } else { nil }
    }

    var integer: Int? {
        if case .number(let number) = self { Int(exactly: number) } else { nil }
    }

    var bool: Bool? {
        if case .bool(let bool) = self { bool } else { nil }
    }
}

extension JSONValue {
    /// The texts of an array of texts; nil for anything else.
    var strings: [String]? {
        guard let array else { return nil }
        let texts = array.compactMap(\.text)
        return texts.count == array.count ? texts : nil
    }
}
