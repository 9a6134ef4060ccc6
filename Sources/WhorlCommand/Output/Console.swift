internal import WhorlBiometrics

/// Where the command's words go: answers to standard output, everything else to standard error.
struct Console: Sendable {
    let output: any ByteSink
    let errors: any ByteSink
    /// Where the command's data comes from: standard input.
    let input: CInt
    /// Whether notes are left out.
    var isQuiet = false

    /// Prints lines of an answer.
    ///
    /// - Throws: ``CommandFailure`` where standard output does not take them.
    func answer(_ lines: [String]) throws(CommandFailure) {
        guard !lines.isEmpty else { return }
        do {
            try output.write(lines.map { $0 + "\n" }.joined())
        } catch {
            throw .output(error)
        }
    }

    /// Prints one JSON object on a line of its own.
    ///
    /// - Throws: ``CommandFailure`` where standard output does not take it.
    func answer(_ json: JSON) throws(CommandFailure) { try answer([json.description]) }

    /// Tells a person something that is no answer and no error.
    func note(_ text: String) {
        guard !isQuiet else { return }
        // Where nobody reads standard error the work goes on.
        try? errors.write("whorl: \(DisplayText(text))\n")
    }

    /// Says what failed, on one line.
    func report(_ failure: CommandFailure) {
        try? errors.write("whorl: \(failure.sentence)\n")
    }
}
