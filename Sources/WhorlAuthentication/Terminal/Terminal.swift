package import WhorlSecrets

/// A person's terminal: what can be shown on it and typed at it.
package protocol Terminal: Sendable {
    /// How many characters fit in a line, at least 20.
    var columns: Int { get }

    /// Shows text at once; what the terminal does not take within a moment is dropped, since a
    /// terminal that is held with Ctrl-S must not hold up a request.
    func write(_ text: String)

    /// Shows a secret, straight from its memory.
    ///
    /// - Throws: ``SystemError`` where not all of it could be shown.
    func write(secret: borrowing SecretBytes) throws(SystemError)

    /// Hides what is typed while somebody else reads the terminal, until ``endReading()``.
    ///
    /// Returns whether the descriptor is a terminal, and what is typed there hidden.
    func hideTyping(at descriptor: CInt) -> Bool

    /// Begins to read lines, on a thread of its own; ends a reading that runs.
    ///
    /// What was typed before is forgotten, so that no stray key becomes part of an answer.
    ///
    /// - Throws: ``SystemError`` where the terminal is gone.
    func beginReading(_ echo: TerminalEcho) throws(SystemError) -> AsyncStream<TerminalInput>

    /// Stops reading, forgets what was half typed, and puts the terminal back as it was.
    func endReading()
}

/// Whether a person sees what is typed.
package enum TerminalEcho: Sendable {
    case visible
    case hidden
}

/// What came from a terminal.
package enum TerminalInput: Sendable {
    /// A line without its end.
    case line(HeldSecret)
    /// A line that was too long, and was forgotten.
    case tooLong
    /// The end of the input: Ctrl-D, or the terminal is gone. Nothing follows.
    case ended
}
