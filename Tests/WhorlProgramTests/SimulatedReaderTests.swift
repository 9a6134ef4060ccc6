import Testing
import WhorlSensorLab

/// Readers that are only simulated, where nobody allowed them.
@Suite(.timeLimit(.minutes(5)))
struct SimulatedReaderTests {
    private static let notAllowed: Bench.Manner = {
        var manner = Bench.Manner.input("x")
        manner.allowsSimulated = false
        return manner
    }()
    private static let notAllowedWithPIN: Bench.Manner = {
        var manner = Bench.Manner.withPIN
        manner.allowsSimulated = false
        return manner
    }()

    private func refused(_ run: ProgramRun) {
        expect(run, 77, saying: "--allow-simulated")
        #expect(run.output.isEmpty)
        #expect(!run.errors.contains("Swipe"), "nothing may be armed: \(run)")
    }

    @Test func nothingIsEnrolledOnOne() async throws {
        try await Bench.with(.device, .storage, .image, store: .setUp) { bench in
            for reader in [nil, "libfprint", "virtual_device", "virtual_device_storage:0"] {
                var manner = Self.notAllowedWithPIN
                manner.reader = reader
                refused(try await bench.whorl("enroll", manner: manner))
            }
            let list = try await bench.whorl("finger", "list", "--json").object()
            #expect(list["fingers"] == .array([]))
            expect(try await bench.whorl("verify"), 3)
        }
    }

    @Test func nothingThatWasMadeWithOneOpensOrCounts() async throws {
        try await Bench.with(store: .holding) { bench in
            let commands = [
                ["vault", "get", "github"], ["vault", "remove", "github"],
                ["vault", "put", "github", "--replace"], ["vault", "put", "new"], ["verify"],
                ["verify", "any"],
            ]
            for command in commands {
                refused(try await bench.run(command, manner: Self.notAllowed))
            }
            // Not with the PIN either: it would be a way to use what such a reader made.
            for command in [["vault", "get", "github"], ["vault", "remove", "github"]] {
                refused(try await bench.run(command, manner: Self.notAllowedWithPIN))
            }
            #expect(try await bench.failures() == 0)
            let run = try await bench.whorl("vault", "get", "github", touching: ["f1"])
            expect(run, 0)
        }
    }

    @Test func whatNeedsNoFingerWorksBesideOne() async throws {
        try await Bench.with(store: .setUp) { bench in
            expect(
                try await bench.whorl(
                    "vault", "put", "pin-only", "--access", "deviceCredential",
                    manner: Self.notAllowed), 0)
            let run = try await bench.whorl(
                "vault", "get", "pin-only", manner: Self.notAllowedWithPIN)
            expect(run, 0)
            #expect(run.text == "x")
            let info = try await bench.whorl(
                "vault", "info", "pin-only", "--json", manner: Self.notAllowed
            ).object()
            #expect(info["simulated"] == .bool(false))
            expect(try await bench.whorl("unlock", manner: Self.notAllowedWithPIN), 0)
        }
    }

    @Test func whatWasMadeWithOneSaysSo() async throws {
        try await Bench.with(store: .holding) { bench in
            for command in [
                ["status"], ["vault", "list"], ["vault", "info", "github"], ["finger", "list"],
                ["readers"],
            ] {
                let run = try await bench.run(command)
                expect(run, 0)
                #expect(run.text.contains("simulated"), "\(run)")
                let answer = try await bench.run(command + ["--json"]).object()
                #expect(answer["simulated"] == .bool(true), "\(command)")
            }
            let run = try await bench.whorl("vault", "get", "github", touching: ["f1"])
            #expect(run.errors.contains("this reader is simulated"))
        }
    }

    @Test func aClassIsGivenForThisProcessOnly() async throws {
        try await Bench.with(store: .enrolled) { bench in
            var manner = Bench.Manner.input("x")
            manner.allowsSimulated = false
            // Strong means a hardware-backed key too, which this store has not.
            expect(
                try await bench.whorl(
                    "--allow-simulated=strong", "vault", "put", "a", "--strength", "strong",
                    manner: manner), 77)
            expect(
                try await bench.whorl(
                    "--allow-simulated=weak", "vault", "put", "a", "--strength", "weak",
                    manner: manner), 0)
            let weaker = try await bench.whorl("vault", "get", "a")
            expect(weaker, 77, saying: "weaker")
            #expect(!weaker.errors.contains("Swipe"), "\(weaker)")
            let run = try await bench.whorl(
                "--allow-simulated=weak", "vault", "get", "a", manner: manner
            ) { [sensor = bench.sensor] _ in try await sensor.scan("f1") }
            expect(run, 0)
            expect(
                try await bench.whorl("--allow-simulated=great", "vault", "list", manner: manner),
                64)
        }
    }
}
