import Synchronization
import Testing
import WhorlAuthentication
import WhorlBiometrics

@testable import WhorlCommand

struct SetupCommandTests {
    private func host(_ change: (inout ScriptedHost.State) -> Void = { _ in }) -> ScriptedHost {
        ScriptedHost { state in
            state.isSetUp = false
            change(&state)
        }
    }

    // MARK: With nobody there

    @Test func everythingThatWouldBeAskedMustBeGiven() async throws {
        let folder = try TemporaryFolder()
        let pin = InputDescriptor("271828")
        let all = ["--accept-consent", "--pin-fd=\(pin.number)", "--recovery-out=\(folder.path)/k"]
        for missing in all.indices {
            let host = host()
            var arguments = ["setup"] + all
            arguments.remove(at: missing + 1)
            let run = await CommandRun(arguments, on: host)
            #expect(run.status == 64)
            let option = all[missing].prefix { $0 != "=" }
            #expect(run.errors.contains("add \(option)"), "\(run.errors)")
            #expect(!host.calls.contains("setUp"))
        }
    }

    @Test func setupGoesThroughWithoutATerminal() async throws {
        let host = host()
        let folder = try TemporaryFolder()
        let file = "\(folder.path)/recovery"
        let pin = InputDescriptor("314159\n")
        let run = await CommandRun(
            "setup", "--accept-consent", "--pin-fd", "\(pin.number)", "--recovery-out", file,
            "--adopt", "all", on: host)
        #expect(run.status == 0)
        #expect(try TestFile.read(file) == ScriptedHost.recoveryKey)
        #expect(TestFile.mode(file) == 0o600)
        #expect(host.state.withLock { $0.pin } == "314159")
        #expect(host.state.withLock { $0.adoption } == .all)
        #expect(!(run.output + run.errors).contains(ScriptedHost.recoveryKey))
        #expect(run.output.contains("set up in /home/ada"))
    }

    @Test func aSecondSetupIsRefusedBeforeAnythingElse() async throws {
        let host = ScriptedHost()
        let folder = try TemporaryFolder()
        let file = "\(folder.path)/recovery"
        try TestFile.write("mine", to: file)
        let empty = InputDescriptor("")
        let run = await CommandRun(
            "setup", "--accept-consent", "--pin-fd", "\(empty.number)", "--recovery-out", file,
            on: host)
        #expect(run.status == 65)
        #expect(run.errors.contains("set up here already"))
        #expect(host.calls == ["status"])
    }

    @Test func aRecoveryFileThatExistsIsRefusedBeforeAnythingIsMade() async throws {
        let host = host()
        let folder = try TemporaryFolder()
        let file = "\(folder.path)/recovery"
        try TestFile.write("mine", to: file)
        let pin = InputDescriptor("314159")
        let run = await CommandRun(
            "setup", "--accept-consent", "--pin-fd", "\(pin.number)", "--recovery-out", file,
            on: host)
        #expect(run.status == 73)
        #expect(try TestFile.read(file) == "mine")
        #expect(host.calls == ["status"])
    }

    @Test func aRecoveryKeyOfNoStoreIsTakenAway() async throws {
        let host = host { $0.setUpError = .storage("the disk is full") }
        let folder = try TemporaryFolder()
        let file = "\(folder.path)/recovery"
        let pin = InputDescriptor("314159")
        let run = await CommandRun(
            "setup", "--accept-consent", "--pin-fd", "\(pin.number)", "--recovery-out", file,
            on: host)
        #expect(run.status == 74)
        #expect(TestFile.mode(file) == nil)
    }

    @Test func aFileThatAppearsMeanwhileIsNotTouched() async throws {
        let folder = try TemporaryFolder()
        let file = RecoveryKeyFile(path: "\(folder.path)/recovery")
        try TestFile.write("mine", to: "\(folder.path)/recovery")
        await #expect(throws: VaultError.self) { try await file.receive(secret("k")) }
        #expect(file.failure == .fileExists("\(folder.path)/recovery"))
        file.discard()
        #expect(try TestFile.read("\(folder.path)/recovery") == "mine")
    }

    @Test func aPINThatBreaksARuleIsNotAskedForAgain() async throws {
        let host = host()
        let folder = try TemporaryFolder()
        let pin = InputDescriptor("123")
        let run = await CommandRun(
            "setup", "--accept-consent", "--pin-fd", "\(pin.number)", "--recovery-out",
            "\(folder.path)/k", on: host)
        #expect(run.status == 65)
        #expect(run.errors.contains("shorter than 6 bytes"))
        #expect(host.calls.filter { $0 == "setUp" }.count == 1)
    }

    // MARK: At a terminal

    @Test func everythingIsAskedAtTheTerminal() async {
        let host = host()
        let terminal = ScriptedTerminal([
            .line("yes"), .line("314159"), .line("314159"), .line(""),
        ])
        let run = await CommandRun("setup", on: host, terminal: terminal)
        #expect(run.status == 0)
        #expect(terminal.echoes == [.visible, .hidden, .hidden, .hidden])
        #expect(terminal.isRestored)
        #expect(terminal.shown.contains("Set Whorl up? (yes/no) "))
        #expect(terminal.shown.contains("\n\(ScriptedHost.recoveryKey)\n"))
        #expect(!terminal.shown.contains("314159"))
        #expect(!(run.output + run.errors).contains(ScriptedHost.recoveryKey))
        #expect(host.state.withLock { $0.pin } == "314159")
        #expect(host.state.withLock { $0.adoption } == Adoption.none)
    }

    @Test(arguments: ["no", "", "yesterday"])
    func withoutAYesNothingIsSetUp(answer: String) async {
        let host = host()
        let terminal = ScriptedTerminal([.line(answer)])
        let run = await CommandRun("setup", on: host, terminal: terminal)
        #expect(run.status == 5)
        #expect(host.calls == ["status"])
    }

    @Test func twoDifferentPINsAreAskedForAgain() async {
        let host = host()
        let terminal = ScriptedTerminal([
            .line("314159"), .line("314158"), .line("314159"), .line("314159"), .line(""),
        ])
        let run = await CommandRun("setup", "--accept-consent", on: host, terminal: terminal)
        #expect(run.status == 0)
        #expect(terminal.shown.contains("These were not the same."))
    }

    @Test func threeDifferentPairsAreEnough() async {
        let host = host()
        let typed = (0..<6).map { ScriptedTerminal.Typed.line("31415\($0)") }
        let terminal = ScriptedTerminal(typed)
        let run = await CommandRun("setup", "--accept-consent", on: host, terminal: terminal)
        #expect(run.status == 65)
        #expect(host.calls == ["status"])
    }

    @Test func aPINThatBreaksARuleIsAskedForAgainAtATerminal() async {
        let host = host()
        let terminal = ScriptedTerminal([
            .line("123"), .line("123"), .line("314159"), .line("314159"), .line(""),
        ])
        let run = await CommandRun("setup", "--accept-consent", on: host, terminal: terminal)
        #expect(run.status == 0)
        #expect(terminal.shown.contains("shorter than 6 bytes"))
    }

    @Test func aPINThatBreaksARuleThriceIsRefused() async {
        let host = host()
        let terminal = ScriptedTerminal(Array(repeating: .line("123"), count: 6))
        let run = await CommandRun("setup", "--accept-consent", on: host, terminal: terminal)
        #expect(run.status == 65)
    }

    @Test func whoDoesNotTakeTheRecoveryKeyHasNoStore() async {
        for (last, status): (ScriptedTerminal.Typed, CInt) in [(.end, 5)] {
            let host = host()
            let terminal = ScriptedTerminal([.line("314159"), .line("314159"), last])
            let run = await CommandRun("setup", "--accept-consent", on: host, terminal: terminal)
            #expect(run.status == status)
            #expect(host.state.withLock { !$0.isSetUp })
            #expect(terminal.isRestored)
        }
    }

    @Test func ctrlCAtAQuestionCancelsAndPutsTheTerminalBack() async {
        let interruptions = Interruptions()
        let host = host()
        let terminal = ScriptedTerminal(
            [.line("314159"), .interruption(.person)], interruptions: interruptions)
        let run = await CommandRun(
            "setup", "--accept-consent", on: host, terminal: terminal,
            interruptions: interruptions)
        #expect(run.status == 5)
        #expect(terminal.isRestored)
        #expect(interruptions.received == 2)
        #expect(host.calls == ["status"])
    }

    @Test func aTerminationSignalAtAQuestionIsTheSystems() async {
        let interruptions = Interruptions()
        let terminal = ScriptedTerminal([.interruption(.system)], interruptions: interruptions)
        let run = await CommandRun(
            "setup", on: host(), terminal: terminal, interruptions: interruptions)
        #expect(run.status == 5)
        #expect(run.errors.contains("the system cancelled"))
    }

    @Test func aTerminalThatIsGoneIsNobodyToAsk() async {
        let run = await CommandRun(
            "setup", on: host(), terminal: ScriptedTerminal(isGone: true))
        #expect(run.status == 77)
    }

    @Test func aLineThatIsTooLongIsAskedForAgain() async {
        let terminal = ScriptedTerminal([
            .tooLong, .line("314159"), .line("314159"), .line(""),
        ])
        let run = await CommandRun("setup", "--accept-consent", on: host(), terminal: terminal)
        #expect(run.status == 0)
        #expect(terminal.shown.contains("too long"))
    }
}
