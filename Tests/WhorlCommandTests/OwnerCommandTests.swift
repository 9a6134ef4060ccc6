import Glibc
import Synchronization
import Testing
import WhorlAuthentication
import WhorlBiometrics
import WhorlSensorLab

@testable import WhorlCommand

struct OwnerCommandTests {
    // MARK: The PIN

    @Test(arguments: [["pin", "change"], ["recovery", "renew"], ["vault", "rebind", "--all"]])
    func withoutTerminalAndDescriptorThereIsNoWay(words: [String]) async {
        let host = ScriptedHost()
        let run = await CommandRun(words, on: host)
        #expect(run.status == 64)
        #expect(run.errors.contains("there is no terminal"))
        #expect(host.calls.isEmpty)
    }

    @Test(arguments: [["pin", "reset"], ["recovery", "check"]])
    func nothingButTheRecoveryKeyWillDo(words: [String]) async {
        let pin = InputDescriptor("271828")
        let host = ScriptedHost()
        let run = await CommandRun(words + ["--pin-fd", "\(pin.number)"], on: host)
        #expect(run.status == 64)
        #expect(run.errors.contains("--recovery-fd"))
        #expect(host.calls.isEmpty)
    }

    @Test func thePINIsChangedByTheOldOne() async {
        let host = ScriptedHost()
        let old = InputDescriptor("271828")
        let new = InputDescriptor("another one")
        let run = await CommandRun(
            "pin", "change", "--pin-fd", "\(old.number)", "--new-pin-fd", "\(new.number)", "--json",
            on: host)
        #expect(run.status == 0)
        #expect(run.output.contains(#""lostKeys":[]"#))
        #expect(host.state.withLock { $0.pin } == "another one")
    }

    @Test func aChangeWithoutANewPINIsRefused() async {
        let old = InputDescriptor("271828")
        let run = await CommandRun(
            "pin", "change", "--pin-fd", "\(old.number)", on: ScriptedHost())
        #expect(run.status == 64)
        #expect(run.errors.contains("--new-pin-fd"))
    }

    @Test func aWrongOldPINChangesNothing() async {
        let host = ScriptedHost()
        let old = InputDescriptor("314159")
        let new = InputDescriptor("another one")
        let run = await CommandRun(
            "pin", "change", "--pin-fd", "\(old.number)", "--new-pin-fd", "\(new.number)", on: host)
        #expect(run.status == 1)
        #expect(host.state.withLock { $0.pin } == "271828")
    }

    @Test(arguments: ["--pin-fd", "--new-pin-fd"])
    func thePINIsResetByTheRecoveryKey(option: String) async throws {
        let host = ScriptedHost()
        try await host.session.vault.put(
            secret("x"), as: KeyName("lonely"),
            options: KeyOptions(access: .deviceCredential, hasRecovery: false))
        let key = InputDescriptor(ScriptedHost.recoveryKey)
        let new = InputDescriptor("another one")
        let run = await CommandRun(
            "pin", "reset", "--recovery-fd", "\(key.number)", option, "\(new.number)", on: host)
        #expect(run.status == 0)
        #expect(run.output.contains("the PIN does not open these any more:\n  lonely"))
        #expect(host.state.withLock { $0.pin } == "another one")
    }

    @Test func whatAResetTakesIsSaidBefore() async throws {
        let host = ScriptedHost()
        try await host.session.vault.put(
            secret("x"), as: KeyName("lonely"),
            options: KeyOptions(access: .deviceCredential, hasRecovery: false))
        let terminal = ScriptedTerminal([.line("no")])
        let run = await CommandRun("pin", "reset", on: host, terminal: terminal)
        #expect(run.status == 5)
        #expect(terminal.shown.contains("  lonely\n"))
        #expect(host.state.withLock { $0.pin } == "271828")
    }

    @Test func aNewPINIsTypedTwiceAndTheOldOneThen() async {
        let host = ScriptedHost()
        let terminal = ScriptedTerminal([
            .line("another one"), .line("another one"), .line("271828"),
        ])
        let run = await CommandRun("pin", "change", on: host, terminal: terminal)
        #expect(run.status == 0)
        #expect(host.state.withLock { $0.pin } == "another one")
    }

    @Test func aRecoveryKeyThatIsMistypedIsAskedForAgainWithTheNewPIN() async {
        let host = ScriptedHost()
        let terminal = ScriptedTerminal([
            .line("WHRL-OTHER"), .line("another one"), .line("another one"),
            .line(ScriptedHost.recoveryKey), .line("another one"), .line("another one"),
        ])
        let run = await CommandRun("pin", "reset", on: host, terminal: terminal)
        #expect(run.status == 0)
        #expect(host.state.withLock { $0.pin } == "another one")
    }

    @Test func theRecoveryKeyUnlocks() async {
        let key = InputDescriptor(ScriptedHost.recoveryKey)
        let run = await CommandRun("unlock", "--recovery-fd", "\(key.number)", on: ScriptedHost())
        #expect(run.status == 0)
        #expect(run.output == "the recovery key was right; fingers count again\n")
    }

    @Test func aPINThatCannotStandMayBeTypedAgain() async {
        let host = ScriptedHost()
        let terminal = ScriptedTerminal([
            .line("short"), .line("short"), .line("another one"), .line("another one"),
            .line("271828"),
        ])
        let run = await CommandRun("pin", "change", on: host, terminal: terminal)
        #expect(run.status == 0)
        #expect(terminal.shown.contains("shorter than 6"))
    }

    // MARK: The recovery key

    @Test func theRecoveryKeyIsChecked() async throws {
        let host = ScriptedHost()
        try await host.session.vault.put(secret("x"), as: "github")
        let key = InputDescriptor(ScriptedHost.recoveryKey + "\n")
        let run = await CommandRun("recovery", "check", "--recovery-fd", "\(key.number)", on: host)
        #expect(run.status == 0)
        #expect(run.output == "this is the recovery key; it opens 1 key\n  github\n")
    }

    @Test(arguments: [("WHRL-OTHER", 1 as CInt), ("nonsense", 65), ("", 65)])
    func aKeyThatIsNoneIsRefused(text: String, status: CInt) async {
        let key = InputDescriptor(text)
        let run = await CommandRun(
            "recovery", "check", "--recovery-fd", "\(key.number)", on: ScriptedHost())
        #expect(run.status == status)
        #expect(run.output.isEmpty)
    }

    @Test func aMistypedKeyMayBeTypedAgain() async {
        let terminal = ScriptedTerminal([
            .line("nonsense"), .line("WHRL-OTHER"), .line(ScriptedHost.recoveryKey),
        ])
        let run = await CommandRun("recovery", "check", on: ScriptedHost(), terminal: terminal)
        #expect(run.status == 0)
        #expect(terminal.shown.contains("group 1 of the recovery key is mistyped"))
        let thrice = ScriptedTerminal([.line("a"), .line("b"), .line("c"), .line("d")])
        let refused = await CommandRun("recovery", "check", on: ScriptedHost(), terminal: thrice)
        #expect(refused.status == 65)
        #expect(thrice.rest == 1)
    }

    @Test func aNewRecoveryKeyGoesIntoANewFile() async throws {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/key"
        let pin = InputDescriptor("271828")
        let run = await CommandRun(
            "recovery", "renew", "--pin-fd", "\(pin.number)", "--recovery-out", path,
            on: ScriptedHost())
        #expect(run.status == 0)
        #expect(try TestFile.read(path) == "WHRL-NEW")
        let again = InputDescriptor("271828")
        let refused = await CommandRun(
            "recovery", "renew", "--pin-fd", "\(again.number)", "--recovery-out", path,
            on: ScriptedHost())
        #expect(refused.status == 73)
    }

    @Test func aKeyThatTheStoreDidNotTakeIsNotLeftInAFile() async throws {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/key"
        let pin = InputDescriptor("271828")
        let host = ScriptedHost { $0.renewalError = .storage("the disk is full") }
        let run = await CommandRun(
            "recovery", "renew", "--pin-fd", "\(pin.number)", "--recovery-out", path, on: host)
        #expect(run.status == 74)
        #expect(unsafe access(path, F_OK) != 0)
    }

    // MARK: Giving it

    @Test(arguments: [["enroll"], ["finger", "list"], ["verify"], ["status"], ["vault", "list"]])
    func aCommandWithNoUseForTheRecoveryKeyRefusesIt(words: [String]) async {
        let host = ScriptedHost()
        let run = await CommandRun(words + ["--recovery-fd", "9"], on: host)
        #expect(run.status == 64)
        #expect(run.errors.contains("has no use for the recovery key"))
        let typed = await CommandRun(words + ["--recovery"], on: host)
        #expect(typed.status == 64)
        #expect(host.calls.isEmpty)
    }

    @Test(arguments: [
        ["pin", "reset", "--recovery-fd", "8", "--pin-fd", "8"],
        ["pin", "change", "--pin-fd", "8", "--new-pin-fd", "8"],
        ["pin", "reset", "--recovery-fd", "8", "--new-pin-fd", "8"],
        ["recovery", "check", "--recovery-fd", "8", "--recovery"],
        ["vault", "put", "k", "--replace", "--recovery-fd", "0"],
        ["recovery", "check", "--recovery-fd", "1"],
    ])
    func descriptorsThatCannotServeAreRefused(words: [String]) async {
        #expect(await CommandRun(words, on: ScriptedHost()).status == 64)
    }

    @Test func theRecoveryKeyOpensASecret() async throws {
        let host = ScriptedHost()
        try await host.session.vault.put(secret("s3cret"), as: "github")
        let key = InputDescriptor(ScriptedHost.recoveryKey)
        let run = await CommandRun(
            "vault", "get", "github", "--recovery-fd", "\(key.number)", on: host)
        #expect(run.status == 0)
        #expect(run.output == "s3cret")
    }

    // MARK: Binding anew

    @Test(arguments: [["vault", "rebind"], ["vault", "rebind", "k", "--all"]])
    func oneKeyOrAllIsSaid(words: [String]) async {
        #expect(await CommandRun(words + ["--pin-fd", "9"], on: ScriptedHost()).status == 64)
    }

    @Test func aKeyIsBoundAnewByThePIN() async throws {
        let host = ScriptedHost()
        try await host.session.vault.put(secret("x"), as: "github")
        let pin = InputDescriptor("271828")
        let run = await CommandRun(
            "vault", "rebind", "github", "--pin-fd", "\(pin.number)", on: host)
        #expect(run.status == 0)
        #expect(run.output == "github opens for the fingers enrolled now\n")
    }

    @Test func aKeyThatThePINDoesNotOpenIsNotBoundAnew() async throws {
        let host = ScriptedHost()
        try await host.session.vault.put(
            secret("x"), as: "mine", access: .biometryCurrentSet)
        let pin = InputDescriptor("271828")
        let one = await CommandRun(
            "vault", "rebind", "mine", "--pin-fd", "\(pin.number)", on: host)
        #expect(one.status == 4)
        #expect(one.errors.contains("the PIN alone does not open mine"))
        let again = InputDescriptor("271828")
        let all = await CommandRun(
            "vault", "rebind", "--all", "--pin-fd", "\(again.number)", "--json", on: host)
        #expect(all.status == 0)
        #expect(all.output.contains(#""unopened":["mine"]"#))
        let missing = await CommandRun("vault", "rebind", "none", "--pin-fd", "0", on: host)
        #expect(missing.status == 66)
    }
}
