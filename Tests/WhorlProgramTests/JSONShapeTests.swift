import Testing
import WhorlSensorLab

/// One object on standard output whatever happens, with the members that the contract names.
@Suite(.timeLimit(.minutes(5)))
struct JSONShapeTests {
    private static let envelope: Set<String> = [
        "whorl", "command", "outcome", "exit", "simulated", "error",
    ]

    @discardableResult
    private func checked(_ run: ProgramRun, command: String, _ status: CInt) throws -> JSONValue {
        expect(run, status)
        let lines = run.text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count == 2 && lines.last == "", "one object, one line: \(run)")
        let answer = try run.object()
        #expect(answer.names.isSuperset(of: Self.envelope), "\(run)")
        #expect(answer["whorl"]?.integer == 1)
        #expect(answer["command"] == .string(command))
        #expect(answer["exit"]?.integer == Int(status))
        if status == 0 {
            #expect(answer["outcome"] == .string("done"))
            #expect(answer["error"] == .null)
        } else {
            #expect(["refused", "failed"].contains(answer["outcome"]?.text))
            let error = try #require(answer["error"])
            #expect(
                error.names == ["case", "domain", "code", "android", "laerror", "message"])
            // The line for people goes to standard error all the same, and says the same.
            #expect(run.lastError == "whorl: \(error["message"]?.text ?? "")")
        }
        return answer
    }

    @Test func whatFailsIsAnObjectToo() async throws {
        try await Bench.with(store: .holding) { bench in
            let cases: [(arguments: [String], command: String, status: CInt)] = [
                (["vault", "get", "none", "--out", bench.path("o")], "vault get", 66),
                (["vault", "get", "../x", "--out", bench.path("o")], "vault get", 65),
                (["vault", "get", "github"], "vault get", 64),
                (["vault", "put", "github"], "vault put", 73),
                (["vault", "put", "empty"], "vault put", 65),
                (["vault", "info", "none"], "vault info", 66),
                (["vault", "remove", "none"], "vault remove", 66),
                (["verify", "toe"], "finger verify", 64),
                (["verify", "left-thumb"], "finger verify", 66),
                (["verify", "--timeout", "1"], "finger verify", 5),
                (["enroll"], "finger enroll", 64),
                (["finger", "remove", "left-thumb"], "finger remove", 64),
                (["unlock"], "unlock", 64),
                (["setup"], "setup", 64),
                (["vault", "list", "--timeout", "0"], "vault list", 64),
                (["lab", "exercise", "fly"], "lab exercise", 64),
            ]
            for (arguments, command, status) in cases {
                let run = try await bench.run(arguments + ["--json"])
                try checked(run, command: command, status)
            }
        }
    }

    @Test func aFingerThatDoesNotMatchIsAnObjectWithEveryCode() async throws {
        try await Bench.with(store: .holding) { bench in
            let run = try await bench.whorl(
                "vault", "get", "github", "--json", "--out", bench.path("o"), "--tries", "1",
                touching: ["f2"])
            let answer = try checked(run, command: "vault get", 1)
            #expect(answer["error"]?["case"] == .string("no-match"))
            #expect(answer["error"]?["laerror"]?.integer == -1)
            #expect(answer["error"]?["domain"] == .string("whorl"))
            #expect(answer["simulated"] == .bool(true))
            #expect(!bench.exists(bench.path("o")))
        }
    }

    @Test func whatSucceedsHasItsOwnMembers() async throws {
        try await Bench.with(store: .setUp) { bench in
            let sensor = bench.sensor
            let enrolled = try checked(
                try await bench.whorl("enroll", "--no-confirm", "--json", manner: .withPIN) {
                    child in try await sensor.enroll("f1", child: child)
                }, command: "finger enroll", 0)
            #expect(enrolled["finger"]?["finger"] == .string("right-index-finger"))
            #expect(enrolled["deadKeys"] == .array([]))
            let put = try checked(
                try await bench.whorl("vault", "put", "github", "--json", manner: .input("12345")),
                command: "vault put", 0)
            #expect(put["name"] == .string("github"))
            let info = try checked(
                try await bench.whorl("vault", "info", "github", "--json"),
                command: "vault info", 0)
            #expect(
                info.names.isSuperset(of: [
                    "name", "kind", "store", "access", "strength", "reuse", "bootBound",
                    "recovery", "created", "generation", "state",
                ]))
            #expect(info["store"] == .string("software"))
            #expect(info["state"] == .string("open"))
            #expect(info["access"] == .string("biometryCurrentSet or deviceCredential"))
            let got = try checked(
                try await bench.whorl(
                    "vault", "get", "github", "--json", "--out", bench.path("o"), touching: ["f1"]),
                command: "vault get", 0)
            #expect(got["bytes"]?.integer == 5)
            #expect(got["factors"] == .array([.string("finger")]))
            #expect(got["rating"]?["class"]?.integer == 1)
            #expect(got["rating"]?["basis"] != nil, "a class is never said without its basis")
            let list = try checked(
                try await bench.whorl("vault", "list", "--json"), command: "vault list", 0)
            #expect(list["keys"]?.array?.count == 1)
            let fingers = try checked(
                try await bench.whorl("finger", "list", "--json"), command: "finger list", 0)
            #expect(fingers["fingers"]?.array?.count == 1)
            try checked(
                try await bench.whorl("verify", "--json", touching: ["f1"]),
                command: "finger verify", 0)
            try checked(try await bench.whorl("readers", "--json"), command: "readers", 0)
            let status = try checked(
                try await bench.whorl("status", "--json"), command: "status", 0)
            #expect(status["lockout"]?["failures"]?.integer == 0)
            try checked(try await bench.whorl("lock", "--json"), command: "lock", 0)
            try checked(
                try await bench.whorl("unlock", "--json", manner: .withPIN), command: "unlock", 0)
            let removed = try checked(
                try await bench.whorl("finger", "remove", "--json", manner: .withPIN),
                command: "finger remove", 0)
            #expect(removed["deadKeys"] == .array([.string("github")]))
            try checked(
                try await bench.whorl("vault", "remove", "github", "--json", manner: .withPIN),
                command: "vault remove", 0)
            try checked(try await bench.whorl("taxonomy", "--json"), command: "taxonomy", 0)
        }
    }

    @Test func aStoreThatIsRefusedIsAnObjectToo() async throws {
        try await Bench.with(store: .holding) { bench in
            try bench.setMode(0o755, bench.store)
            let run = try await bench.whorl("vault", "list", "--json")
            let answer = try checked(run, command: "vault list", 77)
            #expect(answer["error"]?["case"] == .string("unsafe-permissions"))
        }
    }

    @Test func quietSaysNothingButErrorsAndResults() async throws {
        try await Bench.with(store: .holding) { bench in
            let got = try await bench.whorl("vault", "get", "github", "--quiet", touching: ["f1"])
            expect(got, 0)
            #expect(got.errors == "")
            #expect(got.text == PreparedStores.secret)
            let put = try await bench.whorl("vault", "put", "x", "--quiet", manner: .input("x"))
            expect(put, 0)
            #expect(put.errors == "")
            #expect(put.text == "")
            let failed = try await bench.whorl("vault", "put", "x", "--quiet", manner: .input("x"))
            #expect(failed.errors.split(separator: "\n").count == 1)
        }
    }

    @Test func everyLineOnStandardErrorIsOurs() async throws {
        try await Bench.with(store: .holding) { bench in
            // Codes that libfprint itself complains of.
            let run = try await bench.whorl(
                "vault", "get", "github", touching: [.retry(99), .fail(99), "f1"])
            expect(run, 0)
            #expect(!run.errors.contains("libfprint-"), "\(run)")
        }
    }
}
