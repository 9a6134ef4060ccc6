internal import WhorlBiometrics
internal import WhorlKit

/// The whole taxonomy: for people, for programs, and for the documents.
enum TaxonomyText {
    // MARK: JSON

    /// The members of the answer.
    static var members: [JSON.Member] {
        [
            .init("entries", .array(Taxonomy.entries.map(json))),
            .init("store", .array(VaultError.samples.map(json))),
            .init("libfprint", .array(LibfprintMapping.rows.map(json))),
        ]
    }

    private static func json(_ entry: TaxonomyEntry) -> JSON {
        [
            "code": .integer(entry.number),
            "case": .string(entry.identifier),
            "android": JSON(entry.android),
            "laerror": JSON(entry.laError),
            "exit": .integer(entry.exitStatus),
            "countsAsFailure": .bool(entry.countsAsFailure),
            "happened": .string(entry.happened),
            "advice": .string(entry.advice),
        ]
    }

    private static func json(_ error: VaultError) -> JSON {
        [
            "code": .integer(error.number),
            "case": .string(error.identifier),
            "exit": .integer(error.exitStatus),
            "example": .string(error.sentence),
        ]
    }

    private static func json(_ row: LibfprintMapping.Row) -> JSON {
        [
            "domain": .string(row.domain),
            "code": .integer(row.code),
            "constant": .string(row.constant),
            "case": JSON(row.entry?.identifier),
            "hint": JSON(row.hint?.identifier),
            "acquired": JSON(row.hint?.acquired),
        ]
    }

    // MARK: Lines

    /// The tables for a terminal, with the sentence of each entry below it.
    static var lines: [String] {
        let head = ["code", "case", "Android", "LAError", "exit", "counts"]
        let rows = TextLayout.table([head] + Taxonomy.entries.map(cells))
        var lines = ["Authentication, domain whorl:", rows[0]]
        for (row, entry) in zip(rows.dropFirst(), Taxonomy.entries) {
            lines += [row] + TextLayout.wrap(entry.sentence, indent: 6)
        }
        lines += ["", "Store, domain whorl; neither Android nor Apple has codes for these:"]
        let store = TextLayout.table([["code", "case", "exit"]] + VaultError.samples.map(cells))
        lines.append(store[0])
        for (row, error) in zip(store.dropFirst(), VaultError.samples) {
            lines += [row] + TextLayout.wrap(error.sentence, indent: 6)
        }
        lines += ["", "What libfprint says:"]
        lines += TextLayout.table(
            LibfprintMapping.rows.map { [$0.constant, String($0.code), meaning(of: $0)] })
        return lines
    }

    private static func cells(_ entry: TaxonomyEntry) -> [String] {
        [
            String(entry.number), entry.identifier, entry.android.map(String.init) ?? "-",
            entry.laError.map(String.init) ?? "-", String(entry.exitStatus),
            entry.countsAsFailure ? "yes" : "no",
        ]
    }

    private static func cells(_ error: VaultError) -> [String] {
        [String(error.number), error.identifier, String(error.exitStatus)]
    }

    private static func meaning(of row: LibfprintMapping.Row) -> String {
        if let entry = row.entry { return entry.identifier }
        guard let hint = row.hint else { return "-" }
        return "hint \(hint.identifier), acquired \(hint.acquired)"
    }

    // MARK: Markdown

    /// The page of the documents.
    static var markdown: [String] {
        var lines = [
            "# The taxonomy",
            "",
            "Every error that can keep a finger, a PIN or a key from doing its work. Made from the "
                + "table in code with",
            "`whorl taxonomy --markdown`; a test fails when this page is older than the table.",
            "",
            "The identifier is `case` and the number is `code` in JSON, in the domain `whorl`. An "
                + "error that a reader raised",
            "carries the reader's own domain and code instead. Only an error that *counts* is a "
                + "failed attempt of the finger.",
            "",
            "## Authentication",
            "",
        ]
        lines += rows(
            [["code", "case", "Android", "LAError", "exit", "counts", "what happened; what to do"]]
                + Taxonomy.entries.map { cells($0) + [$0.sentence] })
        lines += ["", "## Store", "", "Android and Apple have no codes for these.", ""]
        lines += rows(
            [["code", "case", "exit", "for example"]]
                + VaultError.samples.map { cells($0) + [$0.sentence] })
        lines += ["", "## What libfprint says", ""]
        lines += rows(
            [["constant", "code", "becomes"]]
                + LibfprintMapping.rows.map {
                    ["`\($0.constant)`", String($0.code), meaning(of: $0)]
                })
        lines += [
            "",
            "A code or domain that is in none of these tables becomes `vendor`, with its domain, "
                + "code and message; never a success.",
        ]
        return lines
    }

    private static func rows(_ cells: [[String]]) -> [String] {
        var lines = cells.map { "| " + $0.joined(separator: " | ") + " |" }
        if let columns = cells.first?.count {
            lines.insert("|" + String(repeating: "---|", count: columns), at: 1)
        }
        return lines
    }
}
