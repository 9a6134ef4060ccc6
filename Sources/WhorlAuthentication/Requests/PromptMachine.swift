import WhorlBiometrics
import WhorlSecrets

/// What happens to a request while it runs; everything that can, and nothing else.
enum PromptEvent: Sendable {
    /// The prompt is on screen.
    case promptShown
    /// The prompt could not be shown.
    case promptFailed(AuthenticationError)
    /// The person did something.
    case input(PromptInput)
    /// The prompter went away before the request ended.
    case prompterGone
    /// The reader reported something; of the operation that was armed as `round`.
    case reader(ReaderEvent, round: Int)
    /// The attempt is on disk.
    case charged
    /// The attempt could not be charged.
    case chargeFailed(AuthenticationError)
    /// The failed attempt is recorded, and this is what it brought.
    case settled(LockoutStatus)
    /// The failed attempt could not be recorded; its charge stands.
    case settleFailed(AuthenticationError)
    /// The credential was checked.
    case credentialChecked(CredentialVerdict)
    /// A timer ran down.
    case timer(PromptTimer)
    /// Somebody cancelled the request.
    case cancelled(AuthenticationError)
}

/// What became of a credential that was entered.
enum CredentialVerdict: Sendable, Hashable {
    case right
    case wrong
    case refused(AuthenticationError)
}

/// The timers that a request may start.
enum PromptTimer: Sendable, Hashable {
    /// The prompt should have been shown by now.
    case showing
    /// The request's own end.
    case timeout(generation: Int)
    /// The sensor may be armed (again).
    case rearm(round: Int)
    /// A reader that was told to stop should have by now.
    case disarm(round: Int)
}

/// What a request wants done; carried out in order, one at a time.
enum PromptEffect<Success: Sendable>: Sendable {
    case show
    case update(PromptState)
    case arm(ReaderCommand, round: Int)
    case disarm
    case charge
    case settleNoMatch
    case refund
    case checkCredential(HeldSecret)
    case start(PromptTimer, nanoseconds: Int64)
    /// Deletes a print that nobody will use from the reader.
    case discard(Print)
    /// Always the last.
    case finish(Result<Success, AuthenticationError>)
}

/// A request as a pure machine: events in, effects out, no clock, no waiting.
///
/// An actor is entered again at every `await`; a request that is one value, driven by one loop, is
/// not disturbed by that.
protocol PromptMachine: Sendable {
    associatedtype Success: Sendable

    /// The effects with which the request begins.
    mutating func begin() -> [PromptEffect<Success>]

    /// Takes in an event and gives the effects that follow from it.
    mutating func handle(_ event: PromptEvent) -> [PromptEffect<Success>]
}

/// Times that every request keeps.
enum PromptPace {
    /// Between two captures, where a finger was still on the sensor at the end of the first.
    static let fingerLift: Int64 = 700_000_000
    /// First wait after a fault that may pass; doubled each time.
    static let faultBackOff: Int64 = 250_000_000
    /// Faults in a row after which the finger's way is closed.
    static let faultsInARow = 3
    /// How long a reader may take to stop, beyond what it promises itself.
    static let disarm: Int64 = 8_000_000_000
    /// How long a prompter may take to draw.
    static let drawing: Int64 = 10_000_000_000
    /// How long an operation that waits for no finger may take, beyond what a reader allows itself.
    static let answer: Int64 = 20_000_000_000
    /// The longest time that a reader stays armed for one request: under libfprint's 180 s.
    static let longestArmed: Int64 = 170_000_000_000
}
