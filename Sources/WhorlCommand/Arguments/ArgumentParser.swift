/// Fits arguments to the table, word by word, and makes a typed command of them.
struct ArgumentParser {
    /// A command line that cannot be carried out, with what the answer to it needs.
    struct Refusal: Error, Hashable {
        let error: UsageError
        /// The command's words as far as they were understood.
        let name: String
        /// Whether the answer is to be JSON.
        let isJSON: Bool
    }

    private let tokens: [Token]
    private var position = 0
    private var words: [String] = []
    private var spec: CommandSpec?
    private var matched = Matched()

    private init(tokens: [Token]) { self.tokens = tokens }

    /// Reads a command line, without the program's own name.
    ///
    /// - Throws: ``Refusal`` that names the first thing wrong.
    static func parse(_ arguments: [String]) throws(Refusal) -> Invocation {
        var parser = ArgumentParser(tokens: Token.tokens(of: arguments))
        do throws(UsageError) {
            return try parser.invocation()
        } catch {
            throw Refusal(error: error, name: parser.name, isJSON: parser.wantsJSON)
        }
    }

    private var name: String { spec?.name ?? words.joined(separator: " ") }
    private var helpPath: [String] { spec?.path ?? words }

    private mutating func invocation() throws(UsageError) -> Invocation {
        while position < tokens.count {
            let token = tokens[position]
            position += 1
            switch token {
            case .value(let text): try take(value: text)
            case .option(let option, let value):
                if let command = try take(option: option, value: value, token) {
                    return try finish(command)
                }
            case .letter("h"): return try finish(.help(path: helpPath))
            case .letter: throw unknown(token)
            }
        }
        guard let spec else { throw incomplete() }
        if spec.arguments.count > matched.arguments.count {
            let missing = spec.arguments[matched.arguments.count]
            if missing.isRequired {
                throw UsageError(
                    "'\(spec.name)' needs \(missing.name)",
                    advice: UsageError.advice(nearest: nil, orHelpOf: spec.path))
            }
        }
        return try finish(try spec.make(matched))
    }

    private func finish(_ command: Command) throws(UsageError) -> Invocation {
        var name = self.name
        switch command {
        case .help: name = "help"
        case .version: name = "version"
        default: break
        }
        var options = try GlobalOptionTable.options(
            of: matched, for: spec)
        // Help and version end the reading, and --json may stand behind them.
        options.isJSON = wantsJSON
        return Invocation(command: command, name: name, options: options)
    }

    private var wantsJSON: Bool { tokens.contains(.option(name: "json", value: nil)) }

    // MARK: Words

    private mutating func take(value: String) throws(UsageError) {
        if let spec {
            guard matched.arguments.count < spec.arguments.count else {
                throw UsageError(
                    "'\(spec.name)' has no use for \(UsageError.quoted(value))",
                    advice: UsageError.advice(nearest: nil, orHelpOf: spec.path))
            }
            matched.arguments.append(value)
            return
        }
        let longer = words + [value]
        if CommandTable.later.contains(longer) {
            throw .notYet("'\(longer.joined(separator: " "))'")
        }
        if let found = CommandTable.commands.first(where: { $0.paths.contains(longer) }) {
            spec = found
            matched.path = found.path
        } else if CommandTable.groups.contains(where: { [$0.word] == longer }) {
            words = longer
        } else {
            let nearest = Nearest.candidate(to: value, among: nextWords)
            throw UsageError(
                words.isEmpty
                    ? "there is no command \(UsageError.quoted(value))"
                    : "'\(words.joined(separator: " "))' has no command \(UsageError.quoted(value))",
                advice: UsageError.advice(
                    nearest: nearest.map { (words + [$0]).joined(separator: " ") },
                    orHelpOf: words))
        }
    }

    private var nextWords: [String] {
        let paths = CommandTable.commands.flatMap(\.paths).filter { $0.starts(with: words) }
        return paths.compactMap { $0.dropFirst(words.count).first }
    }

    private func incomplete() -> UsageError {
        guard !words.isEmpty else {
            return UsageError("no command was given", advice: "see 'whorl --help'")
        }
        return UsageError(
            "'\(words.joined(separator: " "))' needs a command",
            advice: "add \(UsageError.alternatives(nextWords))")
    }

    // MARK: Options

    // Returns the command that an option stands for by itself.
    private mutating func take(
        option name: String, value: String?, _ token: Token
    ) throws(UsageError) -> Command? {
        let known = GlobalOptionTable.all + (spec?.options ?? [])
        guard let option = known.first(where: { $0.name == name }) else { throw unknown(token) }
        switch option.value {
        case .none:
            if value != nil {
                throw UsageError(
                    "--\(name) takes no value", advice: "write \(option.synopsis)")
            }
            try matched.add(option, value: nil)
        case .optional: try matched.add(option, value: value)
        case .required:
            if let value {
                try matched.add(option, value: value)
            } else {
                try matched.add(option, value: try valueAfter(option))
            }
        }
        switch option {
        case GlobalOptionTable.help: return .help(path: helpPath)
        case GlobalOptionTable.version: return .version
        default: return nil
        }
    }

    private mutating func valueAfter(_ option: OptionSpec) throws(UsageError) -> String {
        guard position < tokens.count, case .value(let text) = tokens[position] else {
            throw UsageError(
                "--\(option.name) needs a value", advice: "write \(option.synopsis)")
        }
        position += 1
        return text
    }

    private func unknown(_ token: Token) -> UsageError {
        let spelling = UsageError.quoted(token.spelling)
        let bare = String(token.spelling.drop { $0 == "-" })
        if spec == nil, CommandTable.commands.contains(where: { has($0, bare) }) {
            return UsageError(
                "\(spelling) stands before the command it belongs to",
                advice: "write it after the command")
        }
        let known = (GlobalOptionTable.all + (spec?.options ?? [])).filter { !$0.isHidden }
        let nearest = Nearest.candidate(to: bare, among: known.map(\.name))
        return UsageError(
            spec.map { "'\($0.name)' has no option \(spelling)" }
                ?? "there is no option \(spelling)",
            advice: UsageError.advice(nearest: nearest.map { "--\($0)" }, orHelpOf: helpPath))
    }

    private func has(_ spec: CommandSpec, _ option: String) -> Bool {
        spec.options.contains { $0.name == option && !$0.isHidden }
    }
}
