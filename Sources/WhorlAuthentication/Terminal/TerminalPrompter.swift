package import WhorlBiometrics
import WhorlSecrets

/// Asks a person at a terminal.
///
/// The terminal shows who asks, for what, and with which reader, before the sensor is armed. A PIN
/// is typed with the echo off, straight into locked memory. Whatever ends the prompt puts the
/// terminal back.
package actor TerminalPrompter: Prompter {
    package nonisolated let takesCredentials: Bool

    private let terminal: any Terminal
    private let style: PromptScreen.Style
    private let interruptions: Interruptions
    private var current: Current?

    private struct Current {
        var screen: PromptScreen
        let inputs: AsyncStream<PromptInput>.Continuation
        let registration: Interruptions.Registration
        let takesCredential: Bool
    }

    /// A prompter; with a PIN that the caller has from elsewhere none is to be typed.
    package init(
        terminal: any Terminal, takesCredentials: Bool, style: PromptScreen.Style,
        interruptions: Interruptions
    ) {
        self.takesCredentials = takesCredentials
        self.terminal = terminal
        self.style = style
        self.interruptions = interruptions
    }

    package func show(_ prompt: Prompt) async throws(AuthenticationError) -> AsyncStream<
        PromptInput
    > {
        takeAway(nil)
        let lines: AsyncStream<TerminalInput>
        do {
            lines = try terminal.beginReading(.hidden)
        } catch {
            throw .notInteractive
        }
        let (inputs, continuation) = AsyncStream.makeStream(of: PromptInput.self)
        let registration = interruptions.onInterruption { interruption in
            continuation.yield(interruption == .person ? .cancelled : .systemCancelled)
        }
        var screen = PromptScreen(prompt, takesCredentials: takesCredentials, style: style)
        terminal.write(screen.opening())
        current = Current(
            screen: screen, inputs: continuation, registration: registration,
            takesCredential: prompt.takesCredential && takesCredentials)
        // Ends with the lines: when the reading ends, with the prompt at the latest.
        Task { for await line in lines { self.take(line, for: registration) } }
        return inputs
    }

    private func take(_ input: TerminalInput, for registration: Interruptions.Registration) {
        guard let current, current.registration == registration else { return }
        switch input {
        case .line(let secret):
            guard current.takesCredential, let typed = secret.take(), !typed.isEmpty else { return }
            answer("Checking the PIN")
            current.inputs.yield(.credential(HeldSecret(typed)))
        case .tooLong:
            guard current.takesCredential else { return }
            answer("That was longer than a PIN can be (\(LineReader.limit) bytes)")
        case .ended:
            current.inputs.yield(.cancelled)
        }
    }

    private func answer(_ text: String) {
        guard let shown = current?.screen.answer(text, columns: terminal.columns) else { return }
        terminal.write(shown)
    }

    package func update(_ state: PromptState) async {
        guard let shown = current?.screen.state(state, columns: terminal.columns) else { return }
        terminal.write(shown)
    }

    package func dismiss(_ ending: PromptEnding) async {
        switch ending {
        case .succeeded(let result): takeAway(PromptWords.success(result))
        case .failed: takeAway(nil)
        }
    }

    private func takeAway(_ success: String?) {
        guard var ended = current.take() else { return }
        terminal.endReading()
        interruptions.remove(ended.registration)
        ended.inputs.finish()
        terminal.write(ended.screen.closing(success))
    }
}
