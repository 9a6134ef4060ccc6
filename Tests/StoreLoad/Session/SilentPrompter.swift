import Synchronization
import WhorlBiometrics

/// A prompter that shows nothing and is never answered; the PIN comes with the request.
final class SilentPrompter: Prompter {
    // A stream whose continuation is gone is a prompter that is gone.
    private let inputs = Mutex<AsyncStream<PromptInput>.Continuation?>(nil)

    let takesCredentials = false

    func show(_ prompt: Prompt) async throws(AuthenticationError) -> AsyncStream<PromptInput> {
        let (stream, continuation) = AsyncStream.makeStream(of: PromptInput.self)
        inputs.withLock { $0 = continuation }
        return stream
    }

    func update(_ state: PromptState) async {}

    func dismiss(_ ending: PromptEnding) async {
        inputs.withLock { $0 = nil }
    }
}

/// Everyone sits at this machine.
struct LocalSeat: SeatObserver {
    func presence() async -> SeatPresence { .local }
}
