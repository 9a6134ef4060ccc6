/// What was measured, beside what it is compared to.
struct Row {
    /// What was measured; empty where the row goes on with the one above.
    let what: String
    let ours: Distribution?
    /// What it is compared to, measured in the same run.
    let otherName: String
    let others: Distribution
    /// Ours less the other, pair by pair.
    var added: Distribution?
    /// What the median of `added`, or else of `ours`, is to keep within.
    var budget: Double?
}

/// Rows of one kind, with one unit and one high quantile.
struct Table {
    let title: String
    let unit: String
    /// The quantile that is shown beside the median, in percent; 100 is the largest value.
    var high = 99
    let rows: [Row]

    private static let leftAligned: Set<Int> = [0, 3, 9]

    /// The table as text, with an empty line at its end.
    var lines: [String] {
        let quantile = high == 100 ? "most" : "p\(high)"
        let head = [
            "", "whorl p50", quantile, "compared to", "p50", quantile, "added p50", quantile,
            "budget", "",
        ]
        let cells = [head] + rows.map { self.cells(of: $0) }
        let shown = head.indices.filter { column in
            cells.dropFirst().contains { !$0[column].isEmpty }
        }
        let widths = head.indices.map { column in cells.map { $0[column].count }.max() ?? 0 }
        let aligned = cells.map { row in
            var line = shown.map { column in
                let pad = String(repeating: " ", count: widths[column] - row[column].count)
                return Self.leftAligned.contains(column) ? row[column] + pad : pad + row[column]
            }.joined(separator: "  ")
            while line.last == " " { line.removeLast() }
            return line
        }
        return ["\(title), in \(unit)"] + aligned.map { "  " + $0 } + [""]
    }

    private func cells(of row: Row) -> [String] {
        [row.what] + numbers(row.ours) + [row.otherName] + numbers(row.others)
            + numbers(row.added) + [row.budget.map { "≤ \(Self.number($0))" } ?? ""]
            + [judgement(of: row)]
    }

    private func numbers(_ values: Distribution?) -> [String] {
        guard let values else { return ["", ""] }
        return [Self.number(values.median), Self.number(values.quantile(percent: high))]
    }

    private func judgement(of row: Row) -> String {
        guard let budget = row.budget, let values = row.added ?? row.ours else { return "" }
        guard values.median <= budget else { return "OVER" }
        return values.quantile(percent: high) <= budget ? "in" : "in, but its p\(high) over"
    }

    // Two digits after the point below 10, one above: no clock and no machine is good for more.
    private static func number(_ value: Double) -> String {
        let places = abs(value) < 10 ? 2 : 1
        let scale = places == 2 ? 100.0 : 10.0
        let scaled = String(Int((abs(value) * scale).rounded()))
        let padded = String(repeating: "0", count: max(places + 1 - scaled.count, 0)) + scaled
        return (value < 0 ? "-" : "") + padded.dropLast(places) + "." + padded.suffix(places)
    }
}
