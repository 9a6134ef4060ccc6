internal import Synchronization
internal import WhorlKit

/// Tells the story of a demonstration: to a person in lines, to a program as one object a step.
final class Narrator: Sendable {
    private let console: Console
    private let isJSON: Bool
    private let number = Mutex(0)

    init(console: Console, isJSON: Bool) {
        self.console = console
        self.isJSON = isJSON
    }

    /// Says what comes before the first step.
    ///
    /// - Throws: ``CommandFailure`` where standard output does not take it.
    func introduce(_ text: String) throws(CommandFailure) {
        guard !isJSON else { return }
        try console.answer(TextLayout.wrap(text))
    }

    /// Begins a step.
    ///
    /// - Throws: ``CommandFailure`` where standard output does not take it.
    func begin(_ title: String) throws(CommandFailure) {
        let step = number.withLock { number in
            number += 1
            return number
        }
        guard !isJSON else { return }
        let lines = TextLayout.wrap(title, indent: 4)
        let first = "\(step). " + (lines.first ?? "").dropFirst(4)
        try console.answer(["", first] + lines.dropFirst())
    }

    /// Says what a prompt shows.
    func show(_ lines: [String]) {
        guard !isJSON else { return }
        try? console.answer(lines.flatMap { TextLayout.wrap($0, indent: 6) })
    }

    /// Says how a step ended, which is as it should.
    ///
    /// - Throws: ``CommandFailure`` where standard output does not take it.
    func end(_ title: String, _ result: String) throws(CommandFailure) {
        guard isJSON else { return try console.answer(TextLayout.wrap("=> \(result)", indent: 4)) }
        try console.answer([
            "step": .integer(number.withLock { $0 }), "title": .string(title),
            "result": .string(result),
        ])
    }
}
