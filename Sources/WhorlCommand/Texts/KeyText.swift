internal import WhorlBiometrics
internal import WhorlKit

/// Keys in words.
enum KeyText {
    /// Every key, one a line.
    static func lines(forList keys: [KeyInfo]) -> [String] {
        TextLayout.table(
            keys.map { key in
                [
                    key.name.text, key.kind.rawValue, key.access.description, shortFinger(key),
                    words(for: key.state) + (key.isSimulated ? " (simulated)" : ""),
                ]
            })
    }

    /// All that may be known of a key.
    static func lines(for key: KeyInfo) -> [String] {
        TextLayout.definitions(
            [
                ("name", key.name.text + (key.isSimulated ? " (simulated)" : "")),
                ("kind", key.kind.rawValue),
                ("store", key.store.rawValue),
                ("opened by", key.access.description),
                ("finger", finger(key)),
                ("reuse", key.reuseSeconds == 0 ? "never" : "\(key.reuseSeconds) s"),
                ("bound to the boot", key.isBootBound ? "yes" : "no"),
                ("recovery key", key.hasRecovery ? "opens it" : "does not open it"),
                ("made", Timestamp.words(key.created)),
                ("generation", String(key.generation)),
                ("state", words(for: key.state)),
                ("a thief of the disk", DiskThief(key).words),
            ], indent: 0, termColumns: 22)
    }

    /// What was stored.
    static func lines(forStored key: KeyInfo, isReplaced: Bool) -> [String] {
        lines(for: key, after: isReplaced ? "replaced" : "stored")
    }

    /// What was made.
    static func lines(forMade key: KeyInfo) -> [String] { lines(for: key, after: "made") }

    private static func lines(for key: KeyInfo, after verb: String) -> [String] {
        [
            "\(verb) \(key.name)" + (key.isSimulated ? " (simulated)" : ""),
            "  opened by: \(key.access)",
            "  finger: \(finger(key))",
            "  recovery key: \(key.hasRecovery ? "opens it" : "does not open it")",
        ]
    }

    /// How many keys, in words.
    static func count(_ count: Int) -> String { count == 1 ? "1 key" : "\(count) keys" }

    /// The lines for keys that lost a way in.
    static func lines(forLost names: [KeyName], by what: String) -> [String] {
        names.isEmpty ? [] : ["\(what) does not open these any more:"] + names.map { "  \($0)" }
    }

    /// The lines for keys that were to open again.
    static func lines(for renewal: KeyRenewal, byRecovery: Bool) -> [String] {
        var lines = renewal.renewed.map { key in
            key.access.mentionsFinger && key.state == .open
                ? "\(key.name) opens for the fingers enrolled now"
                : "\(key.name) is sealed anew; no finger opens it"
        }
        if renewal.renewed.isEmpty { lines.append("no key was bound anew") }
        if !renewal.unopened.isEmpty {
            lines.append(
                byRecovery
                    ? "the recovery key does not open these, which are as they were:"
                    : "the PIN alone does not open these, which are as they were:")
            lines += renewal.unopened.map { "  \($0)" }
        }
        return lines
    }

    private static func shortFinger(_ key: KeyInfo) -> String {
        guard let strength = key.minimumStrength else { return "no finger" }
        return "class \(strength.classNumber)" + (strength == .strong ? "" : "+")
    }

    private static func finger(_ key: KeyInfo) -> String {
        guard let strength = key.minimumStrength else { return "does not open it" }
        return "class \(strength.classNumber) \(strength.word) or better"
    }

    private static func words(for state: KeyState) -> String {
        switch state {
        case .open: "open"
        case .fingerDead: "no finger opens it any more"
        case .credentialDead: "the PIN does not open it any more"
        case .recoveryOnly: "only the recovery key opens it"
        case .dead: "nothing opens it any more"
        }
    }
}
