internal import WhorlBiometrics
internal import WhorlKit

/// Asks for a finger where there is no terminal: progress as plain lines, and no way to type a PIN.
actor LinePrompter: Prompter {
    nonisolated let takesCredentials = false

    private let sink: any ByteSink
    private let isQuiet: Bool
    private let interruptions: Interruptions
    private var current: Current?

    private struct Current {
        var screen: PromptScreen
        let inputs: AsyncStream<PromptInput>.Continuation
        let registration: Interruptions.Registration
    }

    init(sink: any ByteSink, isQuiet: Bool, interruptions: Interruptions) {
        self.sink = sink
        self.isQuiet = isQuiet
        self.interruptions = interruptions
    }

    func show(_ prompt: Prompt) async throws(AuthenticationError) -> AsyncStream<PromptInput> {
        takeAway(nil)
        let (inputs, continuation) = AsyncStream.makeStream(of: PromptInput.self)
        let registration = interruptions.onInterruption { interruption in
            continuation.yield(interruption == .person ? .cancelled : .systemCancelled)
        }
        var screen = PromptScreen(prompt, takesCredentials: false, style: .plain)
        write(screen.opening())
        current = Current(screen: screen, inputs: continuation, registration: registration)
        return inputs
    }

    func update(_ state: PromptState) async {
        guard let shown = current?.screen.state(state, columns: .max) else { return }
        write(shown)
    }

    func dismiss(_ ending: PromptEnding) async {
        switch ending {
        case .succeeded(let result): takeAway(PromptWords.success(result))
        case .failed: takeAway(nil)
        }
    }

    private func takeAway(_ success: String?) {
        guard var ended = current.take() else { return }
        interruptions.remove(ended.registration)
        ended.inputs.finish()
        write(ended.screen.closing(success))
    }

    // Where nobody reads the lines the request goes on without them.
    private func write(_ text: String) {
        guard !isQuiet, !text.isEmpty else { return }
        try? sink.write(text)
    }
}
