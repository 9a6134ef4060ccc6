/// What came of an operation.
package enum Outcome: Sendable, Hashable {
    case done
    case opened(version: Int)
    /// It gave out what is no secret of that key.
    case openedWrongly
    /// The identifier of the error.
    case refused(String)

    /// The outcome in words.
    package var argument: String {
        switch self {
        case .done: "done"
        case .opened(let version): "opened \(version)"
        case .openedWrongly: "opened wrongly"
        case .refused(let identifier): "refused \(identifier)"
        }
    }

    package init?(argument: Substring) {
        let words = argument.split(separator: " ")
        switch (words.first, words.count) {
        case ("done", 1): self = .done
        case ("opened", 2): self = Int(words[1]).map { .opened(version: $0) } ?? .openedWrongly
        case ("refused", 2): self = .refused(String(words[1]))
        default: return nil
        }
    }
}
