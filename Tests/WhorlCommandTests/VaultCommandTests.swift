import Synchronization
import Testing
import WhorlAuthentication
import WhorlBiometrics
import WhorlSensorLab

@testable import WhorlCommand

struct VaultCommandTests {
    private func host(_ change: (inout ScriptedHost.State) -> Void = { _ in }) async throws
        -> ScriptedHost
    {
        let host = ScriptedHost(change)
        try await host.session.vault.put(secret("hunter2\n"), as: "github")
        try await host.session.vault.put(secret("12"), as: "pin-only", access: .deviceCredential)
        return host
    }

    // MARK: get

    @Test func aFingerBringsTheSecretOutByteForByte() async throws {
        let host = try await host { $0.person = [.touches] }
        let run = await CommandRun("vault", "get", "github", on: host)
        #expect(run.status == 0)
        #expect(run.output == "hunter2\n")
        #expect(run.errors.contains("whorl (process 4711) wants to open github"))
        #expect(run.errors.contains("simulated"))
        #expect(host.openSessions == 0)
    }

    @Test func aFingerThatDoesNotMatchBringsNothingOut() async throws {
        let host = try await host { $0.person = [.strangerTouches(then: .noMatch)] }
        let run = await CommandRun("vault", "get", "github", on: host)
        #expect(run.status == 1)
        #expect(run.output == "")
        #expect(run.errors.hasSuffix("whorl: \(Taxonomy.entries[0].sentence)\n"))
        #expect(host.openSessions == 0)
    }

    @Test func thePINFromADescriptorOpensToo() async throws {
        let host = try await host()
        let pin = InputDescriptor("271828\n")
        let run = await CommandRun(
            "vault", "get", "pin-only", "--pin-fd", "\(pin.number)", on: host)
        #expect(run.status == 0)
        #expect(run.output == "12")
    }

    @Test func aWrongPINFromADescriptorIsRefused() async throws {
        let host = try await host()
        let pin = InputDescriptor("000000\n")
        let run = await CommandRun(
            "vault", "get", "github", "--pin-fd", "\(pin.number)", on: host)
        #expect(run.status == 1)
        #expect(run.output == "")
    }

    @Test func thePINCanBeTypedAtTheTerminal() async throws {
        let host = try await host()
        let terminal = ScriptedTerminal([.line("271828")])
        let run = await CommandRun("vault", "get", "pin-only", on: host, terminal: terminal)
        #expect(run.status == 0)
        #expect(run.output == "12")
        #expect(terminal.echoes == [.hidden])
        #expect(terminal.isRestored)
        #expect(!terminal.shown.contains("271828"))
        // Prompts go to the terminal, and not where a log may read them.
        #expect(!run.errors.contains("wants to"))
    }

    @Test func withoutTerminalAndDescriptorAKeyThatOnlyThePINOpensIsAWrongCommandLine() async throws
    {
        let host = try await host()
        for command in ["get", "remove"] {
            let run = await CommandRun("vault", command, "pin-only", on: host)
            #expect(run.status == 64)
            #expect(run.errors.contains("--pin-fd"))
        }
    }

    @Test func aSecretGoesIntoANewFileOfItsOwner() async throws {
        let host = try await host { $0.person = [.touches] }
        let folder = try TemporaryFolder()
        let file = "\(folder.path)/token"
        let run = await CommandRun("vault", "get", "github", "--out", file, "--json", on: host)
        #expect(run.status == 0)
        #expect(try TestFile.read(file) == "hunter2\n")
        #expect(TestFile.mode(file) == 0o600)
        #expect(!run.output.contains("hunter2"))
        #expect(run.output.contains(#""bytes":8,"factors":["finger"]"#))
        #expect(run.output.contains(#""simulated":true"#))
    }

    @Test func aFileThatExistsIsRefusedBeforeAnybodyIsAsked() async throws {
        let host = try await host { $0.person = [.touches] }
        let folder = try TemporaryFolder()
        let file = "\(folder.path)/token"
        try TestFile.write("mine", to: file)
        let run = await CommandRun("vault", "get", "github", "--out", file, on: host)
        #expect(run.status == 73)
        #expect(try TestFile.read(file) == "mine")
        #expect(!run.errors.contains("wants to"))
    }

    @Test func aRefusalLeavesNoFileBehind() async throws {
        let host = try await host { $0.person = [.strangerTouches(then: .noMatch)] }
        let folder = try TemporaryFolder()
        let file = "\(folder.path)/token"
        let run = await CommandRun("vault", "get", "github", "--out", file, on: host)
        #expect(run.status == 1)
        #expect(TestFile.mode(file) == nil)
    }

    @Test func outputThatNobodyReadsIsAnError() async throws {
        let host = try await host { $0.person = [.touches] }
        let run = await CommandRun(
            "vault", "get", "github", on: host, output: MemorySink(failingWith: .brokenPipe))
        #expect(run.status == 74)
        #expect(run.errors.contains("standard output"))
    }

    @Test func aKeyThatIsNotThereIsSaidSo() async throws {
        let host = try await host()
        for command in ["get", "info", "remove"] {
            let run = await CommandRun("vault", command, "nothing", on: host)
            #expect(run.status == 66)
        }
    }

    // MARK: put

    @Test func aSecretIsStoredByteForByte() async throws {
        let host = try await host()
        let input = InputDescriptor("a\0b\n\n")
        let run = await CommandRun("vault", "put", "new", on: host, input: input.number)
        #expect(run.status == 0)
        #expect(run.output.hasPrefix("stored new (simulated)\n"))
        #expect(run.output.contains("class 1 convenience or better"))
        host.session.expect(.yes(by: .finger))
        let stored = try await host.session.vault.get("new", reason: "test")
        #expect(revealed(stored) == "a\0b\n\n")
    }

    @Test func anExistingNameIsRefusedBeforeTheSecretIsRead() async throws {
        let host = try await host()
        // Reading this would fail: the refusal comes first.
        let run = await CommandRun("vault", "put", "github", on: host, input: -1)
        #expect(run.status == 73)
        #expect(run.errors.contains("--replace"))
    }

    @Test func replacingNeedsWhatOpeningNeeds() async throws {
        let host = try await host { $0.person = [.strangerTouches(then: .noMatch), .touches] }
        for (status, text) in [(CInt(1), "hunter2\n"), (0, "new")] {
            let input = InputDescriptor("new")
            let run = await CommandRun(
                "vault", "put", "github", "--replace", on: host, input: input.number)
            #expect(run.status == status)
            host.session.expect(.yes(by: .finger))
            let stored = try await host.session.vault.get("github", reason: "test")
            #expect(revealed(stored) == text)
        }
    }

    @Test func replaceOfANewNameStoresIt() async throws {
        let host = try await host()
        let input = InputDescriptor("x")
        let run = await CommandRun(
            "vault", "put", "new", "--replace", on: host, input: input.number)
        #expect(run.status == 0)
        #expect(run.output.hasPrefix("stored new"))
    }

    @Test func badDataIsRefused() async throws {
        let host = try await host()
        for (arguments, secret) in [
            (["new"], ""), (["new"], String(repeating: "x", count: (1 << 20) + 1)),
            (["a//b"], "x"), ([""], "x"), (["new", "--access", "biometryAny or"], "x"),
            (["new", "--access", ""], "x"), (["new", "--access", "applicationPassword"], "x"),
        ] {
            let input = InputDescriptor(secret)
            let run = await CommandRun(
                ["vault", "put"] + arguments, on: host, input: input.number)
            #expect(run.status == 65, "\(arguments) \(secret.count)")
            #expect(run.output == "")
        }
        #expect(try await host.session.vault.list().count == 2)
    }

    @Test func theLargestSecretIsTaken() async throws {
        let host = try await host()
        let input = InputDescriptor([UInt8](repeating: 7, count: 1 << 20))
        let run = await CommandRun("vault", "put", "big", on: host, input: input.number)
        #expect(run.status == 0)
    }

    @Test func aFingerTermWithNothingEnrolledIsRefused() async throws {
        let host = ScriptedHost(enrolled: [])
        let input = InputDescriptor("x")
        let run = await CommandRun("vault", "put", "new", on: host, input: input.number)
        #expect(run.status == 3)
        let other = InputDescriptor("x")
        let credentialOnly = await CommandRun(
            "vault", "put", "new", "--access", "deviceCredential", on: host, input: other.number)
        #expect(credentialOnly.status == 0)
    }

    @Test func inputThatCannotBeReadIsAnError() async throws {
        let host = try await host()
        let run = await CommandRun("vault", "put", "new", on: host, input: -1)
        #expect(run.status == 74)
    }

    @Test func reuseInThisProcessIsSaidToEndWithIt() async throws {
        let host = try await host()
        let input = InputDescriptor("x")
        let run = await CommandRun(
            "vault", "put", "new", "--reuse", "60", on: host, input: input.number)
        #expect(run.status == 0)
        #expect(run.errors.contains("--reuse works with the service"))
        host.state.withLock { $0.placement = .service }
        let other = InputDescriptor("x")
        let service = await CommandRun(
            "vault", "put", "other", "--reuse", "60", on: host, input: other.number)
        #expect(service.status == 0 && service.errors == "")
    }

    // MARK: list, info, remove

    @Test func keysAreListed() async throws {
        let host = try await host()
        let run = await CommandRun("vault", "list", on: host)
        #expect(run.status == 0)
        #expect(
            run.output == """
                github    secret  biometryCurrentSet or deviceCredential  class 1+   open (simulated)
                pin-only  secret  deviceCredential                        no finger  open (simulated)

                """)
    }

    @Test func whatIsKnownOfAKeyIsShown() async throws {
        let host = try await host()
        let run = await CommandRun("vault", "info", "pin-only", on: host)
        #expect(run.status == 0)
        #expect(run.output.contains("a thief of the disk   must guess the PIN\n"))
        #expect(!run.output.contains("12\n"))
    }

    @Test func removingNeedsWhatOpeningNeeds() async throws {
        let host = try await host { $0.person = [.strangerTouches(then: .noMatch), .touches] }
        let refused = await CommandRun("vault", "remove", "github", on: host)
        #expect(refused.status == 1)
        #expect(try await host.session.vault.list().count == 2)
        let removed = await CommandRun("vault", "remove", "github", "--quiet", on: host)
        #expect(removed.status == 0)
        #expect(removed.output == "" && removed.errors == "")
        #expect(try await host.session.vault.list().count == 1)
    }
}
