import Synchronization
public import WhorlBiometrics

/// Asks the person at the terminal that controls this process.
///
/// The terminal is opened for each prompt and put back after it. While a prompt is up, Ctrl-C is a
/// cancel and no signal, so that a program which knows nothing of terminals keeps its echo.
///
/// Prompts that a program draws itself could say anything; only the service's are drawn by
/// something other than the asker.
public final class ControllingTerminalPrompter: Prompter {
    private let current = Mutex<TerminalPrompter?>(nil)

    /// Makes a prompter.
    public init() {}

    /// Whether this process has a terminal.
    public var takesCredentials: Bool {
        do throws(SystemError) {
            _ = try ControllingTerminal()
            return true
        } catch {
            return false
        }
    }

    /// Shows a prompt.
    ///
    /// - Throws: ``AuthenticationError/notInteractive`` where this process has no terminal.
    public func show(
        _ prompt: Prompt
    ) async throws(AuthenticationError) -> AsyncStream<PromptInput> {
        let terminal: ControllingTerminal
        do throws(SystemError) {
            terminal = try ControllingTerminal(keysAreSignals: false)
        } catch {
            throw .notInteractive
        }
        let prompter = TerminalPrompter(
            terminal: terminal, takesCredentials: true, style: .plain,
            interruptions: Interruptions())
        current.withLock { $0 = prompter }
        return try await prompter.show(prompt)
    }

    /// Shows how the request goes on.
    public func update(_ state: PromptState) async {
        await current.withLock { $0 }?.update(state)
    }

    /// Takes the prompt away.
    public func dismiss(_ ending: PromptEnding) async {
        await current.withLock { $0.take() }?.dismiss(ending)
    }
}

extension Prompter where Self == ControllingTerminalPrompter {
    /// The terminal that controls this process.
    public static var terminal: ControllingTerminalPrompter { ControllingTerminalPrompter() }
}
