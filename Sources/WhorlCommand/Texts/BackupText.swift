internal import WhorlBiometrics
internal import WhorlKit

/// Backups and what became of them in words.
enum BackupText {
    /// What was put into a backup, and what was not.
    static func lines(for backup: StoreBackup, in file: String) -> [String] {
        ["\(KeyText.count(backup.keys.count)) in \(DisplayText(file)):"]
            + backup.keys.map { "  \($0)" }
            + lines(forLeftOut: backup.leftOut, "left out")
            + ["only the recovery key opens this file; keep them apart"]
    }

    /// What became of the keys of a backup.
    static func lines(for restoration: KeyRestoration) -> [String] {
        var lines = ["restored \(KeyText.count(restoration.restored.count))"]
        lines += restoration.restored.map {
            "  \($0.name)" + ($0.isSimulated ? " (simulated)" : "")
        }
        if !restoration.kept.isEmpty {
            lines.append("kept as they were, since they are here already:")
            lines += restoration.kept.map { "  \($0)" }
        }
        if !restoration.failed.isEmpty {
            lines.append("not restored:")
            lines += restoration.failed.map {
                "  \($0.name): \(DisplayText($0.error.sentence))"
            }
        }
        return lines
    }

    /// The keys that the recovery key does not open, with why.
    static func lines(forLeftOut keys: [UnrecoverableKey], _ title: String) -> [String] {
        guard !keys.isEmpty else { return [] }
        return ["\(title):"] + keys.map { "  \(DisplayText($0.name)): \(words(for: $0.reason))" }
    }

    private static func words(for reason: UnrecoverableKey.Reason) -> String {
        switch reason {
        case .withoutRecovery: "the recovery key does not open it"
        case .signing: "it signs, and never leaves its store"
        case .damaged: "it was changed or damaged"
        }
    }
}
