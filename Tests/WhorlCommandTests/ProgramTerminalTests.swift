import Glibc
import Testing

@testable import WhorlCommand

/// The built program at a pseudo-terminal, with a store in a folder of its own.
struct ProgramTerminalTests {
    private static let consent = "Set Whorl up? (yes/no) "

    private func setUp(_ store: String, _ more: [String] = []) throws -> InteractiveChild {
        try InteractiveChild(["setup", "--store", store] + more)
    }

    private func typePINs(_ child: InteractiveChild) {
        for question in ["New PIN or passphrase: ", "The same again: "] {
            #expect(child.terminal.read(until: question).contains(question))
            #expect(child.hidesTyping())
            child.terminal.type("314159\n")
        }
    }

    @Test(.timeLimit(.minutes(1)))
    func setupAsksForEverythingAndTheTerminalIsAsItWas() throws {
        let folder = try TemporaryFolder()
        let child = try setUp(folder.path + "/store")
        #expect(child.terminal.read(until: Self.consent).contains("A finger cannot be changed"))
        child.terminal.type("yes\n")
        typePINs(child)
        let shown = child.terminal.read(until: "Press Enter when you have copied it. ")
        #expect(shown.contains("This is the recovery key."))
        #expect(!shown.contains("314159"))
        child.terminal.type("\n")
        let end = child.finish()
        #expect(end.ending == .exited(0), "\(end.errors)")
        #expect(end.output.hasPrefix("set up in "))
        #expect(child.terminal.echoes)
    }

    @Test(.timeLimit(.minutes(1)), arguments: [("\u{3}", SIGINT), ("\u{1c}", SIGQUIT)])
    func keysThatEndAProgramCancelAndThenKill(key: String, signal: CInt) throws {
        let folder = try TemporaryFolder()
        let child = try setUp(folder.path + "/store", ["--accept-consent", "--json"])
        _ = child.terminal.read(until: "New PIN or passphrase: ")
        #expect(child.hidesTyping())
        child.terminal.type("3141\(key)")
        let end = child.finish()
        #expect(end.ending == .signalled(signal))
        #expect(
            end.output.contains(#""exit":5,"simulated":false,"error":{"case":"user-cancelled""#))
        #expect(end.errors.contains("you cancelled"))
        #expect(child.terminal.echoes)
        #expect(TestFile.mode(folder.path + "/store") == nil)
    }

    @Test(.timeLimit(.minutes(1)), arguments: [SIGTERM, SIGHUP])
    func signalsOfTheSystemCancelAndThenKill(signal: CInt) throws {
        let folder = try TemporaryFolder()
        let child = try setUp(folder.path + "/store", ["--json"])
        _ = child.terminal.read(until: Self.consent)
        child.signal(signal)
        let end = child.finish()
        #expect(end.ending == .signalled(signal))
        #expect(end.output.contains(#""case":"system-cancelled""#))
    }

    @Test(.timeLimit(.minutes(1)))
    func whoCancelsAtTheRecoveryKeyHasNoStore() throws {
        let folder = try TemporaryFolder()
        let child = try setUp(folder.path + "/store", ["--accept-consent"])
        typePINs(child)
        _ = child.terminal.read(until: "Press Enter when you have copied it. ")
        child.terminal.type("\u{3}")
        #expect(child.finish().ending == .signalled(SIGINT))
        let status = try Child(["status", "--store", folder.path + "/store", "--json"])
        #expect(status.output.contains(#""setUp":false"#))
    }

    @Test(.timeLimit(.minutes(1)))
    func ctrlZGivesTheTerminalBackForAsLongAsItTakes() throws {
        let folder = try TemporaryFolder()
        let child = try setUp(folder.path + "/store", ["--accept-consent"])
        _ = child.terminal.read(until: "New PIN or passphrase: ")
        #expect(child.hidesTyping())
        child.terminal.type("\u{1a}")
        #expect(child.waitForStop() == .stopped(SIGSTOP))
        #expect(child.terminal.echoes)
        child.signal(SIGCONT)
        #expect(child.hidesTyping())
        child.terminal.type("\u{3}")
        #expect(child.finish().ending == .signalled(SIGINT))
        #expect(child.terminal.echoes)
    }

    @Test(.timeLimit(.minutes(1)))
    func aSignalWhileSomethingElseIsReadKillsAtOnce() throws {
        let folder = try TemporaryFolder()
        let store = folder.path + "/store"
        try TestFile.write("314159", to: folder.path + "/pin")
        let setUp = try Child(
            [
                "setup", "--store", store, "--accept-consent", "--pin-fd", "3", "--recovery-out",
                folder.path + "/recovery",
            ], shell: #"exec "$0" "$@" 3<"# + folder.path + "/pin")
        #expect(setUp.ending == .exited(0), "\(setUp.errors)")
        // The secret is typed at the terminal, hidden, and Ctrl-C ends it there.
        let child = try InteractiveChild(
            ["vault", "put", "x", "--store", store, "--access", "deviceCredential"],
            shell: #"exec "$0" "$@""#)
        #expect(child.hidesTyping())
        child.terminal.type("secr\u{3}")
        let end = child.finish()
        #expect(end.ending == .signalled(SIGINT))
        #expect(child.terminal.echoes)
        #expect(!end.output.contains("stored"))
    }

    @Test(.timeLimit(.minutes(1)))
    func aSecretAndThePINAreTypedAtTheTerminal() throws {
        let folder = try TemporaryFolder()
        let store = folder.path + "/store"
        let setUp = try setUp(store, ["--accept-consent"])
        typePINs(setUp)
        _ = setUp.terminal.read(until: "Press Enter when you have copied it. ")
        setUp.terminal.type("\n")
        #expect(setUp.finish().ending == .exited(0))
        let put = try InteractiveChild(
            ["vault", "put", "x", "--store", store, "--access", "deviceCredential"],
            shell: #"exec "$0" "$@""#)
        #expect(put.hidesTyping())
        put.terminal.type("secret\n\u{4}")
        let stored = put.finish()
        #expect(stored.ending == .exited(0), "\(stored.errors)")
        let get = try InteractiveChild(["vault", "get", "x", "--store", store])
        #expect(get.terminal.read(until: "Type the PIN and press Enter").contains("open x"))
        #expect(get.hidesTyping())
        get.terminal.type("314159\n")
        let opened = get.finish()
        #expect(opened.ending == .exited(0), "\(opened.errors)")
        #expect(opened.output == "secret\n")
        #expect(get.terminal.echoes)
        #expect(!get.terminal.drain().contains("314159"))
    }
}
