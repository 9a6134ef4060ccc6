internal import Synchronization

/// A place in a script where it stands still until a test lets it go on.
///
/// With a gate a test does something at one certain moment, such as a second request between the
/// arming of the sensor and its verdict, with no guess at how long anything takes.
public final class ScriptGate: Sendable {
    private struct State {
        var isOpen = false
        var arrivals = 0
        var tickets: UInt64 = 0
        var waiting: [UInt64: CheckedContinuation<Void, Never>] = [:]
        // Those whose task was cancelled before they began to wait.
        var givenUp: Set<UInt64> = []
    }
    private let state = Mutex(State())

    /// Makes a gate that is shut.
    public init() {}

    /// Lets through whoever waits, and everyone who comes later.
    public func open() {
        let waiting = state.withLock { state in
            state.isOpen = true
            defer { state.waiting = [:] }
            return Array(state.waiting.values)
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Waits until a script has come to this gate, open or shut.
    ///
    /// - Parameters:
    ///   - times: How often a script must have come, 1 or more.
    ///   - limit: How long to wait.
    /// - Returns: Whether it came in time.
    public func isReached(times: Int = 1, within limit: Duration = .seconds(60)) async -> Bool {
        let deadline = ContinuousClock.now + limit
        while state.withLock({ $0.arrivals < times }) {
            guard ContinuousClock.now < deadline else { return false }
            do { try await Task.sleep(for: .milliseconds(1)) } catch { return false }
        }
        return true
    }

    // Returns when the gate is open, or the task was cancelled.
    func pass() async {
        let ticket = state.withLock { state in
            state.tickets += 1
            return state.tickets
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isFree = state.withLock { state in
                    state.arrivals += 1
                    if state.isOpen || state.givenUp.remove(ticket) != nil { return true }
                    state.waiting[ticket] = continuation
                    return false
                }
                if isFree { continuation.resume() }
            }
        } onCancel: {
            let continuation = state.withLock { state in
                let waiting = state.waiting.removeValue(forKey: ticket)
                if waiting == nil { state.givenUp.insert(ticket) }
                return waiting
            }
            continuation?.resume()
        }
    }
}
