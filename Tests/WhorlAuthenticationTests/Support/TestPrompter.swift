import Synchronization
import WhorlBiometrics
import WhorlSecrets

/// A prompter that keeps what it was told to show, and does what a test tells it to.
final class TestPrompter: Prompter {
    private struct State {
        var prompts: [Prompt] = []
        var states: [PromptState] = []
        var endings: [PromptEnding] = []
        var refusal: AuthenticationError?
        var inputs: AsyncStream<PromptInput>.Continuation?
        var onShow: (@Sendable (TestPrompter) -> Void)?
        var onUpdate: (@Sendable (PromptState, TestPrompter) -> Void)?
    }
    private let state = Mutex(State())
    let takesCredentials: Bool

    init(takesCredentials: Bool = true) {
        self.takesCredentials = takesCredentials
    }

    var prompts: [Prompt] { state.withLock { $0.prompts } }
    var states: [PromptState] { state.withLock { $0.states } }
    var endings: [PromptEnding] { state.withLock { $0.endings } }

    func refuse(_ error: AuthenticationError) { state.withLock { $0.refusal = error } }

    /// Runs when a prompt is shown, before anything is armed.
    func whenShown(_ body: @escaping @Sendable (TestPrompter) -> Void) {
        state.withLock { $0.onShow = body }
    }

    /// Runs at each state that is shown.
    func whenUpdated(_ body: @escaping @Sendable (PromptState, TestPrompter) -> Void) {
        state.withLock { $0.onUpdate = body }
    }

    func input(_ input: PromptInput) {
        _ = state.withLock { $0.inputs?.yield(input) }
    }

    func enter(_ pin: String) {
        guard let secret = try? secret(pin) else { return }
        input(.credential(HeldSecret(secret)))
    }

    /// The prompter goes away while the request runs.
    func vanish() {
        state.withLock { $0.inputs?.finish() }
    }

    func show(_ prompt: Prompt) async throws(AuthenticationError) -> AsyncStream<PromptInput> {
        let (stream, continuation) = AsyncStream.makeStream(of: PromptInput.self)
        let (refusal, onShow) = state.withLock { state in
            state.prompts.append(prompt)
            state.inputs = continuation
            return (state.refusal, state.onShow)
        }
        if let refusal { throw refusal }
        onShow?(self)
        return stream
    }

    func update(_ update: PromptState) async {
        let onUpdate = state.withLock { state in
            state.states.append(update)
            return state.onUpdate
        }
        onUpdate?(update, self)
    }

    func dismiss(_ ending: PromptEnding) async {
        state.withLock { state in
            state.endings.append(ending)
            state.inputs = nil
        }
    }
}

/// A secret of the bytes of a text; for tests only.
func secret(_ text: String) throws -> SecretBytes {
    let bytes = Array(text.utf8)
    return try SecretBytes(copying: bytes.span)
}

/// The bytes of a secret as text; for tests only.
func text(_ secret: borrowing SecretBytes) -> String {
    secret.withBytes { bytes in
        unsafe String(decoding: bytes.withUnsafeBytes { unsafe Array($0) }, as: UTF8.self)
    }
}
