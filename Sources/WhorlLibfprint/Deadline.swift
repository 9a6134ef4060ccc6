internal import Synchronization

/// Waits for work on libfprint's thread, but not for ever: that thread may be stuck in a driver.
///
/// - Parameters:
///   - limit: How long to wait.
///   - fallback: What to return after that; the work goes on, and its result is dropped.
///   - body: The work.
/// - Returns: What the work or the deadline gave, whichever came first.
func withDeadline<Value: Sendable>(
    _ limit: Duration, else fallback: Value, _ body: @escaping @LibfprintActor () -> Value
) async -> Value {
    await withCheckedContinuation { continuation in
        let answer = Answer(continuation)
        let clock = Task {
            do {
                try await Task.sleep(for: limit)
                answer.give(fallback)
            } catch {
                // The work was done in time.
            }
        }
        Task { @LibfprintActor in
            answer.give(body())
            clock.cancel()
        }
    }
}

// Resumes its continuation with the first value that it is given.
private final class Answer<Value: Sendable>: Sendable {
    private let continuation: Mutex<CheckedContinuation<Value, Never>?>

    init(_ continuation: CheckedContinuation<Value, Never>) {
        self.continuation = Mutex(continuation)
    }

    func give(_ value: Value) {
        continuation.withLock { $0.take() }?.resume(returning: value)
    }
}
