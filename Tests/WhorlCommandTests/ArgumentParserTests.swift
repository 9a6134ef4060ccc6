import Testing
import WhorlBiometrics

@testable import WhorlCommand

struct ArgumentParserTests {
    private func command(_ line: String) throws -> Command {
        try ArgumentParser.parse(line.split(separator: " ").map(String.init)).command
    }

    @Test(arguments: [
        ("status", Command.status(showsSettings: false)),
        ("status --config", .status(showsSettings: true)),
        ("readers", .readers),
        ("taxonomy", .taxonomy(isMarkdown: false)),
        ("taxonomy --markdown", .taxonomy(isMarkdown: true)),
        ("finger list", .listFingers),
        ("finger verify", .verify(.rightIndexFinger)),
        ("verify left-thumb", .verify(.leftThumb)),
        ("verify any", .verify(nil)),
        ("finger remove", .removeFinger(.rightIndexFinger)),
        ("finger remove left-little-finger", .removeFinger(.leftLittleFinger)),
        ("vault get github", .get(name: "github", file: nil)),
        ("vault get github --out f", .get(name: "github", file: "f")),
        ("vault list", .listKeys),
        ("vault info a/b", .info(name: "a/b")),
        ("vault remove x", .removeKey(name: "x")),
        ("key list", .listSigningKeys),
        ("key public x", .publicKey(name: "x", form: .pem)),
        ("key public x --format jwk", .publicKey(name: "x", form: .jwk)),
        ("key remove x", .removeSigningKey(name: "x")),
        (
            "key sign x",
            .sign(SignArguments(name: "x", form: .der, namespace: "file", file: nil))
        ),
        (
            "key sign x --format ssh --namespace git --out f",
            .sign(SignArguments(name: "x", form: .ssh, namespace: "git", file: "f"))
        ),
        ("lock", .lock),
        ("unlock", .unlock),
        ("lab exercise open,close", .exercise(operations: "open,close", allowsDestruction: false)),
        (
            "lab exercise clear --destructive",
            .exercise(operations: "clear", allowsDestruction: true)
        ),
        ("demo", .demo(recording: nil)),
        ("demo --recording d", .demo(recording: "d")),
        ("--version", .version),
        ("--help", .help(path: [])),
        ("-h", .help(path: [])),
        ("vault --help", .help(path: ["vault"])),
        ("vault get --help", .help(path: ["vault", "get"])),
        ("enroll --help", .help(path: ["finger", "enroll"])),
    ])
    func commandsAreRead(line: String, expected: Command) throws {
        #expect(try command(line) == expected)
    }

    @Test func enrollReadsItsOptions() throws {
        #expect(
            try command("enroll")
                == .enroll(EnrollArguments(finger: .rightIndexFinger, confirms: true, keys: nil)))
        #expect(
            try command("finger enroll --no-confirm left-thumb --keys=carry")
                == .enroll(EnrollArguments(finger: .leftThumb, confirms: false, keys: .carry)))
    }

    @Test func setupReadsItsOptions() throws {
        #expect(
            try command("setup --accept-consent --recovery-out k --adopt none")
                == .setUp(
                    SetupArguments(acceptsConsent: true, recoveryFile: "k", adoption: Adoption.none)
                ))
        #expect(
            try command("setup")
                == .setUp(
                    SetupArguments(acceptsConsent: false, recoveryFile: nil, adoption: nil)))
    }

    @Test func keyCreateReadsItsOptions() throws {
        #expect(
            try command("key create n")
                == .createKey(
                    CreateKeyArguments(
                        name: "n", access: nil, strength: nil, reuseSeconds: 0, isBootBound: false))
        )
        #expect(
            try command("key create n --access a --strength weak --reuse 7 --boot-bound")
                == .createKey(
                    CreateKeyArguments(
                        name: "n", access: "a", strength: .weak, reuseSeconds: 7,
                        isBootBound: true)))
    }

    @Test func putReadsItsOptions() throws {
        let plain = PutArguments(
            name: "n", access: nil, strength: nil, reuseSeconds: 0, isBootBound: false,
            hasRecovery: true, replaces: false)
        #expect(try command("vault put n") == .put(plain))
        let all = PutArguments(
            name: "n", access: "biometryAny", strength: .weak, reuseSeconds: 300,
            isBootBound: true, hasRecovery: false, replaces: true)
        #expect(
            try command(
                "vault put --access biometryAny --strength weak --reuse 300 --boot-bound "
                    + "--no-recovery --replace n") == .put(all))
    }

    @Test func globalOptionsStandAnywhere() throws {
        let before = try ArgumentParser.parse(["--json", "--tries", "2", "vault", "list"])
        let within = try ArgumentParser.parse(["vault", "--json", "list", "--tries=2"])
        #expect(before == within)
        #expect(before.options.isJSON)
        #expect(before.options.limits.tries == 2)
        #expect(before.name == "vault list")
    }

    @Test func namesThatLookLikeOptionsComeAfterTwoDashes() throws {
        let invocation = try ArgumentParser.parse(["vault", "get", "--", "--out"])
        #expect(invocation.command == .get(name: "--out", file: nil))
    }

    @Test func aShortFormHasTheNameOfItsCommand() throws {
        #expect(try ArgumentParser.parse(["verify"]).name == "finger verify")
    }

    @Test func helpIsJSONWhereTheOptionStandsBehindIt() throws {
        #expect(try ArgumentParser.parse(["--help", "--json"]).options.isJSON)
    }

    // MARK: Refusals

    @Test func everyWrongCommandLineIsRefusedByName() throws {
        let lines = [
            "", "bogus", "stauts", "vault", "vault gt", "finger", "lab", "--bogus", "-x", "-hx",
            "--out f vault get x", "vault get", "vault get a b", "vault get a --tires 2",
            "vault get a --access x", "status extra", "vault get a --out",
            "vault get a --out --json",
            "vault get a --out= ", "lock --json=1", "--timeout 0 lock", "--timeout 171 lock",
            "--timeout +5 lock", "--timeout 3.5 lock", "--tries 6 lock", "--tries 2 --tries 3 lock",
            "--reader : lock", "--reader recorded: lock", "--reader a/b lock",
            "--allow-simulated=strog lock", "--allow-simulated= lock", "--tpm= lock",
            "--pin-fd x lock", "--pin-fd -1 lock", "--pin-fd 1 lock", "--pin-fd 2 lock",
            "--pin-fd 99999999999 lock", "vault put n --pin-fd 0", "--store= lock",
            "enroll toe", "enroll rigth-thumb", "enroll any", "enroll --keys keep",
            "setup --adopt some", "vault put n --strength good", "vault put n --reuse 301",
            "vault get x --json", "demo --recording=", "vault put n --sensitivity much",
        ]
        var report = ""
        for line in lines {
            let arguments = line.split(separator: " ").map(String.init)
            do {
                let invocation = try ArgumentParser.parse(arguments)
                Issue.record("'\(line)' was taken for \(invocation.command)")
            } catch {
                report += "whorl \(line)\n    whorl: \(error.error.sentence)\n"
            }
        }
        try Golden.expect(report, isIn: "Fixtures/cli/usage-errors.txt")
    }

    @Test(arguments: [
        "doctor", "key attest x", "tpm protect", "audit", "audit --verify", "completions bash",
        "lab conform", "lab record d", "lab replay d", "lab run p", "lab finger 1",
        "--code-fd 5 vault get x", "--owner-auth-fd 5 setup",
        "vault put x --sensitivity high",
    ])
    func whatIsNotThereYetIsSaidSo(line: String) {
        let error = #expect(throws: ArgumentParser.Refusal.self) {
            _ = try ArgumentParser.parse(line.split(separator: " ").map(String.init))
        }
        #expect(error?.error.happened.hasSuffix("is not in this version yet") == true)
    }

    @Test func aRefusalKnowsWhatIsNeededToAnswerIt() {
        let error = #expect(throws: ArgumentParser.Refusal.self) {
            _ = try ArgumentParser.parse(["vault", "get", "--json"])
        }
        #expect(error?.name == "vault get")
        #expect(error?.isJSON == true)
        let literal = #expect(throws: ArgumentParser.Refusal.self) {
            _ = try ArgumentParser.parse(["bogus", "--", "--json"])
        }
        #expect(literal?.name == "")
        #expect(literal?.isJSON == false)
    }

    @Test func controlCharactersInAWrongArgumentAreShownEscaped() {
        let error = #expect(throws: ArgumentParser.Refusal.self) {
            _ = try ArgumentParser.parse(["a\u{1b}[2Jb"])
        }
        #expect(error?.error.sentence.contains("\u{1b}") == false)
        #expect(error?.error.sentence.contains("\\u{1b}") == true)
    }
}
