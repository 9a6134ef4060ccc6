package import WhorlBiometrics

/// What a prompt says, in words; the same for a terminal, a log and a screen reader.
package struct PromptWords: Sendable {
    package let prompt: Prompt
    /// Whether a PIN can be typed at this prompt.
    package let takesCredential: Bool

    /// The words of a prompt, where a PIN could be typed or not.
    package init(_ prompt: Prompt, takesCredentials: Bool) {
        self.prompt = prompt
        takesCredential = prompt.takesCredential && takesCredentials
    }

    // MARK: Opening

    /// Who asks, for what, and with which reader: what a person must know before touching anything.
    package var opening: [String] {
        var lines = [
            "\(prompt.origin.program) (process \(prompt.origin.processID)) wants to "
                + prompt.action.shown
        ]
        lines.append("  why: \(prompt.reason.text)")
        if let detail = prompt.detail { lines.append("  \(detail)") }
        if let reader = prompt.reader {
            lines.append("  reader: \(reader.words), \(reader.rating.words)")
            if reader.isSimulated {
                lines.append("  this reader is simulated: no sensor, no finger, no proof")
            }
        }
        return lines
    }

    // MARK: What to do

    /// What the person can do now; nil where it is nothing.
    package var instruction: String? {
        guard prompt.reader != nil else { return takesCredential ? Self.typing : nil }
        guard takesCredential else { return touch }
        if prompt.needsBoth { return "\(touch), and type the PIN: both are needed" }
        return "\(touch), or type the PIN and press Enter"
    }

    private static let typing = "Type the PIN and press Enter"

    private var touch: String {
        let finger = prompt.finger.map { "your \($0.words)" }
        return switch prompt.reader?.scanType {
        case .swipe: "Swipe \(finger ?? "your finger") over the sensor"
        default: finger.map { "Touch the sensor with \($0)" } ?? "Touch the sensor"
        }
    }

    // MARK: What happened

    /// A state in words; nil where there is nothing to say but what to do.
    package func message(for state: PromptState) -> String? {
        switch state {
        case .queued(let position): "Waiting for other requests to end; \(position) before this one"
        case .touchSensor: nil
        case .fingerSeen: "Reading your finger"
        case .hint(let hint): sentence(hint.sentence(for: prompt.reader?.scanType ?? .press))
        case .noMatch(let triesLeft):
            "That finger did not match; \(triesLeft) \(triesLeft == 1 ? "try" : "tries") left"
        case .readerTrouble(let error): sentence("\(error.entry.happened); trying again")
        case .liftFinger: "Lift your finger"
        case .enrolling, .confirmTouch: nil
        case .wrongCredential: "That PIN was wrong"
        case .fingerUnavailable(let error), .credentialUnavailable(let error):
            sentence(error.sentence)
        case .enterCredential: nil
        }
    }

    /// Whether what happened still matters when the sensor waits again.
    package static func outlasts(_ state: PromptState) -> Bool {
        switch state {
        case .hint, .noMatch, .wrongCredential, .fingerUnavailable, .credentialUnavailable: true
        default: false
        }
    }

    /// What the person can do in a state, in few words where it stands behind a message; nil where
    /// it is nothing, or the message says it.
    package func instruction(for state: PromptState, behindMessage: Bool) -> String? {
        switch state {
        case .queued, .fingerSeen, .liftFinger, .hint, .readerTrouble: nil
        case .touchSensor, .noMatch, .wrongCredential:
            behindMessage ? again : instruction
        case .enrolling(let completed, let total):
            completed < total ? "Lift your finger, then again" : nil
        case .confirmTouch: "\(touch) once more, to confirm"
        case .fingerUnavailable: nil
        case .enterCredential:
            takesCredential ? (behindMessage ? "Type the PIN" : Self.typing) : nil
        case .credentialUnavailable: touch
        }
    }

    private var again: String {
        guard prompt.reader != nil else { return "Again" }
        return takesCredential && !prompt.needsBoth ? "Again, or type the PIN" : "Again"
    }

    private func sentence(_ text: String) -> String {
        text.prefix(1).uppercased() + text.dropFirst()
    }

    // MARK: Ending

    /// How it ended well.
    package static func success(_ result: AuthenticationResult) -> String {
        var parts: [String] = []
        if result.factors.contains(.finger) {
            parts.append("the finger matched" + (result.rating.map { ", \($0.words)" } ?? ""))
        }
        if result.factors.contains(.deviceCredential) { parts.append("the PIN was right") }
        if result.factors.contains(.recoveryKey) { parts.append("the recovery key was right") }
        return parts.joined(separator: " and ") + result.simulatedMark
    }

    /// A bar of so many good captures.
    package static func bar(completed: Int, of total: Int, columns: Int = 10) -> String {
        guard total > 0 else { return "" }
        let done = min(max(completed, 0), total)
        let (cells, overflow) = done.multipliedReportingOverflow(by: columns)
        let filled = overflow ? columns : cells / total
        return "[" + String(repeating: "#", count: filled)
            + String(repeating: "-", count: columns - filled) + "]"
    }
}
