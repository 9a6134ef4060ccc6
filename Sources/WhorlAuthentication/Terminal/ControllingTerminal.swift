import Glibc
import Synchronization
package import WhorlSecrets

/// The terminal that controls this process, opened anew so that nothing else shares its flags.
package final class ControllingTerminal: Terminal {
    /// How long a terminal may take no output before the rest is dropped, in milliseconds.
    private static let patience: CInt = 200

    /// The terminal's modes, for whoever must put them back.
    package let modes: TerminalModes
    private let descriptor: CInt
    private let reader = Mutex<LineReader?>(nil)
    private let isHeld = Mutex(false)

    /// Opens a terminal.
    ///
    /// - Parameters:
    ///   - path: The terminal; by default the one that controls this process.
    ///   - keysAreSignals: Whether Ctrl-C is a signal to this process, or the end of the input.
    /// - Throws: ``SystemError`` where there is none.
    package init(
        path: String = "/dev/tty", keysAreSignals: Bool = true
    ) throws(SystemError) {
        descriptor = unsafe open(path, O_RDWR | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
        guard descriptor >= 0 else { throw .current }
        modes = TerminalModes(descriptor: descriptor, keysAreSignals: keysAreSignals)
    }

    deinit {
        endReading()
        close(descriptor)
    }

    package var columns: Int {
        var size = winsize()
        guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
            return TextLayout.columns
        }
        return max(20, Int(size.ws_col))
    }

    package func write(_ text: String) {
        let bytes = [UInt8](text.utf8)
        _ = unsafe write(bytes.span.bytes)
    }

    package func write(secret: borrowing SecretBytes) throws(SystemError) {
        let failure = secret.withBytes { write($0) }
        if let failure { throw failure }
    }

    private func write(_ bytes: RawSpan) -> SystemError? {
        isHeld.withLock { isHeld in
            // One that was held a moment ago is not waited for again.
            let failure = DescriptorOutput.write(
                bytes, to: descriptor, patience: isHeld ? 0 : Self.patience)
            isHeld = failure == .timedOut
            return failure
        }
    }

    package func hideTyping(at descriptor: CInt) -> Bool {
        guard isatty(descriptor) == 1 else { return false }
        endReading()
        do {
            try modes.change(.hidden)
            return true
        } catch {
            return false
        }
    }

    package func beginReading(_ echo: TerminalEcho) throws(SystemError) -> AsyncStream<
        TerminalInput
    > {
        endReading()
        try modes.change(echo)
        let (lines, continuation) = AsyncStream.makeStream(of: TerminalInput.self)
        do throws(SystemError) {
            let started = try LineReader.start(descriptor, continuation)
            reader.withLock { $0 = started }
        } catch {
            modes.restore()
            throw error
        }
        return lines
    }

    package func endReading() {
        reader.withLock { $0.take() }?.stop()
        modes.restore()
    }
}
