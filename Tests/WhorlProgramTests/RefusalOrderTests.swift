import Testing

/// Where several things stand in the way, the first of the contract's order is said.
@Suite(.timeLimit(.minutes(5)))
struct RefusalOrderTests {
    /// What stands in the way, all at once.
    struct Obstacles: OptionSet, Sendable, CustomTestStringConvertible {
        let rawValue: Int
        static let wrongOption = Obstacles(rawValue: 1 << 0)
        static let openFolder = Obstacles(rawValue: 1 << 1)
        static let damaged = Obstacles(rawValue: 1 << 2)
        static let noSuchKey = Obstacles(rawValue: 1 << 3)
        static let locked = Obstacles(rawValue: 1 << 4)
        static let noFinger = Obstacles(rawValue: 1 << 5)
        static let deadKey = Obstacles(rawValue: 1 << 6)
        static let notAllowed = Obstacles(rawValue: 1 << 7)
        static let noReader = Obstacles(rawValue: 1 << 8)

        private static let names: [(Obstacles, String)] = [
            (.wrongOption, "wrong option"), (.openFolder, "open folder"), (.damaged, "damaged"),
            (.noSuchKey, "no such key"), (.locked, "locked"), (.noFinger, "no finger"),
            (.deadKey, "dead key"), (.notAllowed, "not allowed"), (.noReader, "no reader"),
        ]
        var testDescription: String {
            Self.names.filter { contains($0.0) }.map(\.1).joined(separator: ", ")
        }
    }

    static let order: [(obstacles: Obstacles, status: CInt)] = [
        ([.wrongOption, .openFolder, .damaged, .locked, .noReader], 64),
        ([.openFolder, .damaged, .noSuchKey, .locked], 77),
        ([.damaged, .noSuchKey, .locked, .noFinger], 65),
        ([.noSuchKey, .locked, .noFinger, .notAllowed, .noReader], 66),
        ([.locked, .noFinger, .noReader], 6),
        ([.locked, .deadKey, .noReader], 6),
        ([.noFinger, .deadKey, .noReader], 3),
        ([.deadKey, .noReader], 4),
        ([.locked, .notAllowed], 6),
        ([.noFinger, .notAllowed], 3),
        ([.deadKey, .notAllowed], 4),
        ([.notAllowed, .noReader], 77),
        ([.noReader], 69),
    ]

    @Test(arguments: order)
    func theFirstObstacleIsSaid(obstacles: Obstacles, status: CInt) async throws {
        try await Bench.with(store: .holding) { bench in
            try await attempt(bench, obstacles, status)
        }
    }

    private func attempt(_ bench: Bench, _ obstacles: Obstacles, _ status: CInt) async throws {
        if obstacles.contains(.deadKey) {
            expect(try await bench.enroll("f2", as: "left-thumb"), 0)
        }
        if obstacles.contains(.noFinger) {
            expect(try await bench.whorl("finger", "remove", manner: .withPIN), 0)
            if obstacles.contains(.deadKey) {
                expect(
                    try await bench.whorl("finger", "remove", "left-thumb", manner: .withPIN), 0)
            }
        }
        if obstacles.contains(.locked) { try bench.setFailures(20) }
        if obstacles.contains(.damaged) { try bench.cut(bench.database, to: 8192) }
        if obstacles.contains(.openFolder) { try bench.setMode(0o755, bench.store) }
        var manner = Bench.Manner.usual
        if obstacles.contains(.noReader) {
            manner.environment = [Bench.Reader.device.rawValue: ""]
        }
        manner.allowsSimulated = !obstacles.contains(.notAllowed)
        var arguments = ["vault", "get", obstacles.contains(.noSuchKey) ? "none" : "github"]
        if obstacles.contains(.wrongOption) { arguments.append("--colour") }
        let run = try await bench.run(arguments, manner: manner)
        expect(run, status)
        #expect(!run.errors.contains("Swipe"), "nothing may be armed: \(run)")
    }

    @Test func whatIsWrongWithTheInputIsSaidAfterNamesAndBeforeTheWaysIn() async throws {
        try await Bench.with(store: .holding) { bench in
            try bench.setFailures(20)
            let nothing = Bench.Manner.input("")
            expect(try await bench.whorl("vault", "put", "github", manner: nothing), 73)
            expect(try await bench.whorl("vault", "put", "a//b", manner: nothing), 65)
            let replace = try await bench.whorl(
                "vault", "put", "github", "--replace", manner: nothing)
            expect(replace, 65, saying: "empty")
            expect(
                try await bench.whorl("vault", "put", "github", "--replace", manner: .input("x")),
                6)
        }
    }

    @Test(arguments: [
        ("biometryCurrentSet", CInt(3)), ("biometryAny", 3),
        ("biometryCurrentSet or deviceCredential", 3),
        ("biometryCurrentSet and deviceCredential", 3), ("deviceCredential", 0),
    ])
    func aFingerTermNeedsAFingerWhenAKeyIsMade(access: String, status: CInt) async throws {
        try await Bench.with(store: .setUp) { bench in
            let run = try await bench.whorl(
                "vault", "put", "key", "--access", access, manner: .input("x"))
            expect(run, status)
        }
    }

    @Test(arguments: [
        "", "finger", "biometryAny or", "biometryAny and or biometryAny", "(biometryAny",
        "applicationPassword", "biometryAny, deviceCredential", "BIOMETRYANY",
        Array(repeating: "biometryAny", count: 9).joined(separator: " or "),
    ])
    func anAccessThatCannotBeReadIsBadInput(access: String) async throws {
        try await Bench.with(store: .enrolled) { bench in
            let run = try await bench.whorl(
                "vault", "put", "key", "--access", access, manner: .input("x"))
            #expect(run.status == 65 || run.status == 64, "\(run)")
            expect(try await bench.whorl("vault", "info", "key"), 66)
        }
    }

    @Test(
        .bug(id: "47"),
        arguments: [
            ["--boot-bound"], ["--strength", "strong"], ["--sensitivity", "high"],
            ["--reuse", "301"], ["--reuse", "-1"], ["--ask-each-time"],
        ])
    func whatThisStoreCannotEnforceIsRefused(options: [String]) async throws {
        try await Bench.with(store: .enrolled) { bench in
            let run = try await bench.run(["vault", "put", "key"] + options, manner: .input("x"))
            #expect(run.status == 77 || run.status == 64, "\(run)")
            expect(try await bench.whorl("vault", "info", "key"), 66)
        }
    }

    @Test func aTPMIsNotHereYet() async throws {
        try await Bench.with(store: .holding) { bench in
            for command in [["vault", "get", "github"], ["status"], ["vault", "list"]] {
                expect(try await bench.run(["--tpm", "swtpm:"] + command), 69, saying: "TPM")
            }
            expect(try await bench.run(["--tpm", "none", "vault", "list"]), 0)
        }
    }
}
