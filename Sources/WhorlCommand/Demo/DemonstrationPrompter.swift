internal import WhorlBiometrics
internal import WhorlKit

/// Shows a demonstration's prompts as part of the story, and touches the sensor when it waits.
actor DemonstrationPrompter: Prompter {
    nonisolated let takesCredentials = false

    // What tells one wait for a finger from the next: the sensor may say twice that it waits.
    private struct Wait: Hashable {
        var captures = 0
        var misses = 0
        var isConfirming = false
    }

    private let demonstration: any Demonstration
    private let narrator: Narrator
    private let interruptions: Interruptions
    private var registration: Interruptions.Registration?
    private var finger = DemonstrationFinger.owner
    private var words: PromptWords?
    private var inputs: AsyncStream<PromptInput>.Continuation?
    private var wait = Wait()
    private var served: Wait?
    private var touching: Task<Void, Never>?

    init(
        _ demonstration: any Demonstration, narrator: Narrator, interruptions: Interruptions
    ) {
        self.demonstration = demonstration
        self.narrator = narrator
        self.interruptions = interruptions
    }

    /// Says whose finger touches from now on.
    func use(_ finger: DemonstrationFinger) { self.finger = finger }

    func show(_ prompt: Prompt) async throws(AuthenticationError) -> AsyncStream<PromptInput> {
        let words = PromptWords(prompt, takesCredentials: false)
        self.words = words
        wait = Wait()
        served = nil
        narrator.show(words.opening)
        let (stream, continuation) = AsyncStream.makeStream(of: PromptInput.self)
        takeAway()
        inputs = continuation
        registration = interruptions.onInterruption { interruption in
            continuation.yield(interruption == .person ? .cancelled : .systemCancelled)
        }
        return stream
    }

    func update(_ state: PromptState) async {
        if case .enrolling(let completed, let total) = state {
            narrator.show([
                "\(PromptWords.bar(completed: completed, of: total)) "
                    + "\(completed) of \(total)"
            ])
        } else if let message = words?.message(for: state) {
            narrator.show([message])
        }
        switch state {
        case .touchSensor: touch()
        case .enrolling(let completed, let total):
            wait.captures = completed
            if completed < total { touch() }
        case .noMatch, .hint: wait.misses += 1
        case .confirmTouch:
            wait.isConfirming = true
            touch()
        default: break
        }
    }

    // In order, and without holding up the request that waits for the touch.
    private func touch() {
        guard served != wait else { return }
        served = wait
        touching = Task { [touching, demonstration, finger] in
            await touching?.value
            await demonstration.present(finger)
        }
    }

    func dismiss(_ ending: PromptEnding) async {
        // A touch that comes too late would be the next prompt's.
        await touching?.value
        touching = nil
        takeAway()
        switch ending {
        case .succeeded(let result): narrator.show([PromptWords.success(result)])
        case .failed: break
        }
    }

    private func takeAway() {
        if let registration { interruptions.remove(registration) }
        registration = nil
        inputs?.finish()
        inputs = nil
    }
}
