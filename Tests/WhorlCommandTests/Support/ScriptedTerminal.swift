import Synchronization
import WhorlAuthentication
import WhorlSecrets

@testable import WhorlCommand

/// A terminal with a person who types what a test wrote down, one line a question.
final class ScriptedTerminal: Terminal {
    enum Typed {
        case line(String)
        case tooLong
        case end
        /// Ctrl-C, or a signal of the system.
        case interruption(Interruption)
    }

    private struct State {
        var typed: [Typed]
        var shown = ""
        var echoes: [TerminalEcho] = []
        var reading: AsyncStream<TerminalInput>.Continuation?
        var ended = 0
    }

    let columns: Int
    private let state: Mutex<State>
    private let interruptions: Interruptions?
    private let isGone: Bool

    init(
        _ typed: [Typed] = [], columns: Int = 80, interruptions: Interruptions? = nil,
        isGone: Bool = false
    ) {
        state = Mutex(State(typed: typed))
        self.columns = columns
        self.interruptions = interruptions
        self.isGone = isGone
    }

    var shown: String { state.withLock { $0.shown } }
    var echoes: [TerminalEcho] { state.withLock { $0.echoes } }
    /// Whether the terminal is as it was before.
    var isRestored: Bool { state.withLock { $0.reading == nil } }
    var rest: Int { state.withLock { $0.typed.count } }

    func write(_ text: String) { state.withLock { $0.shown += text } }

    func write(secret: borrowing SecretBytes) throws(SystemError) {
        let revealed = revealed(secret)
        state.withLock { $0.shown += revealed }
    }

    func hideTyping(at descriptor: CInt) -> Bool { false }

    func beginReading(_ echo: TerminalEcho) throws(SystemError) -> AsyncStream<TerminalInput> {
        if isGone { throw .badDescriptor }
        endReading()
        let (stream, continuation) = AsyncStream.makeStream(of: TerminalInput.self)
        let next = state.withLock { state in
            state.echoes.append(echo)
            state.reading = continuation
            return state.typed.isEmpty ? nil : state.typed.removeFirst()
        }
        if let next { type(next, continuation) }
        return stream
    }

    private func type(_ typed: Typed, _ continuation: AsyncStream<TerminalInput>.Continuation) {
        switch typed {
        case .line(let text):
            guard let line = try? secret(text) else { return }
            continuation.yield(.line(HeldSecret(line)))
        case .tooLong: continuation.yield(.tooLong)
        case .end: continuation.yield(.ended)
        case .interruption(let interruption):
            _ = interruptions?.receive(interruption == .person ? 2 : 15, interruption)
        }
    }

    /// Types something while a reading runs.
    func type(_ typed: Typed) {
        guard let continuation = state.withLock({ $0.reading }) else { return }
        type(typed, continuation)
    }

    func endReading() { state.withLock { $0.reading.take() }?.finish() }
}
