internal import Synchronization
internal import WhorlBiometrics

/// A reader on a tape: opened once, closed once, and asked for what is on the tape in its order.
///
/// A session opens and closes its reader for each request and has no use for some of the operations
/// that a tape holds; those are done here when their place on the tape has come.
final class TapeReader: FingerprintReader {
    private struct State {
        var isOpen = false
        var remaining: [String]
        var listed: [Print] = []
    }

    private let reader: any FingerprintReader
    private let state: Mutex<State>
    private let onExtra: @Sendable (String, ReaderOutcome) -> Void

    /// A reader on a tape with these operations; `onExtra` hears of those that are only the tape's.
    init(
        _ reader: any FingerprintReader, operations: [String],
        onExtra: @escaping @Sendable (String, ReaderOutcome) -> Void
    ) {
        self.reader = reader
        self.onExtra = onExtra
        state = Mutex(State(remaining: operations))
    }

    var description: ReaderDescription {
        get async { await reader.description }
    }

    func perform(_ command: ReaderCommand) async -> AsyncStream<ReaderEvent> {
        switch command {
        case .open:
            let isFirst = state.withLock { state in
                defer { state.isOpen = true }
                return !state.isOpen
            }
            return isFirst ? await reader.perform(.open) : Self.over(.done)
        case .close: return Self.over(.done)
        default:
            if let failure = await windForward(to: command.word) { return Self.over(failure) }
            return await reader.perform(command)
        }
    }

    func cancel() async { await reader.cancel() }

    /// Closes the reader, where it was opened.
    func finish() async {
        let wasOpen = state.withLock { state in
            defer { state.isOpen = false }
            return state.isOpen
        }
        if wasOpen { _ = await reader.outcome(of: .close) }
    }

    // Does what comes before that operation on the tape.
    private func windForward(to word: String) async -> ReaderOutcome? {
        while let next = state.withLock({ $0.remaining.isEmpty ? nil : $0.remaining.removeFirst() })
        {
            if next == word { return nil }
            let command: ReaderCommand
            switch next {
            case "clear": command = .clearStorage
            case "list": command = .list
            case "identify": command = .identify(state.withLock { $0.listed })
            default:
                return .failed(
                    .readerMisused(.whorl("the tape holds '\(next)' here, not '\(word)'")))
            }
            let outcome = await reader.outcome(of: command)
            if case .prints(let prints) = outcome { state.withLock { $0.listed = prints } }
            if case .failed = outcome { return outcome }
            onExtra(next, outcome)
        }
        return .failed(.readerMisused(.whorl("the tape is over; it holds no more '\(word)'")))
    }

    private static func over(_ outcome: ReaderOutcome) -> AsyncStream<ReaderEvent> {
        AsyncStream { events in
            events.yield(.ended(outcome))
            events.finish()
        }
    }
}
