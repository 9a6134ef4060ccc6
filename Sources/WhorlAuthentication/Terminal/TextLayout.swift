/// Lays text out for a terminal of 80 columns.
package enum TextLayout {
    package static let columns = 80

    /// Breaks text into lines between words; a word longer than a line stays whole.
    package static func wrap(_ text: String, indent: Int = 0, columns: Int = columns) -> [String] {
        let margin = String(repeating: " ", count: indent)
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ") {
            if !line.isEmpty, indent + line.count + 1 + word.count > columns {
                lines.append(margin + line)
                line = ""
            }
            line += (line.isEmpty ? "" : " ") + word
        }
        if !line.isEmpty { lines.append(margin + line) }
        return lines
    }

    /// A list of terms, each with its explanation beside it; below it where the term is long.
    package static func definitions(
        _ rows: [(term: String, text: String)], indent: Int = 2, termColumns: Int = 24
    ) -> [String] {
        let margin = String(repeating: " ", count: indent)
        var lines: [String] = []
        for (term, text) in rows {
            var explanation = wrap(text, indent: indent + termColumns)
            if term.count + 2 <= termColumns, !explanation.isEmpty {
                let first = explanation.removeFirst().dropFirst(indent + termColumns)
                let gap = String(repeating: " ", count: termColumns - term.count)
                lines.append(margin + term + gap + first)
            } else {
                lines.append(margin + term)
            }
            lines += explanation
        }
        return lines
    }

    /// Rows of cells, each column as wide as its widest cell.
    package static func table(_ rows: [[String]]) -> [String] {
        let count = rows.map(\.count).max() ?? 0
        let widths = (0..<count).map { column in
            rows.map { $0.indices.contains(column) ? $0[column].count : 0 }.max() ?? 0
        }
        return rows.map { row in
            var line = ""
            for (column, cell) in row.enumerated() {
                line += cell
                guard column < row.count - 1 else { break }
                line += String(repeating: " ", count: widths[column] - cell.count + 2)
            }
            return line
        }
    }
}
