/// Text from a caller that is shown to a person, made safe to show.
///
/// A prompt is where a program could lie to the owner: control characters could move a terminal's
/// cursor over the words "who asks", and bidirectional ones could turn a sentence round. They are
/// shown escaped (`\u{1b}`), never sent as they are.
public struct DisplayText: Sendable, Hashable, CustomStringConvertible {
    /// The text as it may be shown.
    public let shown: String

    /// Makes text safe to show by escaping what a terminal or a line of text would obey.
    public init(_ raw: String) {
        var result = ""
        for scalar in raw.unicodeScalars {
            if Self.isUnsafe(scalar) {
                result += "\\u{\(String(scalar.value, radix: 16))}"
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        shown = result
    }

    /// The text as it may be shown.
    public var description: String { shown }

    /// Whether a scalar is a control, ends a line, is invisible, or changes the direction.
    static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: true
        default: false
        }
    }
}
