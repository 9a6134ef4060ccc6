internal import Glibc
internal import WhorlKit

/// What the command takes from its environment: how the terminal may be drawn on, and whether the
/// process may be looked into.
struct Environment: Sendable, Hashable {
    /// The kind of terminal, `TERM`.
    var terminalKind: String?
    /// Whether colour is unwanted: `NO_COLOR` is set and not empty.
    var forbidsColour = false
    /// Whether the process may be dumped and traced: `WHORL_ALLOW_CORE_DUMP` is 1.
    var allowsCoreDumps = false

    /// Reads this process's environment.
    static var current: Environment {
        Environment(
            terminalKind: value(of: "TERM"),
            forbidsColour: value(of: "NO_COLOR").map { !$0.isEmpty } ?? false,
            allowsCoreDumps: value(of: "WHORL_ALLOW_CORE_DUMP") == "1")
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
