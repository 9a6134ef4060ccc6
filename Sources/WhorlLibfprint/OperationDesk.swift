internal import Synchronization
internal import WhorlBiometrics

/// Where a reader's operations are admitted, one at a time, and what is known of the reader.
///
/// Asked from every thread, so that the answer never waits for libfprint's.
final class OperationDesk: Sendable {
    private struct State {
        var description: ReaderDescription
        var current: ReaderOperation?
        var isUnplugged = false
    }

    private let state: Mutex<State>

    init(description: ReaderDescription) {
        state = Mutex(State(description: description))
    }

    var description: ReaderDescription { state.withLock { $0.description } }
    var isUnplugged: Bool { state.withLock { $0.isUnplugged } }

    /// The operation that has the reader.
    var current: ReaderOperation? { state.withLock { $0.current } }

    /// Gives the reader to an operation, unless it is not to be had.
    func admit(_ operation: ReaderOperation) -> AuthenticationError? {
        state.withLock { state in
            if let current = state.current {
                let word = current.command.word
                return current.hasEnded
                    ? .readerStillFinishing(.whorl("it is not done with '\(word)'"))
                    : .readerBusy(.whorl("it is busy with '\(word)'"))
            }
            if state.isUnplugged {
                guard case .close = operation.command else { return .unplugged }
            }
            state.current = operation
            return nil
        }
    }

    /// Takes the reader back, before the operation's last event is given: who hears of the end may
    /// ask for the next operation at once.
    func dismiss(_ operation: ReaderOperation, description: ReaderDescription) {
        state.withLock { state in
            state.description = description
            if state.current === operation { state.current = nil }
        }
    }

    /// Notes that the reader was pulled out, and ends its operation in bounded time.
    ///
    /// - Returns: Whether that is news.
    func unplug(grace: Duration) -> Bool {
        let (isNew, operation) = state.withLock { state in
            let isNew = !state.isUnplugged
            state.isUnplugged = true
            return (isNew, state.current)
        }
        if case .close? = operation?.command { return isNew }
        operation?.stop(.unplugged, grace: grace)
        return isNew
    }
}
