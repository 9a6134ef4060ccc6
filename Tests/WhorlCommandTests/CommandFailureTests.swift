import Testing
import WhorlAuthentication
import WhorlBiometrics

@testable import WhorlCommand

struct CommandFailureTests {
    @Test func everyNumberStandsForOneError() {
        let numbers = Taxonomy.entries.map(\.number) + VaultError.samples.map(\.number)
        #expect(Set(numbers).count == numbers.count)
        let identifiers = Taxonomy.entries.map(\.identifier) + VaultError.samples.map(\.identifier)
        #expect(Set(identifiers).count == identifiers.count)
    }

    @Test(arguments: VaultError.samples)
    func theExitStatusesAreThoseOfTheContract(error: VaultError) {
        let failure = CommandFailure(error)
        #expect(ExitStatus.all.map(\.status).contains(failure.exitStatus))
        #expect(failure.exitStatus != 0)
        #expect(failure.domain == "whorl" && failure.code > 100)
        #expect(failure.android == nil && failure.laError == nil)
        #expect(failure.sentence.contains("; "))
    }

    @Test func whatAReaderRaisedKeepsTheReadersCode() {
        let error = LibfprintMapping.error(
            domain: LibfprintMapping.deviceErrorDomain, code: 0x101, message: "hot")
        let failure = CommandFailure(error)
        #expect(failure.identifier == "reader-too-hot")
        #expect(failure.domain == "fp-device-error-quark" && failure.code == 0x101)
        #expect(failure.exitStatus == 75)
    }

    @Test func whatNobodyKnowsIsNotSwallowed() {
        let failure = CommandFailure(
            LibfprintMapping.error(domain: "evil-quark", code: -7, message: "a\u{1b}[2J\nb"))
        #expect(failure.identifier == "vendor")
        #expect(failure.domain == "evil-quark" && failure.code == -7)
        #expect(failure.sentence.contains("evil-quark"))
        #expect(!failure.sentence.contains("\u{1b}") && !failure.sentence.contains("\n"))
    }

    @Test func whatWeRaisedHasTheNumberOfItsEntry() {
        let failure = CommandFailure(.readerUnavailable(.whorl("not in this version")))
        #expect(failure.domain == "whorl" && failure.code == 28)
        #expect(failure.sentence.contains("not in this version"))
    }

    @Test func aPathCannotBreakTheLine() {
        let failure = CommandFailure.fileExists("/tmp/a\nwhorl: all is well")
        #expect(!failure.sentence.contains("\n"))
    }

    @Test(arguments: [
        (SystemError.noSuchFile, 66), (.notADirectory, 66), (.accessDenied, 77),
        (.notPermitted, 77), (.readOnly, 77), (SystemError(number: 28), 74),
    ])
    func filesHaveTheExitStatusOfTheirTrouble(error: SystemError, status: Int) {
        #expect(CommandFailure.file("f", error).exitStatus == status)
    }

    @Test(arguments: [
        (0, Outcome.done), (1, .refused), (3, .refused), (4, .refused), (5, .refused),
        (6, .refused), (64, .refused), (65, .refused), (66, .refused), (69, .failed),
        (70, .failed), (73, .refused), (74, .failed), (75, .failed), (77, .refused),
        (78, .refused),
    ])
    func theOutcomeFollowsFromTheExitStatus(status: Int, outcome: Outcome) {
        #expect(Outcome(exitStatus: status) == outcome)
    }
}
