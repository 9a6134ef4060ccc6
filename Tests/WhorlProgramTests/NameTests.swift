import Testing

/// Names of keys and fingers that nobody expects.
@Suite(.timeLimit(.minutes(5)))
struct NameTests {
    @Test(arguments: [
        "../x", "a/../b", "..", ".", "a/.", "/a", "a/", "a//b", "/", "", "a\nb", "a\tb",
        "\u{1b}[2J",
        "a\u{7f}", "a\u{202e}b", "a\u{2066}b", "a\u{200f}b", "a\u{85}b", "a\u{2028}b",
        String(repeating: "x", count: 256), String(repeating: "é", count: 128),
    ])
    func aNameThatCannotStandIsRefused(name: String) async throws {
        try await Bench.with(store: .enrolled) { bench in
            for command in ["put", "get"] {
                let run = try await bench.whorl("vault", command, name, manner: .input("x"))
                expect(run, 65, saying: "choose another name")
                // What a terminal would obey is not sent to one.
                let unsafe = run.errors.unicodeScalars.filter {
                    $0 != "\n"
                        && [.control, .format, .lineSeparator].contains(
                            $0.properties.generalCategory)
                }
                #expect(unsafe.isEmpty, "\(run.errors.debugDescription)")
            }
            let list = try await bench.whorl("vault", "list", "--json").object()
            #expect(list["keys"] == .array([]))
        }
    }

    @Test(arguments: [
        "a b", "-rf", "--", "--json", "ünïcødé", "acme/refresh", "a/b/c/d", "...", ".hidden", "~",
        "*", "$(id)", "`id`", "'", "\"", "\\", "%s%n", "鍵", "👍🏽", "NULL", "0",
        String(repeating: "x", count: 255),
    ])
    func aNameThatLooksOddIsAName(name: String) async throws {
        try await Bench.with(store: .enrolled) { bench in
            expect(try await bench.whorl("vault", "put", "--", name, manner: .input("odd")), 0)
            let list = try await bench.whorl("vault", "list", "--json").object()
            #expect(list["keys"]?.array?.map { $0["name"] } == [.string(name)])
            let run = try await bench.whorl("vault", "get", "--", name, touching: ["f1"])
            expect(run, 0)
            #expect(run.text == "odd")
            expect(try await bench.whorl("vault", "remove", "--", name, touching: ["f1"]), 0)
            expect(try await bench.whorl("vault", "info", "--", name), 66)
        }
    }

    @Test func aNameThatLooksLikeAnOptionIsOneWithoutDashes() async throws {
        try await Bench.with(store: .enrolled) { bench in
            expect(
                try await bench.whorl("vault", "put", "-rf", manner: .input("x")), 64,
                saying: "no option '-rf'")
        }
    }

    @Test func namesDifferByTheirBytes() async throws {
        try await Bench.with(store: .enrolled) { bench in
            let names = ["key", "Key", "key ", " key", "\u{e9}", "e\u{301}"]
            for name in names {
                expect(try await bench.whorl("vault", "put", name, manner: .input(name)), 0)
            }
            for name in names {
                let run = try await bench.whorl("vault", "get", name, touching: ["f1"])
                #expect(run.output == Array(name.utf8), "\(run)")
            }
        }
    }

    // MARK: Fingers

    @Test(arguments: [
        "toe", "", "right", "index-finger", "right-index", "RIGHT-INDEX-FINGER",
        "right-index-finger ", "right_index_finger", "../left-thumb", "right-index-finger\n", "7",
    ])
    func aFingerThatNobodyHasIsAWrongCommandLine(name: String) async throws {
        try await Bench.with(store: .enrolled) { bench in
            for command in [["enroll"], ["finger", "remove"]] {
                let run = try await bench.run(command + [name], manner: .withPIN)
                expect(run, 64, saying: "is no finger")
                #expect(run.errors.split(separator: "\n").count == 1, "\(run)")
            }
            expect(try await bench.whorl("verify", name), 64, saying: "is no finger")
            let list = try await bench.whorl("finger", "list", "--json").object()
            #expect(list["fingers"]?.array?.count == 1)
        }
    }

    @Test func anyFingerCanBeVerifiedAndNotEnrolledOrRemoved() async throws {
        try await Bench.with(store: .enrolled) { bench in
            expect(try await bench.whorl("enroll", "any", manner: .withPIN), 64)
            expect(try await bench.whorl("finger", "remove", "any", manner: .withPIN), 64)
            expect(try await bench.whorl("verify", "any", touching: ["f1"]), 0)
        }
    }

    @Test func aFingerThatIsNotEnrolledIsNotFound() async throws {
        try await Bench.with(store: .enrolled) { bench in
            let removed = try await bench.whorl(
                "finger", "remove", "left-thumb", manner: .withPIN)
            expect(removed, 66, saying: "left-thumb is not enrolled")
            expect(try await bench.whorl("verify", "left-thumb"), 66)
        }
    }

    @Test(arguments: [
        "left-thumb", "left-little-finger", "right-middle-finger",
    ])
    func anotherFingerCanBeEnrolledVerifiedAndRemoved(name: String) async throws {
        try await Bench.with(store: .setUp) { bench in
            expect(try await bench.enroll("f9", as: name), 0)
            expect(try await bench.whorl("verify", name, touching: ["f9"]), 0)
            expect(try await bench.whorl("finger", "remove", name, manner: .withPIN), 0)
        }
    }
}
