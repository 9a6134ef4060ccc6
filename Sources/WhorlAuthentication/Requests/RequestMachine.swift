import WhorlBiometrics
import WhorlSecrets

/// What must be given together for a request to succeed.
struct RequestWay: Sendable, Hashable {
    let needsFinger: Bool
    let needsCredential: Bool

    func isSatisfied(by given: Set<AuthenticationFactor>) -> Bool {
        (!needsFinger || given.contains(.finger))
            && (!needsCredential || given.contains(.deviceCredential))
    }
}

/// One request for a finger, a credential or both, from its prompt to its end.
///
/// The rules it keeps: an attempt is on disk before its verdict is looked at; only a good capture
/// that did not match counts, also when a cancel crossed it; a match counts only when the operation
/// ended cleanly; whatever is not understood ends the finger's way, and never opens anything.
struct RequestMachine: PromptMachine {
    /// How a request succeeded.
    struct Success: Sendable {
        /// What was given.
        let factors: Set<AuthenticationFactor>
        /// Which print of the gallery matched; nil where no finger took part.
        let matchIndex: Int?
    }

    private enum Phase {
        case showing
        case running
        case ending(Result<Success, AuthenticationError>)
        case finished
    }

    private let ways: [RequestWay]
    private let command: ReaderCommand?
    private let limits: RequestLimits
    private let provided: HeldSecret?
    private let promptTakesCredential: Bool
    private let fingerRefusal: AuthenticationError?

    private var phase = Phase.showing
    private var round = 0
    private var isArmed = false
    private var isCharged = false
    private var fingerIsOn = false
    private var waitingVerdict: ReaderOutcome?
    private var reportedNoMatch = false
    private var given: Set<AuthenticationFactor> = []
    private var matchIndex: Int?
    private var triesLeft: Int
    private var credentialTriesLeft: Int
    private var badCaptures = 0
    private var badCapturesInARow = 0
    private var faultsInARow = 0
    private var sawNoMatch = false
    private var fingerClosed: AuthenticationError?
    private var credentialClosed: AuthenticationError?

    /// A request.
    ///
    /// - Parameters:
    ///   - ways: Those that admission found open; at least one.
    ///   - command: What to arm the reader with; nil where no way needs a finger.
    ///   - limits: How long and how often the person may try.
    ///   - provided: A credential that the caller had already.
    ///   - promptTakesCredential: Whether the person can enter one at this prompt.
    ///   - fingerRefusal: Why no finger is asked for, where one could have served; shown.
    init(
        ways: [RequestWay], command: ReaderCommand?, limits: RequestLimits,
        provided: HeldSecret?, promptTakesCredential: Bool,
        fingerRefusal: AuthenticationError? = nil
    ) {
        self.ways = ways
        self.command = command
        self.limits = limits
        self.provided = provided
        self.promptTakesCredential = promptTakesCredential
        self.fingerRefusal = fingerRefusal
        triesLeft = limits.tries
        credentialTriesLeft = limits.tries
    }

    mutating func begin() -> [PromptEffect<Success>] {
        // Nobody is asked for anything where the credential is here and no finger can serve.
        if provided != nil, command == nil { return start() }
        return [.start(.showing, nanoseconds: timeout), .show]
    }

    mutating func handle(_ event: PromptEvent) -> [PromptEffect<Success>] {
        switch phase {
        case .finished: []
        case .ending(let result): handleEnding(event, result)
        case .showing:
            switch event {
            case .promptShown: start()
            case .promptFailed(let error): conclude(.failure(error))
            case .timer(.showing): conclude(.failure(.notInteractive))
            case .cancelled(let error): conclude(.failure(error))
            default: []
            }
        case .running: handleRunning(event)
        }
    }

    // MARK: Running

    private var timeout: Int64 { Int64(limits.timeoutSeconds) * 1_000_000_000 }

    private mutating func start() -> [PromptEffect<Success>] {
        phase = .running
        var effects: [PromptEffect<Success>] = [
            .start(.timeout(generation: 0), nanoseconds: timeout)
        ]
        if let provided {
            // Checked before the sensor is armed: with a wrong one no finger is asked for.
            effects.append(.checkCredential(provided))
        } else if command == nil {
            effects += fingerRefusal.map { [.update(.fingerUnavailable($0))] } ?? []
            effects.append(.update(.enterCredential))
        } else {
            effects += arm()
        }
        return effects
    }

    private mutating func handleRunning(_ event: PromptEvent) -> [PromptEffect<Success>] {
        switch event {
        case .promptShown: return []
        case .promptFailed(let error), .cancelled(let error): return conclude(.failure(error))
        case .prompterGone: return conclude(.failure(.notInteractive))
        case .input(let input): return handle(input)
        case .reader(let event, let ofRound):
            guard ofRound == round else { return [] }
            return handle(event)
        case .charged:
            isCharged = true
            guard let verdict = waitingVerdict else { return [] }
            waitingVerdict = nil
            return take(verdict)
        case .chargeFailed(let error), .settleFailed(let error): return conclude(.failure(error))
        case .settled(let status): return afterNoMatch(status)
        case .credentialChecked(let verdict): return take(verdict)
        case .timer(.timeout): return conclude(.failure(timeoutError))
        case .timer(.rearm(let ofRound)):
            guard ofRound == round, !isArmed else { return [] }
            return arm()
        case .timer(.disarm), .timer(.showing): return []
        }
    }

    private var timeoutError: AuthenticationError {
        if let fingerClosed { return fingerClosed }
        return sawNoMatch ? .noMatch : .timedOut
    }

    private mutating func handle(_ input: PromptInput) -> [PromptEffect<Success>] {
        switch input {
        case .cancelled: conclude(.failure(.userCancelled))
        case .systemCancelled: conclude(.failure(.systemCancelled))
        case .fallback: conclude(.failure(.fallbackChosen))
        case .credential(let secret): credentialCanServe ? [.checkCredential(secret)] : []
        }
    }

    private mutating func handle(_ event: ReaderEvent) -> [PromptEffect<Success>] {
        switch event {
        case .started: return [.update(.touchSensor)]
        case .finger(let status):
            fingerIsOn = status.contains(.present)
            guard fingerIsOn, isArmed, !isCharged else { return [] }
            // A prompter that is slow must not put the charge off.
            return [.charge, .update(.fingerSeen)]
        case .hint(let hint): return countBadCapture(hint, rearming: false)
        case .reported(let isMatch):
            reportedNoMatch = !isMatch
            return []
        case .temperature, .enrollStage: return []
        case .ended(let outcome):
            // An operation ends once: what comes after it is no answer to anything.
            guard isArmed else { return [] }
            isArmed = false
            if outcome.isVerdict, !isCharged {
                waitingVerdict = outcome
                return [.charge]
            }
            return take(outcome)
        }
    }

    // MARK: Verdicts

    private mutating func take(_ outcome: ReaderOutcome) -> [PromptEffect<Success>] {
        switch outcome {
        case .match(let index):
            given.insert(.finger)
            matchIndex = index
            return satisfied ? conclude(success) : [.update(.enterCredential)]
        case .noMatch:
            badCapturesInARow = 0
            faultsInARow = 0
            return [.settleNoMatch]
        case .retry(let hint): return refund() + countBadCapture(hint, rearming: true)
        case .failed(let error): return refund() + takeFault(error)
        case .cancelled:
            phase = .ending(.failure(.systemCancelled))
            return settleCancelled(.failure(.systemCancelled))
        case .done, .enrolled, .captured, .prints:
            return refund()
                + closeFinger(.readerFault(.whorl("the reader gave something else than a verdict")))
        }
    }

    private mutating func afterNoMatch(_ status: LockoutStatus) -> [PromptEffect<Success>] {
        isCharged = false
        sawNoMatch = true
        triesLeft -= 1
        if let refusal = status.refusal { return closeFinger(refusal) }
        if triesLeft <= 0 { return conclude(.failure(.noMatch)) }
        return [.update(.noMatch(triesLeft: triesLeft))] + rearm()
    }

    private mutating func countBadCapture(
        _ hint: CaptureHint, rearming: Bool
    ) -> [PromptEffect<Success>] {
        badCaptures += 1
        badCapturesInARow += 1
        faultsInARow = 0
        if badCaptures >= RequestLimits.badCaptures {
            return conclude(.failure(sawNoMatch ? .noMatch : .tooManyBadCaptures))
        }
        let isDirty = badCapturesInARow % RequestLimits.badCapturesBeforeCleaning == 0
        let shown = PromptEffect<Success>.update(.hint(isDirty ? .cleanSensor : hint))
        return [shown] + (rearming ? rearm() : [])
    }

    private mutating func takeFault(_ error: AuthenticationError) -> [PromptEffect<Success>] {
        faultsInARow += 1
        guard error.mayPass, faultsInARow <= PromptPace.faultsInARow else {
            return closeFinger(error)
        }
        return [
            .update(.readerTrouble(error)),
            .start(
                .rearm(round: round),
                nanoseconds: PromptPace.faultBackOff << Int64(faultsInARow - 1)),
        ]
    }

    // MARK: The credential

    private var credentialCanServe: Bool {
        !given.contains(.deviceCredential) && credentialClosed == nil
            && ways.contains { $0.needsCredential }
    }

    private mutating func take(_ verdict: CredentialVerdict) -> [PromptEffect<Success>] {
        switch verdict {
        case .right:
            given.insert(.deviceCredential)
            if satisfied { return conclude(success) }
            return isArmed ? [] : arm()
        case .wrong:
            credentialTriesLeft -= 1
            // One that the caller provided is not asked for again.
            guard provided == nil, credentialTriesLeft > 0 else {
                return conclude(.failure(.wrongCredential))
            }
            return [.update(.wrongCredential)]
        case .refused(let error):
            credentialClosed = error
            guard fingerCanServeAlone else { return conclude(.failure(error)) }
            return [.update(.credentialUnavailable(error))]
        }
    }

    // MARK: The finger

    private var fingerCanServeAlone: Bool {
        provided == nil && fingerClosed == nil && command != nil
            && ways.contains { $0.needsFinger && !$0.needsCredential }
    }

    private mutating func arm() -> [PromptEffect<Success>] {
        guard let command, fingerClosed == nil, !given.contains(.finger) else { return [] }
        round += 1
        isArmed = true
        fingerIsOn = false
        reportedNoMatch = false
        return [.arm(command, round: round)]
    }

    private mutating func rearm() -> [PromptEffect<Success>] {
        // A finger that still lies there would be read again at once.
        guard fingerIsOn else { return arm() }
        return [
            .update(.liftFinger),
            .start(.rearm(round: round), nanoseconds: PromptPace.fingerLift),
        ]
    }

    private mutating func closeFinger(_ error: AuthenticationError) -> [PromptEffect<Success>] {
        fingerClosed = error
        let credentialAlone = ways.contains { $0.needsCredential && !$0.needsFinger }
        guard promptTakesCredential, credentialClosed == nil, credentialAlone else {
            return conclude(.failure(error))
        }
        return [.update(.fingerUnavailable(error)), .update(.enterCredential)]
    }

    private mutating func refund() -> [PromptEffect<Success>] {
        guard isCharged else { return [] }
        isCharged = false
        return [.refund]
    }

    // MARK: The end

    private var satisfied: Bool { ways.contains { $0.isSatisfied(by: given) } }

    private var success: Result<Success, AuthenticationError> {
        .success(Success(factors: given, matchIndex: matchIndex))
    }

    private mutating func conclude(
        _ result: Result<Success, AuthenticationError>
    ) -> [PromptEffect<Success>] {
        if isArmed {
            phase = .ending(result)
            return [
                .disarm, .start(.disarm(round: round), nanoseconds: PromptPace.disarm),
            ]
        }
        return finish(result)
    }

    private mutating func finish(
        _ result: Result<Success, AuthenticationError>
    ) -> [PromptEffect<Success>] {
        phase = .finished
        // The charge of a match is cleared when the secret was handed over: nothing is written
        // between the verdict and the key.
        if case .success = result, given.contains(.finger) { return [.finish(result)] }
        return refund() + [.finish(result)]
    }

    // The reader was told to stop, and says how its operation ended.
    private mutating func handleEnding(
        _ event: PromptEvent, _ result: Result<Success, AuthenticationError>
    ) -> [PromptEffect<Success>] {
        switch event {
        case .reader(.reported(let isMatch), let ofRound) where ofRound == round && isArmed:
            reportedNoMatch = !isMatch
            return []
        case .reader(.ended(let outcome), let ofRound) where ofRound == round && isArmed:
            isArmed = false
            // A good capture that did not match counts, also when the cancel crossed it: else a
            // cancel would be a way around the counter.
            switch outcome {
            case .noMatch: return [.settleNoMatch]
            case .cancelled, .failed(.readerStillFinishing): return settleCancelled(result)
            default: return finish(result)
            }
        case .charged:
            isCharged = true
            return []
        case .settled(let status):
            isCharged = false
            // A time-out with a no match is a no; a cancel stays one.
            if case .failure(.timedOut) = result {
                return finish(.failure(status.refusal ?? .noMatch))
            }
            return finish(result)
        case .settleFailed:
            // The charge stands; the answer is no already, or is the credential's.
            isCharged = false
            return finish(result)
        case .timer(.disarm(let ofRound)) where ofRound == round && isArmed:
            isArmed = false
            return settleCancelled(result)
        default: return []
        }
    }

    // Many drivers report a verdict and end when the finger was lifted. A cancel in between must not
    // be a way around the counter for who keeps a wrong finger down.
    private mutating func settleCancelled(
        _ result: Result<Success, AuthenticationError>
    ) -> [PromptEffect<Success>] {
        reportedNoMatch ? [.settleNoMatch] : finish(result)
    }
}
