import Testing
import WhorlAuthentication
import WhorlBiometrics
import WhorlSensorLab

@testable import WhorlCommand

struct SigningCommandTests {
    private func host(_ change: (inout ScriptedHost.State) -> Void = { _ in }) -> ScriptedHost {
        ScriptedHost(change)
    }

    private func sign(
        _ message: String = "what is signed", _ options: String..., on host: ScriptedHost,
        name: String = "release", output: MemorySink = MemorySink()
    ) async -> CommandRun {
        let input = InputDescriptor(message)
        return await CommandRun(
            ["key", "sign", name] + options, on: host, input: input.number, output: output)
    }

    // MARK: Refusals

    @Test func aFingerThatDoesNotMatchSignsNothing() async throws {
        let host = host { $0.person = [.strangerTouches(then: .noMatch)] }
        let inputs = try await host.create("release")
        let run = await sign(on: host)
        #expect(run.status == 1)
        #expect(run.output == "")
        #expect(inputs.all.isEmpty)
        #expect(host.openSessions == 0)
    }

    @Test func aKeyThatIsNotThereIsSaidSo() async throws {
        for command in ["sign", "public", "remove"] {
            let run = await CommandRun("key", command, "nothing", on: host())
            #expect(run.status == 66, "\(command)")
        }
    }

    @Test func aSecretNeitherSignsNorHasAPublicHalf() async throws {
        let host = host()
        try await host.session.vault.put(secret("hunter2"), as: "github")
        for command in ["sign", "public", "remove"] {
            let run = await CommandRun("key", command, "github", on: host, input: -1)
            #expect(run.status == 65, "\(command)")
            #expect(run.errors.contains("'whorl vault remove'"))
            #expect(!run.errors.contains("wants to"))
        }
    }

    @Test func aSigningKeyIsNoSecret() async throws {
        let host = host()
        try await host.create("release")
        for line in [["get", "release"], ["remove", "release"], ["put", "release", "--replace"]] {
            let run = await CommandRun(["vault"] + line, on: host, input: -1)
            #expect(run.status == 65, "\(line)")
            #expect(run.errors.contains("'whorl key remove'"))
            #expect(!run.errors.contains("wants to"))
        }
        let put = await CommandRun("vault", "put", "release", on: host, input: -1)
        #expect(put.status == 73)
    }

    @Test func aNameThatIsTakenIsRefused() async throws {
        let host = host()
        try await host.session.vault.put(secret("hunter2"), as: "github")
        try await host.create("release")
        for name in ["github", "release"] {
            let run = await CommandRun(
                "key", "create", name, "--access", "nonsense", on: host)
            #expect(run.status == 73)
        }
    }

    @Test func badDataIsRefused() async throws {
        for arguments in [["a//b"], ["new", "--access", "biometryAny or"]] {
            let run = await CommandRun(["key", "create"] + arguments, on: host())
            #expect(run.status == 65, "\(arguments)")
        }
        let nobody = ScriptedHost(enrolled: [])
        #expect(await CommandRun("key", "create", "new", on: nobody).status == 3)
    }

    @Test func aWrongCommandLineIsRefused() async throws {
        for line in [
            ["key", "sign", "release", "--namespace", "git"],
            ["key", "sign", "release", "--format", "ssh", "--namespace", "two words"],
            ["key", "sign", "release", "--format", "ssh", "--namespace", ""],
            ["key", "sign", "release", "--format", "pem"],
            ["key", "public", "release", "--format", "der"],
            ["key", "sign", "release", "--pin-fd", "0"], ["key", "attest", "release"], ["key"],
            ["key", "sign"], ["key", "create", "n", "--no-recovery"],
        ] {
            let run = await CommandRun(line)
            #expect(run.status == 64, "\(line)")
        }
    }

    @Test func withoutTerminalAndDescriptorAKeyThatOnlyThePINOpensIsAWrongCommandLine() async throws
    {
        let host = host()
        try await host.create("release", access: .deviceCredential)
        for command in ["sign", "remove"] {
            let run = await CommandRun("key", command, "release", on: host, input: -1)
            #expect(run.status == 64)
            #expect(run.errors.contains("--pin-fd"))
        }
    }

    @Test func inputThatCannotBeReadIsAnError() async throws {
        for form in SignatureForm.allCases {
            let host = host { $0.person = [.touches] }
            let inputs = try await host.create("release")
            let run = await CommandRun(
                "key", "sign", "release", "--format", form.rawValue, on: host, input: -1)
            #expect(run.status == 74)
            #expect(inputs.all.isEmpty)
        }
    }

    @Test func aFileThatExistsIsRefusedBeforeAnybodyIsAsked() async throws {
        let host = host { $0.person = [.touches] }
        try await host.create("release")
        let folder = try TemporaryFolder()
        let file = "\(folder.path)/signature"
        try TestFile.write("mine", to: file)
        let run = await sign("m", "--out", file, on: host)
        #expect(run.status == 73)
        #expect(try TestFile.read(file) == "mine")
        #expect(!run.errors.contains("wants to"))
    }

    @Test func outputThatNobodyReadsIsAnError() async throws {
        let host = host { $0.person = [.touches] }
        try await host.create("release")
        let run = await sign(on: host, output: MemorySink(failingWith: .brokenPipe))
        #expect(run.status == 74)
    }

    // One byte more than becomes part of a signature; the other forms take any length.
    @Test func onlyWhatBecomesPartOfASignatureHasALimit() async throws {
        let message = String(repeating: "x", count: MessageInput.limit + 1)
        for form in SignatureForm.allCases {
            let host = host { $0.person = [.touches] }
            try await host.create("release")
            let run = await sign(message, "--format", form.rawValue, on: host)
            #expect(run.status == (form == .jws ? 65 : 0), "\(form)")
        }
        let host = host { $0.person = [.touches] }
        try await host.create("release")
        let longest = await sign(String(message.dropLast()), "--format", "jws", on: host)
        #expect(longest.status == 0)
    }

    // MARK: Signing

    @Test func aFingerSignsTheDigestOfTheInput() async throws {
        for (options, output) in [
            ([], "der " + String(repeating: "d", count: 66)),
            (["--format", "der"], "der " + String(repeating: "d", count: 66)),
            (["--format", "raw"], "raw " + String(repeating: "r", count: 60)),
        ] {
            let host = host { $0.person = [.touches] }
            let inputs = try await host.create("release")
            let input = InputDescriptor("what is signed")
            let run = await CommandRun(
                ["key", "sign", "release"] + options, on: host, input: input.number)
            #expect(run.status == 0)
            #expect(run.output == output)
            #expect(run.errors.contains("sign with release"))
            let digest = try MessageDigest.of(Array("what is signed".utf8))
            #expect(inputs.all == [.digest(digest)])
        }
    }

    @Test func anSSHSignatureIsForAFileUnlessItSaysOtherwise() async throws {
        for (options, namespace) in [([], "file"), (["--namespace", "git"], "git")] {
            let host = host { $0.person = [.touches] }
            let inputs = try await host.create("release")
            let input = InputDescriptor("what is signed")
            let run = await CommandRun(
                ["key", "sign", "release", "--format", "ssh"] + options, on: host,
                input: input.number)
            #expect(run.status == 0)
            #expect(run.output.hasPrefix("-----BEGIN SSH SIGNATURE-----\n"))
            #expect(run.output.hasSuffix("\n-----END SSH SIGNATURE-----\n"))
            let prepared = try SSHSignature(
                ofDigest: MessageDigest.of(Array("what is signed".utf8)), namespace: namespace,
                publicKey: #require(.example))
            let signed = try #require(prepared).signedMessage
            #expect(inputs.all == [.message(signed)])
        }
    }

    @Test func aWebSignatureHoldsWhatItSigns() async throws {
        let host = host { $0.person = [.touches] }
        let inputs = try await host.create("release")
        let run = await sign("what is signed", "--format", "jws", on: host)
        #expect(run.status == 0)
        let parts = run.output.split(separator: ".")
        #expect(parts.count == 3)
        #expect(parts[1] == "d2hhdCBpcyBzaWduZWQ")
        #expect(!run.output.hasSuffix("\n"))
        #expect(
            inputs.all == [.message(Array("\(parts[0]).\(parts[1])".utf8))])
    }

    @Test func nothingIsAMessageToo() async throws {
        let host = host { $0.person = [.touches] }
        try await host.create("release")
        #expect(await sign("", on: host).status == 0)
    }

    @Test func aSignatureGoesIntoANewFile() async throws {
        let host = host { $0.person = [.touches] }
        try await host.create("release")
        let folder = try TemporaryFolder()
        let file = "\(folder.path)/signature"
        let run = await sign("m", "--out", file, "--json", on: host)
        #expect(run.status == 0)
        #expect(TestFile.mode(file) == 0o600)
        #expect(try TestFile.read(file) == "der " + String(repeating: "d", count: 66))
        let encoded = Base64.url(try TestFile.bytes(file))
        #expect(run.output.contains(#""signature":"\#(encoded)""#))
        #expect(run.output.contains(#""factors":["finger"]"#))
    }

    @Test func withJSONTheSignatureIsInTheAnswerAlone() async throws {
        let host = host { $0.person = [.touches] }
        try await host.create("release")
        let run = await sign("m", "--format", "raw", "--json", on: host)
        #expect(run.status == 0)
        #expect(run.output.split(separator: "\n").count == 1)
        #expect(run.output.hasPrefix(#"{"whorl":1,"command":"key sign""#))
    }

    // MARK: create, list, public, remove

    @Test func aKeyIsMadeWithoutATouch() async throws {
        let host = host()
        let run = await CommandRun("key", "create", "new", "--access", "biometryAny", on: host)
        #expect(run.status == 0)
        #expect(run.output.hasPrefix("made new (simulated)\n  opened by: biometryAny\n"))
        #expect(run.output.contains("recovery key: does not open it"))
        #expect(try await host.session.signingKeys.list().map(\.name.text) == ["new"])
    }

    @Test func keysThatSignAreListed() async throws {
        let host = host()
        try await host.session.vault.put(secret("hunter2"), as: "github")
        try await host.create("release", access: .deviceCredential)
        let run = await CommandRun("key", "list", on: host)
        #expect(run.output == "release  signing  deviceCredential  no finger  open (simulated)\n")
        let all = await CommandRun("vault", "list", on: host)
        #expect(all.output.contains("github   secret   "))
        #expect(all.output.contains("release  signing"))
        #expect(await CommandRun("vault", "info", "release", on: host).status == 0)
    }

    @Test func thePublicHalfIsPrintedInEachForm() async throws {
        let host = host()
        try await host.create("release")
        for (form, beginning) in [
            ("pem", "-----BEGIN PUBLIC KEY-----\nMFkw"), ("ssh", "ecdsa-sha2-nistp256 AAAAE2Vj"),
            ("jwk", #"{"kty":"EC","crv":"P-256","x":"f83O"#),
        ] {
            let run = await CommandRun("key", "public", "release", "--format", form, on: host)
            #expect(run.status == 0)
            #expect(run.output.hasPrefix(beginning))
            #expect(run.output.hasSuffix("\n") && !run.output.hasSuffix("\n\n"))
            #expect(!run.errors.contains("wants to"))
        }
        let plain = await CommandRun("key", "public", "release", on: host)
        #expect(plain.output.hasPrefix("-----BEGIN PUBLIC KEY-----\n"))
    }

    @Test func removingNeedsWhatSigningNeeds() async throws {
        let host = host { $0.person = [.strangerTouches(then: .noMatch), .touches] }
        try await host.create("release")
        #expect(await CommandRun("key", "remove", "release", on: host).status == 1)
        #expect(try await host.session.signingKeys.list().count == 1)
        let removed = await CommandRun("key", "remove", "release", on: host)
        #expect(removed.status == 0)
        #expect(removed.output == "removed release\n")
        #expect(try await host.session.signingKeys.list().isEmpty)
    }
}
