import WhorlBiometrics
import WhorlSecrets

/// One enrolment, from its prompt to a print that is confirmed, or to none.
///
/// The credential was given before. Nothing here is charged: no touch of an enrolment opens
/// anything. A print that fails its confirmation is discarded, from the reader's chip too.
struct EnrollmentMachine: PromptMachine {
    typealias Success = Print

    private enum Phase {
        case showing
        case enrolling
        case confirming(Print)
        case ending(Result<Print, AuthenticationError>, discarding: Print?)
        case finished
    }

    private let limits: RequestLimits
    private let confirm: Bool

    private var phase = Phase.showing
    private var round = 0
    private var isArmed = false
    private var fingerIsOn = false
    private var badCaptures = 0
    private var badCapturesInARow = 0
    private var confirmTriesLeft: Int
    private var timeoutGeneration = 0

    /// An enrolment; `confirm` asks for one more touch that matches the new print.
    init(limits: RequestLimits, confirm: Bool) {
        self.limits = limits
        self.confirm = confirm
        confirmTriesLeft = limits.tries
    }

    mutating func begin() -> [PromptEffect<Print>] {
        [.start(.showing, nanoseconds: timeout), .show]
    }

    mutating func handle(_ event: PromptEvent) -> [PromptEffect<Print>] {
        switch phase {
        case .finished: return []
        case .ending(let result, let discarding):
            return handleEnding(event, result, discarding: discarding)
        case .showing, .enrolling, .confirming: break
        }
        switch event {
        case .promptShown:
            guard case .showing = phase else { return [] }
            phase = .enrolling
            return [restartTimeout()] + arm(.enroll)
        case .promptFailed(let error), .cancelled(let error): return fail(error)
        case .prompterGone: return fail(.notInteractive)
        case .input(.cancelled): return fail(.userCancelled)
        case .input(.systemCancelled): return fail(.systemCancelled)
        case .input(.fallback): return fail(.fallbackChosen)
        case .input(.credential): return []
        case .timer(.timeout(let generation)):
            return generation == timeoutGeneration ? fail(.timedOut) : []
        case .timer(.rearm(let ofRound)):
            guard ofRound == round, !isArmed, case .confirming(let print) = phase else { return [] }
            return arm(.verify(print))
        case .timer(.showing):
            guard case .showing = phase else { return [] }
            return fail(.notInteractive)
        case .timer(.disarm): return []
        case .reader(let event, let ofRound): return ofRound == round ? handle(event) : []
        case .charged, .chargeFailed, .settled, .settleFailed, .credentialChecked: return []
        }
    }

    // MARK: The reader

    private mutating func handle(_ event: ReaderEvent) -> [PromptEffect<Print>] {
        switch event {
        case .started:
            if case .confirming = phase { return [.update(.confirmTouch)] }
            return [.update(.touchSensor)]
        case .finger(let status):
            fingerIsOn = status.contains(.present)
            return []
        case .enrollStage(let completed, let total):
            badCapturesInARow = 0
            // A person who makes progress is given the whole time again.
            return [restartTimeout(), .update(.enrolling(completed: completed, of: total))]
        case .hint(let hint): return countBadCapture(hint)
        case .reported, .temperature: return []
        case .ended(let outcome):
            isArmed = false
            if case .confirming(let print) = phase { return confirmed(outcome, print) }
            return enrolled(outcome)
        }
    }

    private mutating func enrolled(_ outcome: ReaderOutcome) -> [PromptEffect<Print>] {
        switch outcome {
        case .enrolled(let print):
            guard confirm else { return finish(.success(print), discarding: nil) }
            phase = .confirming(print)
            return [restartTimeout()] + rearm(print)
        case .failed(let error): return fail(error)
        case .cancelled: return fail(.systemCancelled)
        case .retry(let hint):
            // No driver ends an enrolment with a retry; if one does, its captures are lost.
            let counted = countBadCapture(hint)
            if case .enrolling = phase { return counted + arm(.enroll) }
            return counted
        case .done, .match, .noMatch, .captured, .prints:
            return fail(.readerFault(.whorl("the reader gave something else than a print")))
        }
    }

    private mutating func confirmed(
        _ outcome: ReaderOutcome, _ print: Print
    ) -> [PromptEffect<Print>] {
        switch outcome {
        case .match: return finish(.success(print), discarding: nil)
        case .noMatch:
            confirmTriesLeft -= 1
            guard confirmTriesLeft > 0 else { return fail(.noMatch) }
            return [.update(.noMatch(triesLeft: confirmTriesLeft))] + rearm(print)
        case .retry(let hint):
            let counted = countBadCapture(hint)
            if case .confirming = phase { return counted + rearm(print) }
            return counted
        case .failed(let error): return fail(error)
        case .cancelled: return fail(.systemCancelled)
        case .done, .enrolled, .captured, .prints:
            return fail(.readerFault(.whorl("the reader gave something else than a verdict")))
        }
    }

    private mutating func countBadCapture(_ hint: CaptureHint) -> [PromptEffect<Print>] {
        badCaptures += 1
        badCapturesInARow += 1
        if badCaptures >= RequestLimits.badCaptures { return fail(.tooManyBadCaptures) }
        let isDirty = badCapturesInARow % RequestLimits.badCapturesBeforeCleaning == 0
        return [.update(.hint(isDirty ? .cleanSensor : hint))]
    }

    private mutating func arm(_ command: ReaderCommand) -> [PromptEffect<Print>] {
        round += 1
        isArmed = true
        fingerIsOn = false
        return [.arm(command, round: round)]
    }

    private mutating func rearm(_ print: Print) -> [PromptEffect<Print>] {
        guard fingerIsOn else { return arm(.verify(print)) }
        return [
            .update(.liftFinger),
            .start(.rearm(round: round), nanoseconds: PromptPace.fingerLift),
        ]
    }

    private var timeout: Int64 { Int64(limits.timeoutSeconds) * 1_000_000_000 }

    private mutating func restartTimeout() -> PromptEffect<Print> {
        timeoutGeneration += 1
        return .start(.timeout(generation: timeoutGeneration), nanoseconds: timeout)
    }

    // MARK: The end

    private mutating func fail(_ error: AuthenticationError) -> [PromptEffect<Print>] {
        let unused: Print? = if case .confirming(let print) = phase { print } else { nil }
        guard isArmed else { return finish(.failure(error), discarding: unused) }
        phase = .ending(.failure(error), discarding: unused)
        return [.disarm, .start(.disarm(round: round), nanoseconds: PromptPace.disarm)]
    }

    private mutating func finish(
        _ result: Result<Print, AuthenticationError>, discarding unused: Print?
    ) -> [PromptEffect<Print>] {
        phase = .finished
        return (unused.map { [.discard($0)] } ?? []) + [.finish(result)]
    }

    private mutating func handleEnding(
        _ event: PromptEvent, _ result: Result<Print, AuthenticationError>,
        discarding unused: Print?
    ) -> [PromptEffect<Print>] {
        switch event {
        case .reader(.ended(let outcome), let ofRound) where ofRound == round && isArmed:
            isArmed = false
            // The last stage crossed the cancel: that print is nobody's.
            if case .enrolled(let print) = outcome {
                return finish(result, discarding: print)
            }
            return finish(result, discarding: unused)
        case .timer(.disarm(let ofRound)) where ofRound == round && isArmed:
            isArmed = false
            return finish(result, discarding: unused)
        default: return []
        }
    }
}
