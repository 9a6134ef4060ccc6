import Synchronization
package import WhorlBiometrics

/// Who ended the program, by a signal.
package enum Interruption: Sendable, Hashable {
    /// The person, with Ctrl-C.
    case person
    /// The system, by asking the program to end.
    case system
}

/// Brings signals to whoever must know before the program dies of them.
///
/// While something is held, a signal is a cancel: it is told to the prompt that is up, or to the
/// next one, and the program dies of the signal when everything is put back. While nothing is held
/// it dies at once.
package final class Interruptions: Sendable {
    /// Names a handler, to take it away again.
    package struct Registration: Hashable, Sendable {
        fileprivate let number: Int
    }

    private struct State {
        var isHeld = false
        var received: (signal: CInt, interruption: Interruption)?
        var handlers: [Registration: @Sendable (Interruption) -> Void] = [:]
        var nextNumber = 0
    }

    private let state = Mutex(State())

    package init() {}

    /// The first signal that came while something was held; the program is to die of it.
    package var received: CInt? { state.withLock { $0.received?.signal } }

    /// What the signal makes of a request that it ends; nil where none came.
    package var error: AuthenticationError? {
        switch state.withLock({ $0.received?.interruption }) {
        case .person: .userCancelled
        case .system: .systemCancelled
        case nil: nil
        }
    }

    /// Holds off death, or stops holding it off.
    package func hold(_ isHeld: Bool) { state.withLock { $0.isHeld = isHeld } }

    /// Takes a signal in.
    ///
    /// Returns whether the program goes on for now; a second signal ends it.
    package func receive(_ signal: CInt, _ interruption: Interruption) -> Bool {
        let handlers: [@Sendable (Interruption) -> Void]? = state.withLock { state in
            guard state.isHeld, state.received == nil else { return nil }
            state.received = (signal, interruption)
            return Array(state.handlers.values)
        }
        for handler in handlers ?? [] { handler(interruption) }
        return handlers != nil
    }

    /// Tells of an interruption, also of one that came before.
    package func onInterruption(
        _ handler: @escaping @Sendable (Interruption) -> Void
    ) -> Registration {
        let (registration, received) = state.withLock { state in
            state.nextNumber += 1
            let registration = Registration(number: state.nextNumber)
            state.handlers[registration] = handler
            return (registration, state.received?.interruption)
        }
        if let received { handler(received) }
        return registration
    }

    /// Tells no more.
    package func remove(_ registration: Registration) {
        state.withLock { _ = $0.handlers.removeValue(forKey: registration) }
    }
}
