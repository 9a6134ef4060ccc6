internal import WhorlKit

/// The help of a command, of a group of commands, or of everything, made from the table.
enum Help {
    /// The lines of the help for a command's words; for none, of everything.
    static func lines(for path: [String]) -> [String] {
        if let spec = CommandTable.commands.first(where: { $0.path == path }) {
            return lines(for: spec)
        }
        if let group = CommandTable.groups.first(where: { [$0.word] == path }) {
            return lines(forGroup: group.word, summary: group.summary)
        }
        return overview
    }

    // MARK: Everything

    private static var overview: [String] {
        var lines = [
            "Whorl: a key that a finger opens",
            "",
            "Usage: whorl COMMAND [OPTIONS]",
            "",
            "Commands:",
        ]
        lines += commands(CommandTable.commands)
        lines += ["", "Options of every command:"]
        lines += options(GlobalOptionTable.all)
        lines += ["", "Example:"]
        lines += examples([
            .init(line: "whorl setup", comment: "once: PIN and recovery key"),
            .init(line: "whorl enroll", comment: "once: a finger"),
            .init(line: "whorl vault put github < token", comment: "store a secret"),
            .init(line: "whorl vault get github", comment: "touch the sensor, and it is yours"),
        ])
        lines += ["", "Exit status:"]
        lines += ExitStatus.all.map { "  \(padded($0.status)) \($0.meaning)" }
        lines += ["", "'whorl COMMAND --help' explains a command."]
        return lines
    }

    private static func commands(_ specs: [CommandSpec]) -> [String] {
        TextLayout.definitions(specs.map { (synopsis($0), $0.summary) }, termColumns: 24)
    }

    // MARK: A group

    private static func lines(forGroup word: String, summary: String) -> [String] {
        let specs = CommandTable.commands.filter { $0.path.first == word }
        return ["whorl \(word): \(summary)", "", "Usage: whorl \(word) COMMAND [OPTIONS]", ""]
            + ["Commands:"] + commands(specs)
            + ["", "Example:"] + examples(specs.prefix(1).flatMap(\.examples))
            + ["", "'whorl \(word) COMMAND --help' explains a command."]
    }

    // MARK: A command

    private static func lines(for spec: CommandSpec) -> [String] {
        var lines = TextLayout.wrap("\(spec.summary).")
        lines += ["", "Usage: whorl \(synopsis(spec)) [OPTIONS]"]
        if let shortForm = spec.shortForm {
            let arguments = spec.arguments.map(synopsis)
            lines.append("       whorl \((shortForm + arguments).joined(separator: " ")) [OPTIONS]")
        }
        for paragraph in spec.details { lines += [""] + TextLayout.wrap(paragraph) }
        if !spec.arguments.isEmpty {
            lines += ["", "Arguments:"]
            lines += TextLayout.definitions(spec.arguments.map { ($0.name, $0.summary) })
        }
        if spec.options.contains(where: { !$0.isHidden }) {
            lines += ["", "Options:"] + options(spec.options)
        }
        lines += ["", "Example:"] + examples(spec.examples)
        lines += ["", "Exit status:"]
        let exits = ([0, 64, 70, 74] + spec.exits).sorted()
        lines += ExitStatus.all.filter { exits.contains($0.status) }
            .map { "  \(padded($0.status)) \($0.meaning)" }
        lines += ["", "'whorl --help' lists the options that every command takes."]
        return lines
    }

    private static func synopsis(_ spec: CommandSpec) -> String {
        (spec.path + spec.arguments.map(synopsis)).joined(separator: " ")
    }

    private static func synopsis(_ argument: CommandSpec.Argument) -> String {
        argument.isRequired ? argument.name : "[\(argument.name)]"
    }

    private static func options(_ specs: [OptionSpec]) -> [String] {
        TextLayout.definitions(specs.filter { !$0.isHidden }.map { ($0.synopsis, $0.summary) })
    }

    private static func examples(_ examples: [CommandSpec.Example]) -> [String] {
        let width = examples.map(\.line.count).max() ?? 0
        let isAligned = examples.allSatisfy {
            width + $0.comment.count + 6 <= TextLayout.columns
        }
        return examples.flatMap { example in
            let gap = String(repeating: " ", count: width - example.line.count)
            return isAligned
                ? ["  \(example.line)\(gap)  # \(example.comment)"]
                : ["  # \(example.comment)", "  \(example.line)"]
        }
    }

    private static func padded(_ status: Int) -> String {
        status < 10 ? " \(status)" : "\(status)"
    }
}
