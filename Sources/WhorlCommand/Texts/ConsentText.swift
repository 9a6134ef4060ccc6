internal import WhorlKit

/// What a person is told before a finger may be enrolled.
enum ConsentText {
    /// The text, laid out for a terminal.
    static var lines: [String] {
        ["Whorl keeps keys that a finger opens. Before you say yes:", ""]
            + points.flatMap(item) + [""]
    }

    private static let points = [
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
