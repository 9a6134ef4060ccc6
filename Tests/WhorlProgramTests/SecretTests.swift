import Foundation
import Testing
import WhorlSensorLab

/// Secrets on their way in and out.
@Suite(.timeLimit(.minutes(5)))
struct SecretTests {
    static let limit = 1 << 20

    // MARK: In

    @Test func nothingIsNoSecret() async throws {
        try await Bench.with(store: .enrolled) { bench in
            expect(
                try await bench.whorl("vault", "put", "none", manner: .input("")), 65,
                saying: "empty")
            expect(try await bench.whorl("vault", "info", "none"), 66)
        }
    }

    @Test func aSecretOfOneMebibyteIsTheLongest() async throws {
        try await Bench.with(store: .enrolled) { bench in
            let longest = (0..<Self.limit).map { UInt8(truncatingIfNeeded: $0 &* 167 >> 3) }
            let tooLong = Bench.Manner(input: .bytes(longest + [0]))
            expect(try await bench.whorl("vault", "put", "long", manner: tooLong), 65)
            expect(try await bench.whorl("vault", "info", "long"), 66)
            let fits = Bench.Manner(input: .bytes(longest))
            expect(try await bench.whorl("vault", "put", "long", manner: fits), 0)
            let run = try await bench.whorl("vault", "get", "long", touching: ["f1"])
            expect(run, 0)
            #expect(run.output == longest)
        }
    }

    @Test(arguments: [
        [0], Array("\n".utf8), Array("a\0b\nc\r\n".utf8), Array("\n\n".utf8),
        [0xff, 0xfe, 0x80, 0x00], Array(0...255),
    ])
    func aSecretComesBackByteForByte(bytes: [UInt8]) async throws {
        try await Bench.with(store: .enrolled) { bench in
            let put = Bench.Manner(input: .bytes(bytes))
            expect(try await bench.whorl("vault", "put", "raw", manner: put), 0)
            let byFinger = try await bench.whorl("vault", "get", "raw", touching: ["f1"])
            #expect(byFinger.output == bytes, "\(byFinger)")
            let byPIN = try await bench.whorl("vault", "get", "raw", manner: .withPIN)
            #expect(byPIN.output == bytes, "\(byPIN)")
            let file = bench.path("out")
            let toFile = try await bench.whorl(
                "vault", "get", "raw", "--out", file, touching: ["f1"])
            expect(toFile, 0)
            #expect(toFile.output.isEmpty)
            #expect(try bench.bytes(file) == bytes)
            #expect(try bench.mode(file) == 0o600)
        }
    }

    @Test(.bug(id: "51"))
    func noSecretStandsInTheStoreOrInWhatIsSaid() async throws {
        try await Bench.with(store: .enrolled) { bench in
            let secret = "a very particular secret"
            let runs = [
                try await bench.whorl("vault", "put", "mine", manner: .input(secret)),
                try await bench.whorl(
                    "vault", "get", "mine", "--out", bench.path("out"), touching: ["f1"]),
                try await bench.whorl(
                    "vault", "get", "mine", "--json", "--out", bench.path("more"),
                    manner: .withPIN),
                try await bench.whorl("vault", "info", "mine", "--json"),
            ]
            for run in runs {
                expect(run, 0)
                for word in [secret, Bench.pin] {
                    #expect(!run.text.contains(word))
                    #expect(!run.errors.contains(word))
                }
            }
            for (name, bytes) in try bench.fingerprint() where name.hasPrefix("store/") {
                for word in [secret, Bench.pin] {
                    #expect(Data(bytes).firstRange(of: Data(word.utf8)) == nil, "\(name)")
                }
            }
        }
    }

    // MARK: Existing names

    @Test func anExistingNameIsNotOverwritten() async throws {
        try await Bench.with(store: .holding) { bench in
            let put = try await bench.whorl("vault", "put", "github", manner: .input("other"))
            expect(put, 73, saying: "--replace")
            let run = try await bench.whorl("vault", "get", "github", touching: ["f1"])
            #expect(run.text == PreparedStores.secret)
        }
    }

    @Test func replacingNeedsWhatOpeningNeeds() async throws {
        try await Bench.with(store: .holding) { bench in
            let replace = ["vault", "put", "github", "--replace"]
            let nobody = try await bench.run(
                replace + ["--timeout", "1"], manner: .input("other"))
            expect(nobody, 5)
            let wrong = try await bench.run(
                replace + ["--tries", "1"], manner: .input("other")
            ) { [sensor = bench.sensor] _ in try await sensor.scan("f2") }
            expect(wrong, 1)
            let wrongPIN = try await bench.run(
                replace, manner: .input("other", pin: "wrong one"))
            expect(wrongPIN, 1)
            let before = try await bench.whorl("vault", "get", "github", touching: ["f1"])
            #expect(before.text == PreparedStores.secret)
            let right = try await bench.run(replace, manner: .input("by finger")) {
                [sensor = bench.sensor] _ in try await sensor.scan("f1")
            }
            expect(right, 0)
            let after = try await bench.whorl("vault", "get", "github", touching: ["f1"])
            #expect(after.text == "by finger")
            expect(try await bench.run(replace, manner: .input("by PIN", pin: Bench.pin)), 0)
            let last = try await bench.whorl("vault", "get", "github", touching: ["f1"])
            #expect(last.text == "by PIN")
        }
    }

    @Test func removingNeedsWhatOpeningNeeds() async throws {
        try await Bench.with(store: .holding) { bench in
            expect(try await bench.whorl("vault", "remove", "github", "--timeout", "1"), 5)
            expect(
                try await bench.whorl(
                    "vault", "remove", "github", "--tries", "1", touching: ["f2"]),
                1)
            expect(try await bench.whorl("vault", "info", "github"), 0)
            expect(try await bench.whorl("vault", "remove", "github", touching: ["f1"]), 0)
            expect(try await bench.whorl("vault", "info", "github"), 66)
            expect(try await bench.whorl("vault", "get", "github"), 66)
            expect(try await bench.whorl("vault", "remove", "github"), 66)
        }
    }

    // MARK: Out

    @Test func aFileThatIsThereIsNotWrittenAndNobodyIsAsked() async throws {
        try await Bench.with(store: .holding) { bench in
            let file = bench.path("out")
            try bench.write("mine", to: file)
            let run = try await bench.whorl("vault", "get", "github", "--out", file)
            expect(run, 73, saying: "exists already")
            #expect(!run.errors.contains("Swipe"), "\(run)")
            #expect(try bench.read(file) == "mine")
        }
    }

    @Test func aSymbolicLinkIsNotFollowed() async throws {
        try await Bench.with(store: .holding) { bench in
            let file = bench.path("out")
            try bench.link(file, to: bench.path("elsewhere"))
            expect(try await bench.whorl("vault", "get", "github", "--out", file), 73)
            #expect(!bench.exists(bench.path("elsewhere")))
        }
    }

    @Test func aFolderThatIsNotThereOrNotToBeWrittenIsSaidBeforeAnybodyIsAsked() async throws {
        try await Bench.with(store: .holding) { bench in
            let absent = try await bench.whorl(
                "vault", "get", "github", "--out", bench.path("no/out"))
            expect(absent, 66)
            let throughFile = try await bench.whorl(
                "vault", "get", "github", "--out", bench.database + "/out")
            expect(throughFile, 66)
            try bench.makeFolder(bench.path("closed"))
            try bench.setMode(0o500, bench.path("closed"))
            var ordinary = Bench.Manner.usual
            ordinary.isOrdinary = true
            let closed = try await bench.whorl(
                "vault", "get", "github", "--out", bench.path("closed/out"), manner: ordinary)
            expect(closed, 77)
            #expect(!closed.errors.contains("Swipe"), "\(closed)")
            expect(try await bench.whorl("vault", "get", "github", "--out", ""), 64)
        }
    }

    @Test(arguments: [Child.Output.closedPipe, .file("/dev/full"), .closed])
    func anOutputThatTakesNothingIsAnError(output: Child.Output) async throws {
        try await Bench.with(store: .holding) { bench in
            var manner = Bench.Manner.withPIN
            manner.output = output
            let run = try await bench.whorl("vault", "get", "github", manner: manner)
            expect(run, 74, saying: "standard output could not be written")
        }
    }

    @Test func aSecretHasNoPlaceBesideJSONOnStandardOutput() async throws {
        try await Bench.with(store: .holding) { bench in
            expect(
                try await bench.whorl("vault", "get", "github", "--json"), 64, saying: "--out FILE")
        }
    }

    @Test func onePINOnStandardInputIsNoSecretToo() async throws {
        try await Bench.with(store: .holding) { bench in
            expect(
                try await bench.whorl(
                    "vault", "put", "x", "--pin-fd", "0", manner: .input(Bench.pin)), 64)
            let get = try await bench.whorl(
                "vault", "get", "github", "--pin-fd", "0", manner: .input(Bench.pin))
            expect(get, 0)
            #expect(get.text == PreparedStores.secret)
        }
    }
}
