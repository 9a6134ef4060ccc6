/// Whose finger, key or counter it is.
///
/// On a laptop a subject is a uid, written `uid:1000`; in a kiosk it is an opaque name. Every table
/// and counter is keyed by it. A name is 1 to 128 bytes of UTF-8 with no control, bidirectional or
/// path character, so that it can stand in a file name, a log line and a prompt as it is.
public struct Subject: Sendable, Hashable, CustomStringConvertible {
    /// The name by which tables and counters know this subject.
    public let name: String

    /// The largest length of a name, in bytes of UTF-8.
    public static let maximumNameLength = 128

    /// Makes a subject from an opaque name.
    ///
    /// - Throws: ``NameError`` if the name is empty, too long, `.` or `..`, or holds a character
    ///   that a file name, log line or prompt could not show as it is.
    public init(name: String) throws(NameError) {
        try NameError.check(name, limit: Self.maximumNameLength, allowingSlash: false)
        self.name = name
    }

    /// The subject of a user of this machine.
    public init(uid: UInt32) {
        name = "uid:\(uid)"
    }

    /// The name.
    public var description: String { name }
}

/// What is wrong with a name given for a subject, a key or a finger.
public enum NameError: Error, Sendable, Hashable {
    /// Nothing was given.
    case empty
    /// The name is longer than the limit, in bytes of UTF-8.
    case tooLong(limit: Int)
    /// The name holds a character that may not stand in one, given as a code point.
    case character(UInt32)
    /// The name is `.`, `..`, or has an empty, `.` or `..` part between slashes.
    case pathPart

    /// A sentence that says what is wrong with the name.
    public var message: String {
        switch self {
        case .empty: "the name is empty"
        case .tooLong(let limit): "the name is longer than \(limit) bytes"
        case .character(let code):
            "the name holds U+\(String(code, radix: 16, uppercase: true)), which may not stand in one"
        case .pathPart: "the name has an empty part, '.' or '..'"
        }
    }

    /// Checks a name against the rules that subjects and keys share.
    static func check(_ name: String, limit: Int, allowingSlash: Bool) throws(NameError) {
        guard !name.isEmpty else { throw .empty }
        guard name.utf8.count <= limit else { throw .tooLong(limit: limit) }
        for scalar in name.unicodeScalars
        where DisplayText.isUnsafe(scalar) || (scalar == "/" && !allowingSlash) {
            throw .character(scalar.value)
        }
        for part in name.split(separator: "/", omittingEmptySubsequences: false)
        where part.isEmpty || part == "." || part == ".." {
            throw .pathPart
        }
    }
}

/// The name of a wrapped key: 1 to 255 bytes of UTF-8, slashes allowed between parts.
public struct KeyName: Sendable, Hashable, CustomStringConvertible {
    /// The name as given.
    public let text: String

    /// The largest length of a name, in bytes of UTF-8.
    public static let maximumLength = 255

    /// Makes a key name.
    ///
    /// - Throws: ``NameError`` if the name is empty, too long, has an empty, `.` or `..` part, or
    ///   holds a control or bidirectional character.
    public init(_ text: String) throws(NameError) {
        try NameError.check(text, limit: Self.maximumLength, allowingSlash: true)
        self.text = text
    }

    /// The name as given.
    public var description: String { text }
}
