import Synchronization
import Testing
import WhorlBiometrics
import WhorlSensorLab

@testable import WhorlCommand

struct LookingCommandTests {
    @Test func readersAreShownWithClassAndBasis() async throws {
        let host = ScriptedHost { state in
            state.listing = ReaderListing(
                readers: [.sensor, .virtual],
                failures: [
                    ReaderFailure(
                        name: "USB 06cb:00bd",
                        error: .notPermitted(
                            SourceError(
                                domain: "g-usb-device-error-quark", code: 9, message: "denied")))
                ])
        }
        let run = await CommandRun("readers", on: host)
        #expect(run.status == 0)
        try Golden.expect(run.output, isIn: "Fixtures/cli/readers.txt")
    }

    @Test func noReaderIsAnAnswer() async {
        let host = ScriptedHost { $0.listing = ReaderListing(readers: [], failures: []) }
        let run = await CommandRun("readers", on: host)
        #expect(run.status == 0)
        #expect(run.output == "")
        #expect(run.errors.contains("no fingerprint reader was found"))
    }

    @Test func readersThatCannotBeFoundOutAreAnError() async {
        let host = ScriptedHost { $0.readersError = .authentication(.mainContextTaken) }
        let run = await CommandRun("readers", on: host)
        #expect(run.status == 69)
    }

    @Test func whatAReaderCallsItselfCannotMoveTheCursor() async {
        let host = ScriptedHost { state in
            let evil = ReaderDescription(
                identity: ReaderIdentity(driver: "evil", deviceID: "\u{1b}[2J", port: .unknown),
                name: "good\r\u{202e}reader", reality: .real, features: [], scanType: .press,
                enrollStages: 1, matchesOnChip: false,
                rating: StrengthRating(.convenience, basis: .unknownDriver))
            state.listing = ReaderListing(
                readers: [ReaderStatus(description: evil, rating: evil.rating)], failures: [])
        }
        for arguments in [["readers"], ["readers", "--json"], ["status"]] {
            let run = await CommandRun(arguments, on: host)
            #expect(run.status == 0)
            let moving = Set("\u{1b}\r\u{202e}".unicodeScalars)
            #expect(moving.isDisjoint(with: run.output.unicodeScalars))
        }
    }

    @Test func statusBeforeSetupSaysWhatToDo() async throws {
        let host = ScriptedHost { $0.isSetUp = false }
        let run = await CommandRun("status", on: host)
        #expect(run.status == 0)
        try Golden.expect(run.output, isIn: "Fixtures/cli/status-before-setup.txt")
    }

    @Test func statusShowsEverything() async throws {
        let host = ScriptedHost()
        try await host.session.vault.put(secret("x"), as: "github")
        let run = await CommandRun("status", "--config", on: host)
        #expect(run.status == 0)
        try Golden.expect(run.output, isIn: "Fixtures/cli/status.txt")
    }

    @Test(arguments: [
        (LockoutReport(failures: 0), "none, 0 failed tries"),
        (LockoutReport(failures: 1), "none, 1 failed try"),
        (LockoutReport(failures: 5, remainingSeconds: 12), "locked for 12 s more, 5 failed tries"),
        (
            LockoutReport(failures: 20, isPermanent: true),
            "locked until the PIN is given, 20 failed tries"
        ),
    ])
    func lockoutIsShown(lockout: LockoutReport, words: String) {
        var report = StatusReport(
            placement: .service, storeFolder: "/s", storeKind: .software, hasCredential: true,
            readers: ReaderListing(readers: [], failures: []))
        report.lockout = lockout
        let lines = StatusText.lines(for: report, showsSettings: false)
        #expect(lines.contains { $0.hasPrefix("lockout     \(words)") })
        #expect(lines.first == "works       through the service")
    }

    @Test func theVersionIsSaid() async {
        let run = await CommandRun("--version")
        #expect(run.output == "whorl \(Version.text)\n")
        let json = await CommandRun("--version", "--json")
        #expect(json.output.contains(#""command":"version""#))
        #expect(json.output.contains(#""version":"\#(Version.text)""#))
    }

    @Test func helpGoesToStandardOutput() async {
        let run = await CommandRun("vault", "get", "--help")
        #expect(run.status == 0)
        #expect(run.output.hasPrefix("Gives out a secret"))
        #expect(run.errors == "")
    }

    @Test func workInThisProcessIsSaidOnce() async {
        let host = ScriptedHost()
        let run = await CommandRun("vault", "list", on: host)
        #expect(run.errors.split(separator: "\n").count == 1)
        #expect(run.errors.contains("same user could read what is unlocked"))
        let service = ScriptedHost { $0.placement = .service }
        #expect(await CommandRun("vault", "list", on: service).errors == "")
    }
}
