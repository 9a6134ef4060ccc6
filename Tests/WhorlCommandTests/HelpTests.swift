import Testing
import WhorlAuthentication

@testable import WhorlCommand

struct HelpTests {
    private static let paths =
        [[]] + CommandTable.groups.map { [$0.word] } + CommandTable.commands.map(\.path)

    @Test(arguments: paths)
    func helpIsAsItWasLookedAt(path: [String]) throws {
        let name = path.isEmpty ? "whorl" : path.joined(separator: "-")
        let text = Help.lines(for: path).map { $0 + "\n" }.joined()
        try Golden.expect(text, isIn: "Fixtures/cli/help/\(name).txt")
    }

    @Test(arguments: paths)
    func helpFitsAnOldTerminal(path: [String]) {
        for line in Help.lines(for: path) {
            #expect(line.count <= TextLayout.columns, "\(line)")
            #expect(!line.unicodeScalars.contains { !$0.isASCII }, "\(line)")
        }
    }

    @Test(arguments: CommandTable.commands.map(\.path))
    func everyCommandHasAnExampleThatParses(path: [String]) throws {
        let spec = try #require(CommandTable.commands.first { $0.path == path })
        #expect(!spec.examples.isEmpty)
        for example in spec.examples {
            // What a shell would take away: pipes, redirections.
            let words = example.line.split(separator: " ").map(String.init)
                .prefix { $0 != "|" && !$0.contains("<") }
            let invocation = try ArgumentParser.parse(Array(words.dropFirst()))
            #expect(!invocation.name.isEmpty)
        }
    }

    @Test func hiddenOptionsAndLaterCommandsAreInNoHelp() {
        let all = Self.paths.flatMap(Help.lines(for:)).joined(separator: "\n")
        let hidden = [
            "--markdown", "--code-fd", "--owner-auth-fd", "--sensitivity",
            "doctor", "attest", "completions",
        ]
        for word in hidden {
            #expect(!all.contains(word), "\(word)")
        }
    }

    @Test func everyWayToSayACommandIsDifferent() {
        let spellings = CommandTable.commands.flatMap(\.paths) + CommandTable.later
        #expect(Set(spellings).count == spellings.count)
    }

    @Test func everyOptionHasOneNameInItsCommand() {
        for spec in CommandTable.commands {
            let names = (spec.options + GlobalOptionTable.all).map(\.name)
            #expect(Set(names).count == names.count, "\(spec.name)")
        }
    }

    @Test func everyExitStatusOfACommandHasAMeaning() {
        let known = ExitStatus.all.map(\.status)
        for spec in CommandTable.commands {
            #expect(Set(spec.exits).isSubset(of: known), "\(spec.name)")
            #expect(spec.exits == spec.exits.sorted(), "\(spec.name)")
        }
    }
}
