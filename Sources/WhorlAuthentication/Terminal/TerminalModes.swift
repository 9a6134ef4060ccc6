import Glibc
import Synchronization

/// A terminal's modes: changed for a while, and put back on every way out.
package final class TerminalModes: Sendable {
    private struct State {
        var original: termios?
        var changed: termios?
    }

    private let descriptor: CInt
    private let keysAreSignals: Bool
    private let state = Mutex(State())

    /// The modes of an open terminal, which must stay open as long as this.
    ///
    /// Where keys are no signals, Ctrl-C ends a line, for ``LineReader`` to take it as the end of the
    /// input: in somebody else's program a signal would kill with the echo still off.
    package init(descriptor: CInt, keysAreSignals: Bool = true) {
        self.descriptor = descriptor
        self.keysAreSignals = keysAreSignals
    }

    /// Lets the terminal hand out whole lines, shown or hidden while they are typed; forgets what
    /// was typed before.
    ///
    /// The corresponding C function is `tcsetattr` with `TCSAFLUSH`.
    ///
    /// - Throws: ``SystemError`` where the terminal does not take it.
    package func change(_ echo: TerminalEcho) throws(SystemError) {
        try state.withLock { state throws(SystemError) in
            var modes = termios()
            guard unsafe tcgetattr(descriptor, &modes) == 0 else { throw .current }
            let original = state.original ?? modes
            modes = original
            // Lines, and signals from keys; another program may have left neither.
            modes.c_lflag |= tcflag_t(ICANON | ISIG)
            if !keysAreSignals {
                modes.c_lflag &= ~tcflag_t(ISIG)
                // VEOL2, where both of Linux's tables for x86-64 and arm64 have it.
                modes.c_cc.16 = LineReader.interrupt
            }
            modes.c_iflag |= tcflag_t(ICRNL)
            switch echo {
            case .visible: modes.c_lflag |= tcflag_t(ECHO)
            case .hidden: modes.c_lflag &= ~tcflag_t(ECHO | ECHOE | ECHOK | ECHONL)
            }
            guard unsafe tcsetattr(descriptor, TCSAFLUSH, &modes) == 0 else { throw .current }
            state.original = original
            state.changed = modes
        }
    }

    /// Puts the terminal back as it was, and forgets what was half typed.
    package func restore() {
        state.withLock { state in
            if var original = state.original {
                _ = unsafe tcsetattr(descriptor, TCSAFLUSH, &original)
            }
            state = State()
        }
    }

    /// Puts the terminal back for as long as the program is stopped; ``resume()`` takes it again.
    package func suspend() {
        state.withLock { state in
            guard var original = state.original else { return }
            _ = unsafe tcsetattr(descriptor, TCSAFLUSH, &original)
        }
    }

    /// Takes the terminal again after ``suspend()``.
    package func resume() {
        state.withLock { state in
            guard var changed = state.changed else { return }
            _ = unsafe tcsetattr(descriptor, TCSAFLUSH, &changed)
        }
    }
}
