import Synchronization
import WhorlBiometrics
import WhorlSensorLab

/// A scripted reader, but for the operations that a test wants to be stubborn.
///
/// Such an operation reports what it was told to, and ends only when it is cancelled.
final class UnrulyReader: FingerprintReader {
    private struct Stubborn {
        let events: [ReaderEvent]
        let whenCancelled: ReaderOutcome
    }

    private struct State {
        var stubborn: [String: Stubborn] = [:]
        var running: (AsyncStream<ReaderEvent>.Continuation, ReaderOutcome)?
        var arrivals: Set<String> = []
    }
    private let state = Mutex(State())
    let inner: ScriptedReader

    init(_ inner: ScriptedReader) { self.inner = inner }

    /// The next such operation reports `events`, and ends so when it is cancelled.
    func hold(_ word: String, events: [ReaderEvent] = [], whenCancelled: ReaderOutcome) {
        state.withLock {
            $0.stubborn[word] = Stubborn(events: events, whenCancelled: whenCancelled)
        }
    }

    /// Waits until the operation that was to be held began.
    func isHeld(_ word: String, within limit: Duration = .seconds(60)) async -> Bool {
        let deadline = ContinuousClock.now + limit
        while !state.withLock({ $0.arrivals.remove(word) != nil }) {
            guard ContinuousClock.now < deadline else { return false }
            try? await Task.sleep(for: .milliseconds(1))
        }
        return true
    }

    var description: ReaderDescription { get async { await inner.description } }

    func perform(_ command: ReaderCommand) async -> AsyncStream<ReaderEvent> {
        let (stream, continuation) = AsyncStream.makeStream(of: ReaderEvent.self)
        let stubborn = state.withLock { state in
            let stubborn = state.stubborn.removeValue(forKey: command.word)
            if let stubborn {
                state.running = (continuation, stubborn.whenCancelled)
                state.arrivals.insert(command.word)
            }
            return stubborn
        }
        guard let stubborn else { return await inner.perform(command) }
        continuation.yield(.started)
        for event in stubborn.events { continuation.yield(event) }
        return stream
    }

    func cancel() async {
        guard let (continuation, outcome) = state.withLock({ $0.running.take() }) else {
            return await inner.cancel()
        }
        continuation.yield(.ended(outcome))
        continuation.finish()
    }
}
