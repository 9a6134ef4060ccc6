import Synchronization
import WhorlBiometrics

/// Waits for what other people's code does, but not for ever; also in a task that was cancelled.
///
/// - Parameters:
///   - nanoseconds: How long to wait.
///   - timekeeper: The clock to wait by.
///   - body: What to wait for; it goes on after that, and nobody hears of it.
/// - Returns: Whether it was done in time.
func isDone(
    within nanoseconds: Int64, by timekeeper: any Timekeeper,
    _ body: @escaping @Sendable () async -> Void
) async -> Bool {
    await withCheckedContinuation { continuation in
        let answer = FirstAnswer(continuation)
        let clock = Task {
            await timekeeper.sleep(nanoseconds: nanoseconds)
            if !Task.isCancelled { answer.give(false) }
        }
        Task {
            await body()
            answer.give(true)
            clock.cancel()
        }
    }
}

private final class FirstAnswer: Sendable {
    private let continuation: Mutex<CheckedContinuation<Bool, Never>?>

    init(_ continuation: CheckedContinuation<Bool, Never>) {
        self.continuation = Mutex(continuation)
    }

    func give(_ answer: Bool) {
        continuation.withLock { $0.take() }?.resume(returning: answer)
    }
}
