internal import Glibc
internal import WhorlKit

/// What the command takes from its environment: how the terminal may be drawn on, nothing else.
struct Environment: Sendable, Hashable {
    /// The kind of terminal, `TERM`.
    var terminalKind: String?
    /// Whether colour is unwanted: `NO_COLOR` is set and not empty.
    var forbidsColour = false

    /// Reads this process's environment.
    static var current: Environment {
        Environment(
            terminalKind: value(of: "TERM"),
            forbidsColour: value(of: "NO_COLOR").map { !$0.isEmpty } ?? false)
    }

    private static func value(of name: String) -> String? {
        guard let text = unsafe getenv(name) else { return nil }
        return unsafe String(cString: text)
    }

    /// How prompts are drawn.
    func style(isPlain: Bool) -> PromptScreen.Style {
        let isDumb = (terminalKind ?? "").isEmpty || terminalKind == "dumb"
        guard !isPlain, !isDumb else { return .plain }
        return PromptScreen.Style(redraws: true, hasColour: !forbidsColour)
    }
}
