public import WhorlSecrets

/// What a prompt says: who asks, and for what.
public struct Prompt: Sendable {
    /// Who asks.
    public let origin: RequestOrigin
    /// What will be done, such as `open github`.
    public let action: DisplayText
    /// The words of the program that asks.
    public let reason: Reason
    /// A second line.
    public let detail: DisplayText?
    /// The reader that is armed, nil where no finger can serve.
    public let reader: ReaderDescription?
    /// The one finger that must be used, where the reader can check only one; nil for any enrolled.
    public let finger: Finger?
    /// Whether the credential serves: instead of the finger, or after it.
    public let takesCredential: Bool
    /// Whether finger and credential are both needed.
    public let needsBoth: Bool

    /// Makes a prompt.
    public init(
        origin: RequestOrigin, action: DisplayText, reason: Reason, detail: DisplayText?,
        reader: ReaderDescription?, finger: Finger? = nil, takesCredential: Bool, needsBoth: Bool
    ) {
        self.origin = origin
        self.action = action
        self.reason = reason
        self.detail = detail
        self.reader = reader
        self.finger = finger
        self.takesCredential = takesCredential
        self.needsBoth = needsBoth
    }
}

/// What a person did at a prompt.
@nonexhaustive
public enum PromptInput: Sendable {
    /// Entered the credential.
    case credential(HeldSecret)
    /// Cancelled.
    case cancelled
    /// Did nothing: the system is ending the program (`SIGTERM`), or sends it to sleep.
    case systemCancelled
    /// Chose the app's fallback.
    case fallback
}

/// What a prompt shows while a request goes on.
@nonexhaustive
public enum PromptState: Sendable, Hashable {
    /// The request waits behind others; `position` 1 is next.
    case queued(position: Int)
    /// The sensor waits for a finger.
    case touchSensor
    /// A finger is on the sensor.
    case fingerSeen
    /// A bad capture: no verdict.
    case hint(CaptureHint)
    /// A good capture that did not match; how many tries are left.
    case noMatch(triesLeft: Int)
    /// The reader failed in a way that may pass, and is tried again.
    case readerTrouble(AuthenticationError)
    /// The finger must leave the sensor.
    case liftFinger
    /// An enrolment went on: good captures so far, of how many.
    case enrolling(completed: Int, of: Int)
    /// An enrolment is complete; one more touch must match it.
    case confirmTouch
    /// The credential was wrong.
    case wrongCredential
    /// The finger's way is closed and why; the credential may still serve.
    case fingerUnavailable(AuthenticationError)
    /// The credential is asked for (again).
    case enterCredential
    /// The credential's way is closed and why; the finger may still serve.
    case credentialUnavailable(AuthenticationError)
}

/// How a prompt ended.
@nonexhaustive
public enum PromptEnding: Sendable, Hashable {
    /// It succeeded.
    case succeeded(AuthenticationResult)
    /// It did not.
    case failed(AuthenticationError)
}

/// Asks a person; something other than the program that wants the secret should draw it.
///
/// The sensor is armed only after ``show(_:)`` returned. A prompter whose stream ends before the
/// request does is gone, which is a refusal.
public protocol Prompter: Sendable {
    /// Whether a credential can be entered here.
    var takesCredentials: Bool { get }

    /// Shows a prompt, and returns what the person does, as it comes.
    ///
    /// - Throws: ``AuthenticationError`` where nobody can be asked; nothing is armed then.
    func show(_ prompt: Prompt) async throws(AuthenticationError) -> AsyncStream<PromptInput>

    /// Shows how the request goes on.
    func update(_ state: PromptState) async

    /// Takes the prompt away.
    func dismiss(_ ending: PromptEnding) async
}
