import Synchronization
import Testing
import WhorlAuthentication
import WhorlBiometrics
import WhorlSensorLab

@testable import WhorlCommand

struct EndingCommandTests {
    private func host() async throws -> ScriptedHost {
        let host = ScriptedHost()
        try await host.session.vault.put(secret("x"), as: "github")
        try await host.session.vault.put(
            secret("x"), as: KeyName("lonely"),
            options: KeyOptions(access: .biometryAny, hasRecovery: false))
        return host
    }

    private let revoke = ["consent", "revoke"]

    // MARK: With nobody there

    @Test(arguments: [["consent", "revoke"], ["reset"], ["enable"], ["reset", "--yes"]])
    func withoutAWayToGiveThePINNothingBegins(words: [String]) async {
        let host = ScriptedHost()
        let run = await CommandRun(words, on: host)
        #expect(run.status == 64)
        #expect(run.errors.contains("--pin-fd"))
        #expect(host.calls.isEmpty)
    }

    @Test(arguments: [["consent", "revoke"], ["reset"]])
    func whoCannotBeAskedMustHaveSaidYes(words: [String]) async {
        let pin = InputDescriptor("271828")
        let host = ScriptedHost()
        let run = await CommandRun(words + ["--pin-fd", "\(pin.number)"], on: host)
        #expect(run.status == 64)
        #expect(run.errors.contains("add --yes"))
        #expect(host.calls.isEmpty)
        let lost = await CommandRun("reset", "--lost-credential", on: host)
        #expect(lost.status == 64)
    }

    @Test func aWrongPINEndsNothing() async throws {
        let host = try await host()
        for words in [["consent", "revoke", "--yes"], ["reset", "--yes"]] {
            let pin = InputDescriptor("314159")
            let run = await CommandRun(words + ["--pin-fd", "\(pin.number)"], on: host)
            #expect(run.status == 1)
        }
        #expect(host.state.withLock { $0.isSetUp && $0.consent.isYes })
    }

    @Test func aLostCredentialAndAGivenOneContradictEachOther() async {
        let pin = InputDescriptor("271828")
        let run = await CommandRun(
            "reset", "--lost-credential", "--yes", "--pin-fd", "\(pin.number)", on: ScriptedHost())
        #expect(run.status == 64)
    }

    // MARK: Consent

    @Test func aRevocationSaysWhatWentAndWhatStays() async throws {
        let host = try await host()
        host.state.withLock {
            $0.leftOnReader = [LeftPrint(finger: .rightIndexFinger, reason: .readerNotFound)]
        }
        let pin = InputDescriptor("271828")
        let run = await CommandRun(
            "consent", "revoke", "--yes", "--pin-fd", "\(pin.number)", "--json", on: host)
        #expect(run.status == 0)
        #expect(run.output.contains(#""fingers":["right-index-finger"]"#))
        #expect(
            run.output.contains(
                #""leftOnReader":[{"finger":"right-index-finger","reason":"reader-not-found"}]"#))
        #expect(run.output.contains(#""deletedKeys":["lonely"],"keptKeys":["github"]"#))
        #expect(run.errors.contains("still on the reader"))
    }

    @Test func whatGoesAndWhatStaysIsListedBeforeTheQuestion() async throws {
        let host = try await host()
        for answer in ["n", "", "no", "delete"] {
            let terminal = ScriptedTerminal([.line(answer)])
            let run = await CommandRun("consent", "revoke", on: host, terminal: terminal)
            #expect(run.status == 5)
            #expect(terminal.shown.contains("the key lonely, which only a finger opens\n"))
            #expect(
                terminal.shown.contains(
                    "This stays, and no finger opens it any more:\n  the key github\nGo on? [y/N] ")
            )
        }
        #expect(host.state.withLock { $0.consent.isYes })
        let terminal = ScriptedTerminal([.line("y"), .line("271828")])
        let run = await CommandRun("consent", "revoke", on: host, terminal: terminal)
        #expect(run.status == 0)
        #expect(host.state.withLock { $0.consent == .revoked(at: 1_780_000_100) })
        // There is nothing to go any more, so nobody is asked if it should.
        let again = await CommandRun(
            "consent", "revoke", on: host, terminal: ScriptedTerminal([]))
        #expect(again.status == 0)
    }

    @Test func theRecoveryKeyRevokesToo() async throws {
        let host = try await host()
        let key = InputDescriptor(ScriptedHost.recoveryKey)
        let run = await CommandRun(
            "consent", "revoke", "--yes", "--recovery-fd", "\(key.number)", on: host)
        #expect(run.status == 0)
        #expect(!host.state.withLock { $0.consent.isYes })
    }

    @Test func aNoIsSaidOnlyWhereNoYesStands() async {
        let host = ScriptedHost { $0.isSetUp = false }
        let run = await CommandRun("consent", "decline", "--json", on: host)
        #expect(run.status == 0)
        #expect(
            run.output.contains(
                #""consent":{"state":"declined","at":1780000000,"until":1782592000}"#))
        let shown = await CommandRun("status", on: host)
        #expect(shown.output.contains("declined 2026-05-28"), "\(shown.output)")
        #expect(shown.output.contains("until 2026-06-27"))
        let refused = await CommandRun("consent", "decline", on: ScriptedHost())
        #expect(refused.status == 65)
        #expect(refused.errors.contains("whorl consent revoke"))
    }

    @Test func whatWasAgreedToIsShown() async throws {
        let run = await CommandRun("consent", "show", on: try await host())
        #expect(run.status == 0)
        #expect(run.output.hasPrefix("consent: given 2026-05-28"))
        #expect(run.output.contains("A finger cannot be changed"))
        #expect(run.output.contains("the print of right-index-finger"))
        #expect(run.output.contains("2 keys, sealed"))
        let before = await CommandRun(
            "consent", "show", on: ScriptedHost { $0.isSetUp = false })
        #expect(before.output.hasPrefix("consent: not asked yet"))
        #expect(before.output.contains("nothing but the answer"))
    }

    // MARK: Setup again

    @Test func setupAsksForRevokedConsentAndThePINAndNothingElse() async {
        let host = ScriptedHost { $0.consent = .revoked(at: 1_780_000_100) }
        let terminal = ScriptedTerminal([.line("yes"), .line("271828")])
        let run = await CommandRun("setup", on: host, terminal: terminal)
        #expect(run.status == 0)
        #expect(terminal.shown.contains("A finger cannot be changed"))
        #expect(host.state.withLock { $0.consent.isYes })
        #expect(!host.calls.contains("setUp"))
        #expect(host.openSessions == 0)
    }

    @Test func withoutATerminalARevokedConsentNeedsNoRecoveryFile() async {
        let host = ScriptedHost { $0.consent = .revoked(at: 1_780_000_100) }
        let pin = InputDescriptor("271828")
        let run = await CommandRun(
            "setup", "--accept-consent", "--pin-fd", "\(pin.number)", "--json", on: host)
        #expect(run.status == 0)
        #expect(run.output.contains(#""recoveryOut":null"#))
        #expect(host.state.withLock { $0.consent.isYes })
    }

    @Test func aNoOrAWrongPINGivesNoConsentAgain() async {
        let host = ScriptedHost { $0.consent = .revoked(at: 1_780_000_100) }
        let no = await CommandRun(
            "setup", on: host, terminal: ScriptedTerminal([.line("no")]))
        #expect(no.status == 5)
        let pin = InputDescriptor("314159")
        let wrong = await CommandRun(
            "setup", "--accept-consent", "--pin-fd", "\(pin.number)", on: host)
        #expect(wrong.status == 1)
        #expect(host.state.withLock { !$0.consent.isYes })
    }

    // MARK: Switching off

    @Test func fingersAreSwitchedOffWithNoQuestionAndOnWithThePIN() async {
        let host = ScriptedHost()
        for _ in 0..<2 {
            let off = await CommandRun("disable", on: host)
            #expect(off.status == 0)
        }
        let status = await CommandRun("status", on: host)
        #expect(status.output.contains("'whorl enable' switches them on"))
        let wrong = InputDescriptor("314159")
        let refused = await CommandRun("enable", "--pin-fd", "\(wrong.number)", on: host)
        #expect(refused.status == 1)
        #expect(host.state.withLock { $0.isDisabled })
        for _ in 0..<2 {
            let pin = InputDescriptor("271828")
            let on = await CommandRun("enable", "--pin-fd", "\(pin.number)", on: host)
            #expect(on.status == 0)
        }
        #expect(host.state.withLock { !$0.isDisabled })
    }

    // MARK: The end

    @Test func aResetListsThenAsksThenTakesThePIN() async throws {
        let host = try await host()
        let no = ScriptedTerminal([.line("n")])
        let refused = await CommandRun("reset", on: host, terminal: no)
        #expect(refused.status == 5)
        #expect(no.shown.contains("  the key github\n  the key lonely\n  the PIN"))
        let yes = ScriptedTerminal([.line("y"), .line("271828")])
        let run = await CommandRun("reset", on: host, terminal: yes)
        #expect(run.status == 0)
        #expect(!host.state.withLock { $0.isSetUp })
    }

    @Test func withoutPINAndRecoveryKeyTheWordIsTyped() async throws {
        let host = try await host()
        for word in ["y", "Delete", "", "delete "] {
            let run = await CommandRun(
                "reset", "--lost-credential", on: host, terminal: ScriptedTerminal([.line(word)]))
            #expect(run.status == 5)
        }
        #expect(host.state.withLock { $0.isSetUp })
        let run = await CommandRun(
            "reset", "--lost-credential", on: host, terminal: ScriptedTerminal([.line("delete")]))
        #expect(run.status == 0)
        #expect(!host.state.withLock { $0.isSetUp })
        let nothing = await CommandRun("reset", "--lost-credential", "--yes", on: host)
        #expect(nothing.status == 3)
    }

    @Test func theStoreOfAFormerAccountIsGoodForAResetOnly() async throws {
        let host = try await host()
        host.state.withLock { $0.openError = .otherAccount("former") }
        let refused = await CommandRun("vault", "list", on: host)
        #expect(refused.status == 77)
        #expect(refused.errors.contains("whorl reset"))
        let run = await CommandRun("reset", "--lost-credential", "--yes", on: host)
        #expect(run.status == 0)
    }
}
