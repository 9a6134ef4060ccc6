import Foundation
import Testing

/// What one run of the program gave.
struct ProgramRun: Sendable, CustomStringConvertible {
    let arguments: [String]
    let ending: Child.Ending
    let output: [UInt8]
    let errors: String

    var text: String { String(decoding: output, as: UTF8.self) }

    /// The exit status; nil where it was ended by a signal.
    var status: CInt? {
        if case .exited(let status) = ending { status } else { nil }
    }

    /// The last line on standard error: where the program failed, why.
    var lastError: String {
        errors.split(separator: "\n").last.map(String.init) ?? ""
    }

    var description: String {
        "whorl \(arguments.joined(separator: " ")): \(ending)\n\(text.prefix(2000))\n\(errors)"
    }

    /// The one object on standard output.
    func object() throws -> JSONValue {
        try JSONDecoder().decode(JSONValue.self, from: Data(output))
    }

    /// The objects on standard output, one a line.
    func objects() throws -> [JSONValue] {
        try text.split(separator: "\n").map {
            try JSONDecoder().decode(JSONValue.self, from: Data($0.utf8))
        }
    }
}

/// Expects an exit status, and words on the last line of standard error.
func expect(
    _ run: ProgramRun, _ status: CInt, saying words: String? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    #expect(run.ending == .exited(status), "\(run)", sourceLocation: sourceLocation)
    guard let words else { return }
    #expect(run.lastError.contains(words), "\(run)", sourceLocation: sourceLocation)
}
