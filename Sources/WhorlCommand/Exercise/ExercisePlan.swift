internal import WhorlBiometrics

/// The operations of one `lab exercise`, in order.
struct ExercisePlan: Sendable, Hashable {
    /// The longest `wait`, in milliseconds: ten minutes.
    static let longestWait = 600_000

    let operations: [ExerciseOperation]

    /// Reads the OPS argument: operations with commas between them, `open,verify:right-thumb,close`.
    ///
    /// - Throws: ``ExercisePlanError`` that names the first operation that cannot be read.
    init(parsing text: String) throws(ExercisePlanError) {
        guard !text.isEmpty else { throw .empty }
        var operations: [ExerciseOperation] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            operations.append(try Self.operation(String(part)))
        }
        self.operations = operations
    }

    private static func operation(_ text: String) throws(ExercisePlanError) -> ExerciseOperation {
        guard !text.isEmpty else { throw .missingOperation }
        let parts = text.split(
            separator: ":", maxSplits: 1, omittingEmptySubsequences: false
        ).map(String.init)
        let argument = parts.count > 1 ? parts[1] : nil
        switch parts[0] {
        case "open": return try bare(.open, argument)
        case "close": return try bare(.close, argument)
        case "clear": return try bare(.clear, argument)
        case "list": return try bare(.list, argument)
        case "identify": return try bare(.identify, argument)
        case "suspend": return try bare(.suspend, argument)
        case "resume": return try bare(.resume, argument)
        case "roundtrip": return try bare(.roundtrip, argument)
        case "enroll": return .enroll(try finger("enroll", argument))
        case "verify": return .verify(try finger("verify", argument))
        case "delete": return .delete(try finger("delete", argument))
        case "capture":
            guard let file = argument, !file.isEmpty else { throw .missingFile }
            return .capture(file: file)
        case "wait":
            guard let text = argument, let milliseconds = Int(text),
                (0...longestWait).contains(milliseconds)
            else { throw .unusableWait(argument ?? "") }
            return .wait(milliseconds: milliseconds)
        default: throw .unknownOperation(parts[0])
        }
    }

    private static func bare(
        _ operation: ExerciseOperation, _ argument: String?
    ) throws(ExercisePlanError) -> ExerciseOperation {
        guard argument == nil else { throw .unwantedArgument(operation: operation.word) }
        return operation
    }

    private static func finger(
        _ word: String, _ argument: String?
    ) throws(ExercisePlanError) -> Finger {
        guard let argument, !argument.isEmpty else { throw .missingFinger(operation: word) }
        guard let finger = Finger(rawValue: argument) else { throw .unknownFinger(argument) }
        return finger
    }
}

/// What is wrong with the OPS argument.
enum ExercisePlanError: Error, Sendable, Hashable {
    /// There is no operation in it.
    case empty
    /// Nothing stands between two commas, or beside one at an end.
    case missingOperation
    /// A word is none of ours.
    case unknownOperation(String)
    /// An operation that takes nothing was given something.
    case unwantedArgument(operation: String)
    /// An operation needs a finger.
    case missingFinger(operation: String)
    /// There is no such finger.
    case unknownFinger(String)
    /// `capture` needs a file.
    case missingFile
    /// `wait` needs milliseconds in its range.
    case unusableWait(String)

    /// What is wrong, and what would be right.
    var message: String {
        switch self {
        case .empty: "there is no operation"
        case .missingOperation: "an operation is missing beside a comma"
        case .unknownOperation(let word): "'\(DisplayText(word))' is no operation"
        case .unwantedArgument(let word): "'\(word)' takes nothing after it"
        case .missingFinger(let word):
            "'\(word)' needs a finger, such as '\(word):\(Finger.rightIndexFinger.rawValue)'"
        case .unknownFinger(let name):
            "'\(DisplayText(name))' is no finger, such as \(Finger.rightIndexFinger.rawValue)"
        case .missingFile: "'capture' needs a file, such as 'capture:finger.pgm'"
        case .unusableWait(let text):
            "'wait:\(DisplayText(text))' is no time from 0 to \(ExercisePlan.longestWait) milliseconds"
        }
    }
}
