internal import WhorlBiometrics
internal import WhorlKit

/// The status in words, with what to do next.
enum StatusText {
    /// Everything that `whorl status` shows a person.
    static func lines(for report: StatusReport, showsSettings: Bool) -> [String] {
        var rows: [(term: String, text: String)] = [
            ("works", report.placement == .service ? "through the service" : "in this process"),
            ("store", store(report)),
            ("PIN", report.hasCredential ? "set" : "not set"),
            ("consent", ConsentText.words(for: report.consent)),
            ("lockout", lockout(report.lockout)),
        ]
        if report.isDisabled { rows.append(("fingers", "switched off")) }
        if let generation = report.generation { rows.append(("generation", String(generation))) }
        var lines = TextLayout.definitions(rows, indent: 0, termColumns: 12)
        lines += section("Readers", readers(report.readers))
        lines += section("Fingers", FingerText.lines(for: report.fingers))
        lines += section("Keys", KeyText.lines(forList: report.keys))
        if showsSettings {
            lines += section(
                "Settings",
                TextLayout.table(
                    report.settings.map {
                        [
                            "\(DisplayText($0.name)) = \(DisplayText($0.value))",
                            DisplayText($0.source).shown,
                        ]
                    }))
        }
        let next = next(report)
        if !next.isEmpty {
            lines += section("To do", next.flatMap { TextLayout.wrap($0, columns: 78) })
        }
        return lines
    }

    private static func section(_ title: String, _ lines: [String]) -> [String] {
        ["", "\(title):"] + (lines.isEmpty ? ["  none"] : lines.map { "  \($0)" })
    }

    private static func readers(_ listing: ReaderListing) -> [String] {
        listing.readers.flatMap(ReaderText.lines(for:))
            + listing.failures.flatMap(ReaderText.lines(for:))
    }

    private static func store(_ report: StatusReport) -> String {
        let folder = DisplayText(report.storeFolder)
        guard let kind = report.storeKind else { return "not set up (would be \(folder))" }
        return "\(kind.rawValue), \(folder)"
    }

    private static func lockout(_ lockout: LockoutReport) -> String {
        let failures = lockout.failures == 1 ? "1 failed try" : "\(lockout.failures) failed tries"
        if lockout.isPermanent { return "locked until the PIN is given, \(failures)" }
        if lockout.remainingSeconds > 0 {
            return "locked for \(lockout.remainingSeconds) s more, \(failures)"
        }
        return "none, \(failures)"
    }

    // What is missing, each with the one command that mends it.
    private static func next(_ report: StatusReport) -> [String] {
        guard report.isSetUp else { return [VaultError.notSetUp.sentence] }
        var lines: [String] = []
        if !report.hasCredential { lines.append(AuthenticationError.noDeviceCredential.sentence) }
        if report.readers.readers.isEmpty { lines.append(AuthenticationError.noReader.sentence) }
        if report.isRevoked {
            lines.append("consent was revoked; 'whorl setup' asks for it again")
        } else if report.isDisabled {
            lines.append("fingers are switched off; 'whorl enable' switches them on")
        } else if report.fingers.isEmpty {
            lines.append(AuthenticationError.notEnrolled.sentence)
        }
        if report.isCredentialDue { lines.append(AuthenticationError.stepUpDue.sentence) }
        if let restoration = report.restoration { lines.append(restoration.sentence) }
        if report.lockout.isPermanent {
            lines.append(AuthenticationError.lockedOutPermanently.sentence)
        }
        return lines
    }
}
