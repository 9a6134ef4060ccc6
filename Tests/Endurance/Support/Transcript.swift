import Glibc
import WhorlBiometrics
import WhorlStoreLoad

/// What was done with a store: what was acknowledged, and what was cut off.
struct Transcript {
    /// What must be in the store by what was acknowledged.
    private(set) var acknowledged: World
    /// What was begun and may be done or not.
    private(set) var inFlight: StoreOperation?
    /// The recovery keys that were handed out since, in order.
    var deliveredKeys: [[UInt8]] = []
    /// What was answered that must not be.
    private(set) var complaints: [String] = []

    init(from start: World) {
        acknowledged = start
    }

    /// Reads what a child said.
    init(_ child: StoreChild, from start: World) {
        self.init(from: start)
        for line in child.lines {
            let words = line.split(separator: " ", maxSplits: 1)
            switch words.first {
            case "begin": inFlight = words.last.flatMap { StoreOperation(argument: String($0)) }
            case "end":
                guard let operation = inFlight,
                    let outcome = words.last.flatMap({ Outcome(argument: $0) })
                else {
                    complaints.append("the child said: \(line)")
                    continue
                }
                note(operation, outcome)
            case "delivered": deliveredKeys += words.dropFirst().map { Array($0.utf8) }
            case "opened", "closed": break
            default: complaints.append("the child said: \(line)")
            }
        }
        if case .signalled(SIGKILL) = child.ending { return }
        if child.ending != .exited(0) { complaints.append("the child ended so: \(child.ending)") }
    }

    /// Notes what came of an operation, where the storage did not break meanwhile.
    mutating func note(_ operation: StoreOperation, _ outcome: Outcome) {
        inFlight = nil
        let expected = acknowledged.outcome(of: operation)
        guard outcome == expected else {
            complaints.append("\(operation.argument) was answered with \(outcome.argument)")
            return
        }
        if operation.factor.isWrong {
            acknowledged.refuse(operation.factor)
        } else {
            acknowledged.apply(operation)
        }
    }

    /// Notes an operation during which the storage broke.
    ///
    /// - Parameters:
    ///   - operation: What was begun.
    ///   - outcome: What came of it.
    ///   - undisturbed: What it answers where nothing breaks.
    mutating func note(
        _ operation: StoreOperation, _ outcome: Outcome, undisturbed: Outcome
    ) {
        if outcome == undisturbed { return note(operation, outcome) }
        inFlight = operation
        guard case .refused(let identifier) = outcome, identifier != "internal-error" else {
            complaints.append("\(operation.argument) was answered with \(outcome.argument)")
            return
        }
    }

    /// What may be in the store: what was acknowledged, with what was cut off or without.
    var worlds: [World] {
        guard let inFlight, !inFlight.factor.isWrong else { return [acknowledged] }
        var after = acknowledged
        after.apply(inFlight)
        return [acknowledged, after]
    }
}

extension World {
    /// What an operation answers that nothing disturbs.
    func outcome(of operation: StoreOperation) -> Outcome {
        if operation.factor == .stranger { return .refused("no-match") }
        if operation.factor == .wrongPin { return .refused("wrong-credential") }
        if case .get(let name, _) = operation {
            return .opened(version: keys[name]?.version ?? -1)
        }
        return .done
    }
}

extension StoreOperation {
    /// What is given for it; the PIN where nothing is.
    var factor: Factor {
        switch self {
        case .replace(_, _, _, let factor), .get(_, let factor), .remove(_, let factor): factor
        case .put, .enroll, .forget, .changePin, .renewRecovery, .rebind, .unlock: .pin
        }
    }

    /// Whether a disk that fails for good is tried on it, which takes one of each kind.
    var isTriedForGood: Bool {
        switch self {
        case .get(_, let factor): factor.isWrong
        case .unlock, .remove, .forget: false
        case .put, .replace, .enroll, .changePin, .renewRecovery, .rebind: true
        }
    }

    var isEnrollment: Bool {
        if case .enroll = self { true } else { false }
    }
}
