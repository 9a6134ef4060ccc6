/// What a command has to say when it is done.
struct Answer: Sendable {
    /// The members of the JSON object after those that every answer has.
    var members: [JSON.Member] = []
    /// The same for a person.
    var lines: [String] = []
    /// Whether the lines are what was asked for, and not only a report that it is done.
    var isResult = true
    /// Whether a simulated reader, or what was made with one, is behind the answer.
    var isSimulated = false
}

/// How a command ended, as JSON says it.
enum Outcome: String, Sendable {
    /// It did what was asked.
    case done
    /// The answer was no: asking again changes nothing by itself.
    case refused
    /// Something was not there, busy or broken: asking again may help.
    case failed

    /// The outcome of an exit status.
    init(exitStatus: Int) {
        switch exitStatus {
        case 0: self = .done
        case 69, 70, 74, 75: self = .failed
        default: self = .refused
        }
    }
}

extension JSON {
    /// The object that answers a command.
    static func envelope(
        command: String, exitStatus: Int, isSimulated: Bool, failure: CommandFailure?,
        members: [Member] = []
    ) -> JSON {
        .object(
            [
                Member("whorl", 1),
                Member("command", command.isEmpty ? .null : .string(command)),
                Member("outcome", .string(Outcome(exitStatus: exitStatus).rawValue)),
                Member("exit", .integer(exitStatus)),
                Member("simulated", .bool(isSimulated)),
                Member("error", failure.map(JSON.init) ?? .null),
            ] + members)
    }

    /// An error.
    init(_ failure: CommandFailure) {
        self = [
            "case": .string(failure.identifier),
            "domain": .string(failure.domain),
            "code": .integer(failure.code),
            "android": JSON(failure.android),
            "laerror": JSON(failure.laError),
            "message": .string(failure.sentence),
        ]
    }
}
