internal import Synchronization
internal import WhorlBiometrics

// An operation of a scripted reader: its stream, and how it is ended exactly once.
final class ScriptedOperation: Sendable {
    private struct State {
        var isOver = false
        var ignoresCancel = false
        var isLingering = false
        var isCancelled = false
        // What it ends in whatever the script says.
        var forced: ReaderOutcome?
        var task: Task<Void, Never>?
    }
    private let state = Mutex(State())
    private let continuation: AsyncStream<ReaderEvent>.Continuation

    init(_ continuation: AsyncStream<ReaderEvent>.Continuation) {
        self.continuation = continuation
    }

    /// Whether it was cancelled, told so, and is not done yet.
    var isLingering: Bool { state.withLock { $0.isLingering } }
    func run(_ body: @escaping @Sendable () async -> Void) {
        let task = Task { await body() }
        let isLate = state.withLock { state in
            state.task = task
            return state.isCancelled || state.forced != nil || state.isOver
        }
        if isLate { task.cancel() }
    }

    func send(_ event: ReaderEvent) {
        guard !state.withLock({ $0.isOver }) else { return }
        continuation.yield(event)
    }

    func ignoreCancel() { state.withLock { $0.ignoresCancel = true } }

    /// Ends it; nil ends the stream without its last event.
    func end(_ outcome: ReaderOutcome?) {
        let (isFirst, forced) = state.withLock { state in
            defer { state.isOver = true }
            return (!state.isOver, state.forced)
        }
        guard isFirst else { return }
        if let outcome = forced ?? outcome { continuation.yield(.ended(outcome)) }
        continuation.finish()
    }

    func cancel() {
        let (task, lingers) = state.withLock { state in
            guard !state.isOver else { return (Task<Void, Never>?.none, false) }
            state.isLingering = state.ignoresCancel
            state.isCancelled = !state.ignoresCancel
            return (state.ignoresCancel ? nil : state.task, state.ignoresCancel)
        }
        task?.cancel()
        if lingers { end(.failed(.readerStillFinishing(.whorl("the driver ignores its cancel")))) }
    }

    /// Cuts it short with an outcome, whether or not it obeys a cancel.
    func cut(short outcome: ReaderOutcome) {
        let task = state.withLock { state in
            state.forced = outcome
            return state.task
        }
        task?.cancel()
    }
}
