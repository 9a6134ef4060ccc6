package import WhorlBiometrics

/// Turns the states of a prompt into what a terminal or a log is sent.
///
/// A pure value: where lines go is somebody else's.
package struct PromptScreen: Sendable {
    /// How a screen is drawn.
    package struct Style: Sendable, Hashable {
        /// Whether the line of the state is drawn over the last one.
        package var redraws: Bool
        /// Whether there is colour.
        package var hasColour: Bool

        package init(redraws: Bool, hasColour: Bool) {
            self.redraws = redraws
            self.hasColour = hasColour
        }

        /// One line a state, no colour: for logs, screen readers, and terminals that can no more.
        package static let plain = Style(redraws: false, hasColour: false)
    }

    private let style: Style
    private let words: PromptWords
    private var progress: (completed: Int, of: Int)?
    private var outlastingMessage: String?
    private var lastNewsIsHint = false
    private var lastLine: String?

    package init(_ prompt: Prompt, takesCredentials: Bool, style: Style) {
        words = PromptWords(prompt, takesCredentials: takesCredentials)
        self.style = style
    }

    /// What opens the prompt.
    package mutating func opening() -> String {
        var lines = words.opening.flatMap { line in
            let indent = line.prefix { $0 == " " }.count
            return TextLayout.wrap(line, indent: indent)
        }
        if style.hasColour, let first = lines.first { lines[0] = "\u{1b}[1m\(first)\u{1b}[0m" }
        var text = lines.joined(separator: "\n") + "\n"
        if words.prompt.reader == nil { text += line(words.instruction ?? "", columns: .max) }
        return text
    }

    /// What shows a state.
    package mutating func state(_ state: PromptState, columns: Int) -> String {
        if case .enrolling(let completed, let total) = state { progress = (completed, total) }
        if case .confirmTouch = state { progress = nil }
        let message = message(for: state)
        let parts = [enrolment, message, instruction(for: state, behindMessage: message != nil)]
        return line(parts.compactMap(\.self).joined(separator: ". "), columns: columns)
    }

    private var enrolment: String? {
        guard let progress else { return nil }
        let count = "\(progress.completed) of \(progress.of)"
        guard style.redraws else { return "Enrolling: \(count)" }
        let bar = PromptWords.bar(completed: progress.completed, of: progress.of)
        return "Enrolling \(bar) \(count)"
    }

    private mutating func message(for state: PromptState) -> String? {
        let message = words.message(for: state)
        if PromptWords.outlasts(state) {
            outlastingMessage = message
            if case .hint = state { lastNewsIsHint = style.redraws } else { lastNewsIsHint = false }
        }
        switch state {
        // A line that is drawn over must not take the news with it.
        case .touchSensor, .enterCredential: return style.redraws ? outlastingMessage : message
        case .fingerSeen, .enrolling:
            outlastingMessage = nil
            lastNewsIsHint = false
        default: break
        }
        return message
    }

    private func instruction(for state: PromptState, behindMessage: Bool) -> String? {
        // After the first capture the bar says enough; a hint that outlasts says what to do.
        if state == .touchSensor, progress != nil || lastNewsIsHint { return nil }
        return words.instruction(for: state, behindMessage: behindMessage)
    }

    /// What answers a line that was typed.
    package mutating func answer(_ text: String, columns: Int) -> String {
        line(text, columns: columns)
    }

    /// What closes the prompt: the success, or nothing, since a failure is said elsewhere.
    package mutating func closing(_ success: String?) -> String {
        let erase = style.redraws && lastLine != nil ? "\r\u{1b}[K" : ""
        lastLine = nil
        guard let success else { return erase }
        return erase + (style.hasColour ? "\u{1b}[32m\(success)\u{1b}[0m\n" : "\(success)\n")
    }

    private mutating func line(_ text: String, columns: Int) -> String {
        guard !text.isEmpty, text != lastLine || style.redraws else { return "" }
        lastLine = text
        guard style.redraws else { return "\(text)\n" }
        // A line as wide as the terminal would wrap, and could not be drawn over.
        return "\r\u{1b}[K" + text.prefix(columns == .max ? TextLayout.columns : columns - 1)
    }
}
