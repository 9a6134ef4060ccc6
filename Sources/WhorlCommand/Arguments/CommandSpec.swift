/// A command as the table has it.
struct CommandSpec: Sendable {
    /// What stands after the command's words.
    struct Argument: Sendable {
        /// Its name in help.
        let name: String
        /// What it is.
        let summary: String
        /// Whether the command cannot do without.
        let isRequired: Bool
    }

    /// A use of the command that works.
    struct Example: Sendable {
        let line: String
        let comment: String
    }

    /// What the recovery key is to a command.
    enum RecoveryKeyUse: Sendable {
        /// It has no use for it.
        case refused
        /// It serves instead of a finger or the PIN.
        case accepted
        /// Nothing else will do.
        case needed
    }

    /// Its words: `vault get`.
    let path: [String]
    /// A shorter spelling.
    let shortForm: [String]?
    /// What it does, in one line.
    let summary: String
    /// What a person should know before running it, a paragraph each.
    let details: [String]
    let arguments: [Argument]
    let options: [OptionSpec]
    let examples: [Example]
    /// The exit statuses that it can end with, beside 0, 64, 70 and 74.
    let exits: [Int]
    /// Whether standard input carries the command's data.
    let readsInput: Bool
    /// What the recovery key is to it.
    let recoveryKey: RecoveryKeyUse
    /// Makes the command of what was matched.
    let make: @Sendable (Matched) throws(UsageError) -> Command

    init(
        _ path: String, shortForm: String? = nil, _ summary: String, details: [String] = [],
        arguments: [Argument] = [], options: [OptionSpec] = [], examples: [Example],
        exits: [Int] = [], readsInput: Bool = false,
        recoveryKey: RecoveryKeyUse = .refused,
        make: @escaping @Sendable (Matched) throws(UsageError) -> Command
    ) {
        self.path = path.split(separator: " ").map(String.init)
        self.shortForm = shortForm?.split(separator: " ").map(String.init)
        self.summary = summary
        self.details = details
        self.arguments = arguments
        self.options = options
        self.examples = examples
        self.exits = exits
        self.readsInput = readsInput
        self.recoveryKey = recoveryKey
        self.make = make
    }

    /// The command's words as one.
    var name: String { path.joined(separator: " ") }

    /// Every spelling of the command.
    var paths: [[String]] { [path] + (shortForm.map { [$0] } ?? []) }
}
