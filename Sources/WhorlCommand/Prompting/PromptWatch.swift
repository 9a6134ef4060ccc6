internal import Synchronization
internal import WhorlBiometrics

/// Passes a prompt on, and remembers what the answer must say of it.
final class PromptWatch: Prompter {
    private struct State {
        var isSimulated = false
        var result: AuthenticationResult?
    }

    private let inner: any Prompter
    private let state = Mutex(State())

    init(_ inner: any Prompter) { self.inner = inner }

    var takesCredentials: Bool { inner.takesCredentials }
    /// Whether a simulated reader took part.
    var isSimulated: Bool { state.withLock { $0.isSimulated } }
    /// How the last prompt succeeded; nil where it did not.
    var result: AuthenticationResult? { state.withLock { $0.result } }

    /// Remembers a reader that took part without a prompt.
    func note(_ reader: ReaderDescription) {
        if reader.isSimulated { noteSimulation() }
    }

    /// Remembers that what is shown is no sensor's.
    func noteSimulation() { state.withLock { $0.isSimulated = true } }

    func show(_ prompt: Prompt) async throws(AuthenticationError) -> AsyncStream<PromptInput> {
        let isSimulated = prompt.reader?.isSimulated ?? false
        state.withLock { $0 = State(isSimulated: $0.isSimulated || isSimulated) }
        return try await inner.show(prompt)
    }

    func update(_ state: PromptState) async { await inner.update(state) }

    func dismiss(_ ending: PromptEnding) async {
        if case .succeeded(let result) = ending {
            state.withLock {
                $0.result = result
                $0.isSimulated = $0.isSimulated || result.isSimulated
            }
        }
        await inner.dismiss(ending)
    }
}
