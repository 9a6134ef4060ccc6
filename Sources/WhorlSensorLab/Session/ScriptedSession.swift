internal import Synchronization
public import WhorlBiometrics

/// A session for an app's own tests, with a person whose answers are written down.
///
/// It has no reader, no store and no PIN, and **protects nothing**: secrets lie in this process, and
/// whoever wrote the script decides. What it does not do is say yes by itself: a call that needs the
/// person takes the next answer of ``expect(_:)``, and fails where there is none left.
///
/// ```swift
/// let whorl = ScriptedSession(availability: .ready, enrolled: [.rightIndexFinger])
/// whorl.expect(.no(.noMatch), .yes(by: .finger))
/// ```
public final class ScriptedSession: WhorlSession {
    private let person = ScriptedPerson()
    private let state: Mutex<State>
    private struct State {
        var availability: Availability
        var locks = 0
    }

    /// The vault, in memory.
    public let scriptedVault: ScriptedVault
    /// The signing keys, in memory.
    public let scriptedSigningKeys: ScriptedSigningKeys
    /// The fingers, in memory.
    public let scriptedFingers: ScriptedFingers

    /// Makes a session.
    ///
    /// - Parameters:
    ///   - availability: What ``canAuthenticate(_:)`` answers.
    ///   - enrolled: The fingers that are enrolled.
    public init(availability: Availability, enrolled: Set<Finger>) {
        state = Mutex(State(availability: availability))
        let keys = ScriptedKeys(enrolled: enrolled)
        let opening = ScriptedOpening(keys: keys, person: person)
        scriptedVault = ScriptedVault(opening: opening)
        scriptedSigningKeys = ScriptedSigningKeys(opening: opening)
        scriptedFingers = ScriptedFingers(keys: keys, person: person)
    }

    // MARK: What the test says and asks

    /// Adds answers for the next prompts, one each.
    public func expect(_ answers: ScriptedAnswer...) { person.expect(answers) }

    /// Changes what ``canAuthenticate(_:)`` answers.
    public func become(_ availability: Availability) {
        state.withLock { $0.availability = availability }
    }

    /// What the person was asked so far.
    public var questions: [ScriptedQuestion] { person.questions }

    /// How often ``lock()`` was called.
    public var locks: Int { state.withLock { $0.locks } }

    // MARK: WhorlSession

    /// The vault, in memory.
    public var vault: any SecretVault { scriptedVault }
    /// The signing keys, in memory.
    public var signingKeys: any SigningKeys { scriptedSigningKeys }
    /// The fingers, in memory.
    public var fingers: any Fingers { scriptedFingers }

    /// What the test said.
    public func canAuthenticate(_ authenticators: Authenticators) async -> Availability {
        state.withLock { $0.availability }
    }

    /// Takes the next answer.
    ///
    /// - Throws: What the script says.
    public func authenticate(
        _ authenticators: Authenticators, request: AuthenticationRequest
    ) async throws(AuthenticationError) -> AuthenticationResult {
        try await person.ask("authenticate", request)
    }

    /// Takes the next answer, which must be the credential or the recovery key.
    ///
    /// - Throws: What the script says.
    public func unlock(request: AuthenticationRequest) async throws(AuthenticationError) {
        let result = try await person.ask("unlock", request)
        guard result.factors.contains(.deviceCredential) || result.factors == [.recoveryKey] else {
            throw .internalError(.whorl("the scripted answer to 'unlock' is not the credential"))
        }
    }

    /// Counts the call.
    public func lock() async { state.withLock { $0.locks += 1 } }

    /// Ends prompts whose answer waits at a gate, in `AuthenticationError.appCancelled`.
    public func cancel() async { person.cancel() }

    /// `SessionState.prompting` while the person is asked, else `SessionState.idle`.
    public func states() async -> AsyncStream<SessionState> { person.states() }
}
