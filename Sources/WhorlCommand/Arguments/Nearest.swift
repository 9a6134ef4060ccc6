/// Finds what was probably meant by a word that is none of the valid ones.
enum Nearest {
    /// The candidate nearest to a word; nil where none is near enough to be a slip of it.
    static func candidate(to word: String, among candidates: [String]) -> String? {
        // A word as long as this is no slip, and comparing it would take its length squared.
        guard word.count <= 40 else { return nil }
        let near = candidates.map { ($0, distance(word, $0)) }.min { $0.1 < $1.1 }
        guard let near else { return nil }
        // One slip in a short word, two in one of five letters, three in a long one.
        let length = max(word.count, near.0.count)
        if near.1 <= (length < 5 ? 1 : length < 12 ? 2 : 3) { return near.0 }
        let completions = candidates.filter { !word.isEmpty && $0.hasPrefix(word) }
        return completions.count == 1 ? completions[0] : nil
    }

    /// Insertions, deletions, replacements and swaps of neighbours from one word to the other: the
    /// restricted edit distance of Damerau.
    static func distance(_ left: String, _ right: String) -> Int {
        let (left, right) = (Array(left), Array(right))
        var beforeLast: [Int] = []
        var last = Array(0...right.count)
        for i in 0..<left.count {
            var row = [i + 1]
            for j in 0..<right.count {
                var cost = min(
                    last[j + 1] + 1, row[j] + 1, last[j] + (left[i] == right[j] ? 0 : 1))
                if i > 0, j > 0, left[i] == right[j - 1], left[i - 1] == right[j] {
                    cost = min(cost, beforeLast[j - 1] + 1)
                }
                row.append(cost)
            }
            (beforeLast, last) = (last, row)
        }
        return last[right.count]
    }
}
