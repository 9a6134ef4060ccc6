internal import Synchronization

/// A stream of JSON objects, one a line; what cannot be written is remembered.
final class LineStream: Sendable {
    private let console: Console
    private let state = Mutex<CommandFailure?>(nil)

    init(console: Console) { self.console = console }

    /// Why standard output took no more; nil where it took all.
    var failure: CommandFailure? { state.withLock { $0 } }

    /// Prints an object, unless one could not be printed before.
    func emit(_ object: JSON) {
        state.withLock { failure in
            guard failure == nil else { return }
            do throws(CommandFailure) {
                try console.answer(object)
            } catch {
                failure = error
            }
        }
    }
}
