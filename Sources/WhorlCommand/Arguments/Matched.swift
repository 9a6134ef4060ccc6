internal import WhorlBiometrics

/// Arguments and options that fit a command, not yet read.
struct Matched: Sendable {
    /// The command's words.
    var path: [String] = []
    /// What stood after the command's words, in order.
    var arguments: [String] = []
    /// The argument of a command that requires one; the parser has seen to it.
    var argument: String { arguments.first ?? "" }
    /// The options given, each once; the text is nil for one without a value.
    private var options: [String: String?] = [:]

    /// Notes an option.
    ///
    /// - Throws: ``UsageError`` where one with a value comes a second time.
    mutating func add(_ option: OptionSpec, value: String?) throws(UsageError) {
        if options[option.name] != nil, option.value != .none {
            throw UsageError("--\(option.name) is given twice", advice: "give it once")
        }
        options[option.name] = .some(value)
    }

    /// Whether an option was given.
    func has(_ option: OptionSpec) -> Bool { options[option.name] != nil }

    /// The text given with an option; nil where it was not given, or without one.
    func text(_ option: OptionSpec) -> String? { options[option.name] ?? nil }

    /// A whole number within a range.
    func number(
        _ option: OptionSpec, in range: ClosedRange<Int>
    ) throws(UsageError) -> Int? {
        guard let text = text(option) else { return nil }
        // Int takes a plus sign, which nobody means here.
        guard let number = Int(text), range.contains(number), !text.hasPrefix("+") else {
            throw UsageError(
                "--\(option.name) cannot be \(UsageError.quoted(text))",
                advice: range.upperBound == Int(Int32.max)
                    ? "give the number of an open descriptor"
                    : "give a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// One of several words.
    func choice(_ option: OptionSpec, among words: [String]) throws(UsageError) -> String? {
        guard let text = text(option) else { return nil }
        guard words.contains(text) else {
            throw UsageError(
                "--\(option.name) cannot be \(UsageError.quoted(text))",
                advice: Self.nearest(to: text, among: words)
                    ?? "say \(UsageError.alternatives(words))")
        }
        return text
    }

    /// A text that is not empty.
    func filled(_ option: OptionSpec) throws(UsageError) -> String? {
        guard let text = text(option) else { return nil }
        guard !text.isEmpty else {
            throw UsageError("--\(option.name) is empty", advice: "write \(option.synopsis)")
        }
        return text
    }

    /// The finger named by the first argument; the right index finger where there is none.
    func finger() throws(UsageError) -> Finger {
        guard let text = arguments.first else { return .rightIndexFinger }
        guard let finger = Finger(rawValue: text) else {
            throw UsageError(
                "\(UsageError.quoted(text)) is no finger",
                advice: Self.nearest(to: text, among: Finger.allCases.map(\.rawValue))
                    ?? "say left- or right-, then thumb, index-finger, middle-finger, "
                    + "ring-finger or little-finger")
        }
        return finger
    }

    private static func nearest(to text: String, among words: [String]) -> String? {
        Nearest.candidate(to: text, among: words).map { "did you mean '\($0)'?" }
    }
}
