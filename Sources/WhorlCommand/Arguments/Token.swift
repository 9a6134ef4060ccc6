/// One argument, told apart by its form alone.
enum Token: Sendable, Hashable {
    /// `--name` or `--name=value`.
    case option(name: String, value: String?)
    /// `-h`: one dash and one character.
    case letter(String)
    /// Anything else, and everything after `--`.
    case value(String)

    /// Tells the arguments of a command line apart.
    static func tokens(of arguments: [String]) -> [Token] {
        var tokens: [Token] = []
        var isLiteral = false
        for argument in arguments {
            if isLiteral || argument == "-" || !argument.hasPrefix("-") {
                tokens.append(.value(argument))
            } else if argument == "--" {
                isLiteral = true
            } else if argument.hasPrefix("--") {
                let parts = argument.dropFirst(2).split(
                    separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                tokens.append(
                    .option(
                        name: String(parts[0]), value: parts.count == 2 ? String(parts[1]) : nil))
            } else {
                tokens.append(.letter(String(argument.dropFirst())))
            }
        }
        return tokens
    }

    /// The argument as it was given, for messages; without its value, which may be long.
    var spelling: String {
        switch self {
        case .option(let name, _): "--\(name)"
        case .letter(let letters): "-\(letters)"
        case .value(let text): text
        }
    }
}
