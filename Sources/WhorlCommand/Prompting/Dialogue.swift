internal import WhorlBiometrics
internal import WhorlKit
internal import WhorlSecrets

/// Questions to a person at a terminal, outside of any request.
struct Dialogue: Sendable {
    private enum Event: Sendable {
        case input(TerminalInput)
        case interrupted(Interruption)
    }

    let terminal: any Terminal
    let interruptions: Interruptions

    /// Says something.
    func say(_ lines: [String]) {
        terminal.write(lines.map { $0 + "\n" }.joined())
    }

    /// Asks for a secret, which is not shown; empty where only Enter was pressed.
    ///
    /// - Throws: ``AuthenticationError/userCancelled`` or ``AuthenticationError/systemCancelled``
    ///   where there was no answer, ``AuthenticationError/notInteractive`` where the terminal is gone.
    func secret(_ question: String) async throws(AuthenticationError) -> SecretBytes {
        try await answer(to: question, .hidden)
    }

    /// Asks a question to be answered with yes; anything else is no.
    ///
    /// - Throws: As ``secret(_:)``.
    func agrees(_ question: String) async throws(AuthenticationError) -> Bool {
        try await answers("\(question) (yes/no) ", Self.yes)
    }

    /// Asks whether to go on; anything but yes is no.
    ///
    /// - Throws: As ``secret(_:)``.
    func goesOn() async throws(AuthenticationError) -> Bool {
        try await answers("Go on? [y/N] ", Self.yes)
    }

    /// Asks for a word that nobody types by mistake.
    ///
    /// - Throws: As ``secret(_:)``.
    func types(_ word: String, _ question: String) async throws(AuthenticationError) -> Bool {
        try await answers(question, [word])
    }

    private static let yes = ["yes", "y", "YES", "Yes", "Y"]

    private func answers(
        _ question: String, _ words: [String]
    ) async throws(AuthenticationError) -> Bool {
        let answer = try await answer(to: question, .visible)
        return words.contains { word in
            let bytes = [UInt8](word.utf8)
            return unsafe answer.isEqual(to: bytes.span.bytes)
        }
    }

    /// Waits for Enter.
    ///
    /// - Throws: As ``secret(_:)``.
    func pause(_ text: String) async throws(AuthenticationError) {
        _ = try await answer(to: text, .hidden)
    }

    private func answer(
        to question: String, _ echo: TerminalEcho
    ) async throws(AuthenticationError) -> SecretBytes {
        while true {
            switch try await event(after: question, echo) {
            case .input(.line(let held)):
                guard let answer = held.take() else { throw .notInteractive }
                return answer
            case .input(.tooLong):
                say(["That was too long; \(LineReader.limit) bytes are the most."])
            case .input(.ended), .interrupted(.person): throw .userCancelled
            case .interrupted(.system): throw .systemCancelled
            }
        }
    }

    private func event(
        after question: String, _ echo: TerminalEcho
    ) async throws(AuthenticationError) -> Event {
        let lines: AsyncStream<TerminalInput>
        do {
            lines = try terminal.beginReading(echo)
        } catch {
            throw .notInteractive
        }
        terminal.write(question)
        let (events, continuation) = AsyncStream.makeStream(of: Event.self)
        let registration = interruptions.onInterruption { continuation.yield(.interrupted($0)) }
        let feeding = Task {
            for await line in lines { continuation.yield(.input(line)) }
            continuation.finish()
        }
        var first: Event?
        for await event in events {
            first = event
            break
        }
        interruptions.remove(registration)
        terminal.endReading()
        feeding.cancel()
        // Enter is not shown where nothing is.
        if echo == .hidden { terminal.write("\n") }
        guard let first else { throw .notInteractive }
        return first
    }
}
