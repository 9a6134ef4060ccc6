internal import WhorlBiometrics

/// Why a command line cannot be carried out: exit status 64.
struct UsageError: Error, Sendable, Hashable {
    /// What is wrong; names the argument.
    let happened: String
    /// What to do about it.
    let advice: String

    /// Makes an error; with no advice of its own it points to the help of the command.
    init(_ happened: String, advice: String) {
        self.happened = happened
        self.advice = advice
    }

    /// What happened and what to do, as one line.
    var sentence: String { "\(happened); \(advice)" }

    /// An argument as it stands in a message.
    static func quoted(_ argument: String) -> String { "'\(DisplayText(argument))'" }

    /// Advice that names what was probably meant, or where to read.
    static func advice(
        nearest candidate: String?, orHelpOf path: [String]
    ) -> String {
        if let candidate { return "did you mean '\(candidate)'?" }
        return "see '\((["whorl"] + path + ["--help"]).joined(separator: " "))'"
    }

    /// Several words, any of which would do: `a, b or c`.
    static func alternatives(_ words: [String]) -> String {
        guard words.count > 1, let last = words.last else { return words.first ?? "" }
        return "\(words.dropLast().joined(separator: ", ")) or \(last)"
    }

    /// A command or option of a later version.
    static func notYet(_ what: String) -> UsageError {
        UsageError("\(what) is not in this version yet", advice: "see 'whorl --help' for what is")
    }
}
