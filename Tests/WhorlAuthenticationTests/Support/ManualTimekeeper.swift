import Synchronization
import WhorlBiometrics

/// Clocks that a test turns.
///
/// Short sleeps (waiting for a finger to lift, backing off) are over at once; longer ones when
/// ``advance(seconds:)`` reached their end. Nothing in a test waits for real time.
final class ManualTimekeeper: Timekeeper {
    private struct State {
        var boot = "boot-1"
        var nanoseconds: Int64 = 1_000_000_000_000
        var sleepers: [Int: (deadline: Int64, wake: CheckedContinuation<Void, Never>)] = [:]
        var next = 0
    }
    private let state = Mutex(State())
    /// Sleeps up to this long are over at once.
    private static let short: Int64 = 6_000_000_000

    func now() -> BootInstant {
        state.withLock { BootInstant(bootID: $0.boot, nanoseconds: $0.nanoseconds) }
    }

    func unixTime() -> Int64 { 1_800_000_000 }

    func advance(seconds: Int64) {
        let woken = state.withLock { state in
            state.nanoseconds += seconds * 1_000_000_000
            let due = state.sleepers.filter { $0.value.deadline <= state.nanoseconds }
            for key in due.keys { state.sleepers[key] = nil }
            return due.values.map(\.wake)
        }
        for sleeper in woken { sleeper.resume() }
    }

    func reboot() {
        state.withLock { state in
            state.boot += "+"
            state.nanoseconds = 1_000_000_000
        }
    }

    func sleep(nanoseconds: Int64) async {
        guard nanoseconds > Self.short else { return await Task.yield() }
        let ticket = state.withLock { state in
            state.next += 1
            return state.next
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    if Task.isCancelled { return true }
                    state.sleepers[ticket] = (state.nanoseconds + nanoseconds, continuation)
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.sleepers.removeValue(forKey: ticket) }?.wake.resume()
        }
    }
}
