internal import WhorlBiometrics

/// How one operation of an exercise ended.
enum ExerciseResult {
    /// Done, with what there is to say of it.
    case done([JSON.Member])
    /// The capture matched.
    case match([JSON.Member])
    /// A good capture that did not match.
    case noMatch
    /// A bad capture: no verdict.
    case retry(CaptureHint)
    /// It failed.
    case error(CommandFailure)

    /// It failed as a reader fails.
    static func failed(_ error: AuthenticationError) -> ExerciseResult {
        .error(CommandFailure(error))
    }

    /// What an outcome means that is none of those which the operation hopes for.
    static func unfinished(_ outcome: ReaderOutcome) -> ExerciseResult {
        switch outcome {
        case .retry(let hint): .retry(hint)
        case .failed(.readerMisused):
            // Here the order is the caller's, and no mistake of ours.
            .error(
                CommandFailure(
                    UsageError(
                        "the reader is not open, or is open already",
                        advice: "begin the operations with 'open', once")))
        case .failed(let error): .failed(error)
        case .cancelled: .failed(.userCancelled)
        default: .failed(.readerProtocol(.whorl("its answer is to something else")))
        }
    }
}

/// The lines of `lab exercise`: one object an event, one an operation.
enum ExerciseLine {
    /// The line of an operation's end.
    static func operation(_ operation: ExerciseOperation, _ result: ExerciseResult) -> JSON {
        var members = [JSON.Member("op", .string(operation.word))]
        if let finger = operation.finger {
            members.append(JSON.Member("finger", .string(finger.rawValue)))
        }
        switch result {
        case .done(let details):
            members.append(JSON.Member("outcome", "done"))
            members += details
        case .match(let details):
            members.append(JSON.Member("outcome", "match"))
            members += details
        case .noMatch: members.append(JSON.Member("outcome", "no-match"))
        case .retry(let hint):
            members.append(JSON.Member("outcome", "retry"))
            members += Self.members(of: hint)
        case .error(let error):
            members.append(JSON.Member("outcome", "error"))
            members.append(JSON.Member("error", JSON(error)))
        }
        return .object(members)
    }

    /// The line of an event; nil for the last one, which the operation's line tells.
    static func event(_ event: ReaderEvent, of operation: ExerciseOperation) -> JSON? {
        let (word, details): (String, [JSON.Member])
        switch event {
        case .started: (word, details) = ("started", [])
        case .finger(let status):
            word = "finger"
            details = [
                JSON.Member("needed", .bool(status.contains(.needed))),
                JSON.Member("present", .bool(status.contains(.present))),
            ]
        case .temperature(let temperature):
            word = "temperature"
            details = [JSON.Member("temperature", .string(temperature.rawValue))]
        case .enrollStage(let completed, let stages):
            word = "stage"
            details = [
                JSON.Member("completed", .integer(completed)), JSON.Member("of", .integer(stages)),
            ]
        case .hint(let hint): (word, details) = ("hint", members(of: hint))
        case .reported(let match):
            (word, details) = ("reported", [JSON.Member("match", .bool(match))])
        case .ended: return nil
        @unknown default: return nil
        }
        return .object(
            [JSON.Member("event", .string(word)), JSON.Member("op", .string(operation.word))]
                + details)
    }

    private static func members(of hint: CaptureHint) -> [JSON.Member] {
        [
            JSON.Member("hint", .string(hint.identifier)),
            JSON.Member("acquired", .integer(hint.acquired)),
        ]
    }
}
