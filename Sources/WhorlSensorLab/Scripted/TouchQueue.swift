internal import Synchronization

// Touches in the order in which they came, each taken once.
final class TouchQueue: Sendable {
    private struct State {
        var touches: [ScriptedTouch] = []
        var gate = ScriptGate()
    }
    private let state = Mutex(State())

    func append(_ touch: ScriptedTouch) {
        let gate = state.withLock { state in
            state.touches.append(touch)
            defer { state.gate = ScriptGate() }
            return state.gate
        }
        gate.open()
    }

    /// Waits for a touch; nil when the task was cancelled.
    func next() async -> ScriptedTouch? {
        while true {
            let (touch, gate) = state.withLock { state in
                (state.touches.isEmpty ? nil : state.touches.removeFirst(), state.gate)
            }
            if let touch { return touch }
            await gate.pass()
            if Task.isCancelled { return nil }
        }
    }
}
