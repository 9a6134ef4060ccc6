internal import WhorlBiometrics

/// What goes and what stays when something ends, in words.
enum EndingText {
    /// What revoking the consent would do.
    static func lines(before revocation: ConsentRevocation) -> [String] {
        var lines = ["This goes, for good:"] + prints(revocation.fingers)
        lines += revocation.deletedKeys.map { "  the key \($0), which only a finger opens" }
        if revocation.fingers.isEmpty, revocation.deletedKeys.isEmpty { lines.append("  nothing") }
        guard !revocation.keptKeys.isEmpty else { return lines }
        lines.append("This stays, and no finger opens it any more:")
        return lines + revocation.keptKeys.map { "  the key \($0)" }
    }

    /// What revoking the consent did.
    static func lines(after revocation: ConsentRevocation) -> [String] {
        var lines = ["consent is revoked; no finger opens anything"] + prints(revocation.fingers)
        if !revocation.deletedKeys.isEmpty {
            lines.append("these keys are deleted, since only a finger opened them:")
            lines += revocation.deletedKeys.map { "  \($0)" }
        }
        if !revocation.keptKeys.isEmpty {
            lines.append("these keys stay:")
            lines += revocation.keptKeys.map { "  \($0)" }
        }
        return lines
    }

    /// What a reset would delete.
    static func lines(before contents: StoreContents) -> [String] {
        ["This goes, for good:"] + prints(contents.fingers)
            + contents.keys.map { "  the key \($0)" }
            + ["  the PIN, the recovery key, the consent and every count"]
    }

    /// What a reset deleted.
    static func lines(after contents: StoreContents) -> [String] {
        ["everything is deleted; 'whorl setup' begins anew"] + prints(contents.fingers)
            + contents.keys.map { "  the key \($0)" }
    }

    private static func prints(_ fingers: [Finger]) -> [String] {
        fingers.map { "  the print of the \($0.words)" }
    }
}
