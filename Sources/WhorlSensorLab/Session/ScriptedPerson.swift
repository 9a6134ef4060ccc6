internal import Synchronization
internal import WhorlBiometrics

// The person in a script: takes the questions, and gives the answers that were written down.
final class ScriptedPerson: Sendable {
    private struct State {
        var answers: [ScriptedAnswer] = []
        var questions: [ScriptedQuestion] = []
        var tickets: UInt64 = 0
        var waiting: [UInt64: Task<Void, Never>] = [:]
        var listeners: [UInt64: AsyncStream<SessionState>.Continuation] = [:]
    }
    private let state = Mutex(State())

    var questions: [ScriptedQuestion] { state.withLock { $0.questions } }

    func expect(_ answers: [ScriptedAnswer]) { state.withLock { $0.answers += answers } }

    /// Asks; where nothing is scripted the answer is a fault, never yes.
    func ask(
        _ action: String, _ request: AuthenticationRequest
    ) async throws(AuthenticationError) -> AuthenticationResult {
        var answer = state.withLock { state -> ScriptedAnswer? in
            state.questions.append(
                ScriptedQuestion(action: action, reason: request.reason.text.shown))
            return state.answers.isEmpty ? nil : state.answers.removeFirst()
        }
        tell(.prompting)
        defer { tell(.idle) }
        while case .after(let gate, let next) = answer {
            guard await waits(at: gate) else { throw .appCancelled }
            answer = next
        }
        switch answer {
        case .yes(let result): return result
        case .no(let error): throw error
        default: throw .internalError(.whorl("no answer is scripted for '\(action)'"))
        }
    }

    func cancel() {
        for task in state.withLock({ Array($0.waiting.values) }) { task.cancel() }
    }

    func states() -> AsyncStream<SessionState> {
        let (stream, continuation) = AsyncStream.makeStream(of: SessionState.self)
        let ticket = newTicket()
        state.withLock { $0.listeners[ticket] = continuation }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { $0.listeners[ticket] = nil }
        }
        return stream
    }

    // Whether the gate was opened, and nobody cancelled.
    private func waits(at gate: ScriptGate) async -> Bool {
        let ticket = newTicket()
        let task = Task { await gate.pass() }
        state.withLock { $0.waiting[ticket] = task }
        await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
        state.withLock { $0.waiting[ticket] = nil }
        return !task.isCancelled
    }

    private func newTicket() -> UInt64 {
        state.withLock { state in
            state.tickets += 1
            return state.tickets
        }
    }

    private func tell(_ news: SessionState) {
        for listener in state.withLock({ Array($0.listeners.values) }) { listener.yield(news) }
    }
}
