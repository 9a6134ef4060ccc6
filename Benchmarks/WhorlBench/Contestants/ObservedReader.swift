import WhorlBiometrics

/// A source whose readers are observed.
struct ObservedSource: ReaderSource {
    private let source: any ReaderSource
    private let observations: Observations

    init(_ source: any ReaderSource, _ observations: Observations) {
        self.source = source
        self.observations = observations
    }

    func readers() async throws(AuthenticationError) -> [any FingerprintReader] {
        try await source.readers().map { ObservedReader(reader: $0, observations: observations) }
    }

    func changes() async -> AsyncStream<ReaderChange> { await source.changes() }
}

/// A reader whose times are taken as its events pass.
///
/// Events are pulled through, not sent on by a task, so that observing costs next to nothing.
struct ObservedReader: FingerprintReader {
    let reader: any FingerprintReader
    let observations: Observations

    var description: ReaderDescription { get async { await reader.description } }

    func cancel() async { await reader.cancel() }

    func perform(_ command: ReaderCommand) async -> AsyncStream<ReaderEvent> {
        let events = await reader.perform(command)
        guard case .verify = command else { return events }
        let passing = PassingEvents(events)
        let observations = observations
        return AsyncStream {
            let event = await passing.next()
            switch event {
            // It is needed again when it leaves.
            case .finger(.needed)? where passing.isFirstNeed: observations.arm()
            case .ended?: await observations.end()
            default: break
            }
            return event
        }
    }
}

/// An iterator that a stream may hold.
private final class PassingEvents: @unchecked Sendable {
    // Unchecked: a stream asks for its next element only when it has the last.
    private var iterator: AsyncStream<ReaderEvent>.Iterator

    private var wasNeeded = false

    init(_ events: AsyncStream<ReaderEvent>) { iterator = events.makeAsyncIterator() }

    func next() async -> ReaderEvent? { await iterator.next() }

    /// Whether a finger is asked for the first time.
    var isFirstNeed: Bool {
        defer { wasNeeded = true }
        return !wasNeeded
    }
}

/// A prompter that shows nothing, and sees when a person would be told.
struct ObservingPrompter: Prompter {
    let observations: Observations

    var takesCredentials: Bool { false }

    func show(_ prompt: Prompt) async throws(AuthenticationError) -> AsyncStream<PromptInput> {
        // Nobody does anything; a stream that ended would be a prompter that is gone.
        AsyncStream { _ in }
    }

    func update(_ state: PromptState) async {
        if case .noMatch = state { observations.tellNoMatch() }
    }

    func dismiss(_ ending: PromptEnding) async {}
}
