import Synchronization

/// When what happened within one request, as seen at the edges of Whorl: its reader, its prompter.
final class Observations: Sendable {
    private struct State {
        var round = 0
        var armed: Int64 = 0
        var verdict: Int64 = 0
        var toldNoMatch: Int64 = 0
        var firstVerdict: Int64 = 0
        var onArmed: @Sendable (Int) -> Void = { _ in }
        var beforeVerdict: @Sendable () async -> Void = {}
    }
    private let state = Mutex(State())

    /// Sets what is done each time that the sensor waits, with how often it did in this request.
    func onArmed(_ body: @escaping @Sendable (Int) -> Void) {
        state.withLock { $0.onArmed = body }
    }

    /// Sets what is waited for before the reader's last event is passed on.
    func beforeVerdict(_ body: @escaping @Sendable () async -> Void) {
        state.withLock { $0.beforeVerdict = body }
    }

    /// Begins a request.
    func begin() {
        state.withLock { state in
            state.round = 0
            state.armed = 0
        }
    }

    /// The sensor waits for a finger.
    func arm() {
        let (round, body) = state.withLock { state in
            state.armed = monotonicNanoseconds()
            state.round += 1
            return (state.round, state.onArmed)
        }
        body(round)
    }

    /// The reader has its last event ready; returns when it is to be passed on.
    func end() async {
        await state.withLock { $0.beforeVerdict }()
        state.withLock { state in
            state.verdict = monotonicNanoseconds()
            if state.round == 1 { state.firstVerdict = state.verdict }
        }
    }

    /// The person is told that the finger did not match.
    func tellNoMatch() {
        state.withLock { $0.toldNoMatch = monotonicNanoseconds() }
    }

    /// The times of a lap of this course.
    func stamps(
        of course: RequestContestant.Course, start: Int64, answer: Int64
    ) throws -> Stamps {
        let state = state.withLock {
            (
                round: $0.round, armed: $0.armed, verdict: $0.verdict,
                firstVerdict: $0.firstVerdict, toldNoMatch: $0.toldNoMatch
            )
        }
        guard state.round == (course == .charge ? 2 : 1) else {
            throw BenchError("the sensor was armed \(state.round) times")
        }
        guard course == .charge else {
            return Stamps(
                start: start, armed: state.armed, verdict: state.verdict, answer: answer)
        }
        return Stamps(
            start: state.firstVerdict, verdict: state.firstVerdict, answer: state.toldNoMatch)
    }
}
