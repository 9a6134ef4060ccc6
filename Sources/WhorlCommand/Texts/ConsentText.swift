internal import WhorlBiometrics
internal import WhorlKit

/// What a person is told before a finger may be enrolled.
enum ConsentText {
    /// The text, laid out for a terminal.
    static var lines: [String] {
        ["Whorl keeps keys that a finger opens. Before you say yes:", ""]
            + points.flatMap(item) + [""]
    }

    /// What was said, to what, and what is kept.
    static func lines(for report: StatusReport) -> [String] {
        var lines = ["consent: \(words(for: report.consent))"]
        if report.isDisabled { lines.append("fingers: switched off") }
        lines += ["", "The text:"] + points.flatMap(item)
        lines += ["", "Kept:"]
        guard report.isSetUp else { return lines + ["  nothing but the answer"] }
        let prints = FingerText.lines(for: report.fingers)
        lines += prints.isEmpty ? ["  no print"] : prints.map { "  the print of \($0)" }
        lines.append("  \(KeyText.count(report.keys.count)), sealed")
        return lines
            + TextLayout.wrap(
                "what checks the PIN and the recovery key, and neither of them", indent: 2)
    }

    /// What was said, and when.
    static func words(for consent: Consent) -> String {
        switch consent {
        case .notAsked: "not asked yet"
        case .given(let at): "given \(Timestamp.words(at))"
        case .declined(let at):
            "declined \(Timestamp.words(at)), remembered until "
                + Timestamp.words(consent.until ?? at)
        case .revoked(let at): "revoked \(Timestamp.words(at))"
        }
    }

    /// The text's points, as they were agreed to.
    ///
    /// No store records which text it was, so a text that says something else needs a number, and
    /// stores without one agreed to this.
    static let points = [
        "A print is kept on the reader's own chip where it has room for it, and else encrypted "
            + "in the store's folder. It never leaves this machine, and no log shows it.",
        "A finger cannot be changed, and can be copied or forced. Nobody publishes how often "
            + "these sensors let a wrong one in; 'whorl readers' shows the class of yours and "
            + "the basis of it.",
        "The PIN opens what a finger cannot. Without the PIN and without the recovery key, what "
            + "only they open is lost: nobody else can open it.",
        "'whorl finger remove' takes a finger out again at any time.",
    ]

    private static func item(_ text: String) -> [String] {
        var lines = TextLayout.wrap(text, indent: 4)
        if let first = lines.first { lines[0] = "  - " + first.dropFirst(4) }
        return lines
    }
}
