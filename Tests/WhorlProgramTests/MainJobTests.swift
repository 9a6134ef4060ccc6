import Testing

/// The main job, from nothing to a secret that a finger brings out, and to one that it does not.
@Suite(.timeLimit(.minutes(5)))
struct MainJobTests {
    @Test func theWrongFingerBringsNothingOut() async throws {
        try await Bench.with(store: .holding) { bench in
            let run = try await bench.whorl("vault", "get", "github", touching: ["f2", "f2", "f2"])
            expect(run, 1, saying: "did not match")
            #expect(run.output.isEmpty)
            #expect(run.errors.contains("did not match; 2 tries left"))
            #expect(run.errors.contains("did not match; 1 try left"))
            #expect(try await bench.failures() == 3)
        }
    }

    @Test func theFingerThatWasEnrolledBringsTheSecretOut() async throws {
        try await Bench.with { bench in
            expect(
                try await bench.whorl(
                    "setup", "--accept-consent", "--recovery-out", bench.recoveryFile,
                    manner: .withPIN), 0)
            let sensor = bench.sensor
            let enrolled = try await bench.whorl("enroll", manner: .withPIN) { child in
                try await sensor.enroll("f1", confirming: ["f1"], child: child)
            }
            expect(enrolled, 0)
            #expect(enrolled.errors.contains("Enrolling: 5 of 5"))
            #expect(enrolled.errors.contains("once more, to confirm"))
            expect(try await bench.whorl("vault", "put", "github", manner: .input("s3cret\n")), 0)
            let opened = try await bench.whorl("vault", "get", "github", touching: ["f1"])
            expect(opened, 0)
            #expect(opened.text == "s3cret\n")
        }
    }

    @Test func aWrongFingerMayBeFollowedByTheRightOneWhichClearsTheCount() async throws {
        try await Bench.with(store: .holding) { bench in
            let run = try await bench.whorl("vault", "get", "github", touching: ["f2", "f2", "f1"])
            expect(run, 0)
            #expect(run.text == PreparedStores.secret)
            #expect(try await bench.failures() == 0)
        }
    }

    @Test func aPrintThatIsNotConfirmedIsNotEnrolled() async throws {
        try await Bench.with(store: .setUp) { bench in
            let sensor = bench.sensor
            let run = try await bench.whorl("enroll", manner: .withPIN) { child in
                try await sensor.enroll("f1", confirming: ["f2", "f2", "f2"], child: child)
            }
            expect(run, 1)
            let list = try await bench.whorl("finger", "list", "--json").object()
            #expect(list["fingers"] == .array([]))
            expect(try await bench.whorl("verify"), 3, saying: "no finger is enrolled")
        }
    }

    @Test func thePINOpensWithoutAReader() async throws {
        try await Bench.with(store: .holding) { bench in
            var manner = Bench.Manner.withPIN
            manner.environment = [Bench.Reader.device.rawValue: ""]
            let run = try await bench.whorl("vault", "get", "github", manner: manner)
            expect(run, 0)
            #expect(run.text == PreparedStores.secret)
        }
    }

    @Test func aWrongPINOpensNothing() async throws {
        try await Bench.with(store: .holding) { bench in
            for pin in ["incorrect horse", "correct hors", "correct horse ", "Correct horse"] {
                let run = try await bench.whorl(
                    "vault", "get", "github", manner: Bench.Manner(pin: pin))
                expect(run, 1, saying: "the PIN was wrong")
                #expect(run.output.isEmpty)
            }
            #expect(try await bench.failures() == 0)
        }
    }

    @Test func fiveWrongPINsMakeTheNextOneWaitAndTheFingerStillOpens() async throws {
        try await Bench.with(store: .holding) { bench in
            for _ in 0..<5 {
                expect(try await bench.whorl("unlock", manner: Bench.Manner(pin: "wrong one")), 1)
            }
            expect(
                try await bench.whorl("vault", "get", "github", manner: .withPIN), 6,
                saying: "too many wrong PINs")
            expect(try await bench.whorl("unlock", manner: .withPIN), 6)
            let run = try await bench.whorl("vault", "get", "github", touching: ["f1"])
            expect(run, 0)
            try bench.letPass(seconds: 31)
            expect(try await bench.whorl("vault", "get", "github", manner: .withPIN), 0)
        }
    }

    @Test func onePINIsReadToTheEndAndLosesOneNewline() async throws {
        try await Bench.with(store: .holding) { bench in
            let pin = Bench.Manner(pin: Bench.pin + "\n")
            expect(try await bench.whorl("unlock", manner: pin), 0)
            let two = Bench.Manner(pin: Bench.pin + "\n\n")
            expect(try await bench.whorl("unlock", manner: two), 1)
            expect(try await bench.whorl("unlock", manner: Bench.Manner(pin: "")), 65)
            let long = Bench.Manner(pin: String(repeating: "x", count: 1026))
            expect(try await bench.whorl("unlock", manner: long), 65)
        }
    }

    // MARK: Enrolment changes

    @Test(.bug(id: "8"))
    func aKeyIsDeadForAFingerThatWasRemovedAndPutBack() async throws {
        try await Bench.with(store: .holding) { bench in
            let removed = try await bench.whorl("finger", "remove", manner: .withPIN)
            expect(removed, 0)
            #expect(removed.text.contains("github"))
            expect(try await bench.whorl("vault", "get", "github"), 3)
            expect(try await bench.enroll("f1"), 0)
            let dead = try await bench.whorl("vault", "get", "github", touching: [])
            expect(dead, 4, saying: "dead")
            #expect(dead.output.isEmpty)
            let info = try await bench.whorl("vault", "info", "github", "--json").object()
            #expect(info["state"] == .string("finger-dead"))
            let opened = try await bench.whorl("vault", "get", "github", manner: .withPIN)
            expect(opened, 0)
            #expect(opened.text == PreparedStores.secret)
        }
    }

    @Test(.bug(id: "8"))
    func anAddedFingerOpensOnlyWhatWasCarriedOver() async throws {
        try await Bench.with(store: .holding) { bench in
            expect(try await bench.enroll("f2", as: "left-thumb", keys: "carry"), 0)
            expect(try await bench.whorl("vault", "get", "github", touching: ["f1"]), 0)
            expect(try await bench.enroll("f3", as: "left-index-finger", keys: "drop"), 0)
            expect(try await bench.whorl("vault", "get", "github"), 4)
        }
    }

    @Test(.bug(id: "8"))
    func removingOneOfSeveralFingersEndsNoKey() async throws {
        try await Bench.with(store: .enrolled) { bench in
            expect(try await bench.enroll("f2", as: "left-thumb"), 0)
            expect(try await bench.whorl("vault", "put", "github", manner: .input("s3cret")), 0)
            let removed = try await bench.whorl("finger", "remove", "left-thumb", manner: .withPIN)
            expect(removed, 0)
            #expect(!removed.text.contains("github"))
            expect(try await bench.whorl("vault", "get", "github", touching: ["f1"]), 0)
            // Putting it back counts as adding.
            expect(try await bench.enroll("f2", as: "left-thumb"), 0)
            expect(try await bench.whorl("vault", "get", "github"), 4)
        }
    }

    @Test func aFingerThatWasEnrolledAnewReplacesTheOldOne() async throws {
        try await Bench.with(store: .enrolled) { bench in
            expect(try await bench.enroll("f2"), 0)
            let list = try await bench.whorl("finger", "list", "--json").object()
            #expect(list["fingers"]?.array?.count == 1)
            expect(try await bench.whorl("verify", "--tries", "1", touching: ["f1"]), 1)
            expect(try await bench.whorl("verify", touching: ["f2"]), 0)
        }
    }

    @Test func aFailedReplacementKeepsTheOldPrintAndItsKeys() async throws {
        try await Bench.with(store: .holding) { bench in
            let run = try await bench.whorl(
                "enroll", "--timeout", "1", manner: .withPIN, touching: ["f2"])
            expect(run, 5)
            expect(try await bench.whorl("vault", "get", "github", touching: ["f1"]), 0)
        }
    }

    @Test func everyFingerMayOpenAKeyForAnyFinger() async throws {
        try await Bench.with(store: .enrolled) { bench in
            expect(
                try await bench.whorl(
                    "vault", "put", "door", "--access", "biometryAny", manner: .input("open")), 0)
            expect(try await bench.enroll("f2"), 0)
            let run = try await bench.whorl("vault", "get", "door", touching: ["f2"])
            expect(run, 0)
            #expect(run.text == "open")
            // Only a finger does.
            let pin = try await bench.whorl(
                "vault", "get", "door", "--timeout", "1", manner: .withPIN)
            #expect(pin.output.isEmpty)
            #expect(pin.status != 0)
        }
    }

    @Test func aKeyForBothOpensForNeitherAlone() async throws {
        try await Bench.with(store: .enrolled) { bench in
            expect(
                try await bench.whorl(
                    "vault", "put", "safe", "--access", "biometryCurrentSet and deviceCredential",
                    manner: .input("gold")), 0)
            let noPIN = try await bench.whorl("vault", "get", "safe")
            expect(noPIN, 64, saying: "needs the PIN")
            let noFinger = try await bench.whorl(
                "vault", "get", "safe", "--timeout", "1", manner: .withPIN)
            expect(noFinger, 5)
            #expect(noFinger.output.isEmpty)
            let wrongFinger = try await bench.whorl(
                "vault", "get", "safe", "--tries", "1", manner: .withPIN, touching: ["f2"])
            expect(wrongFinger, 1)
            let wrongPIN = try await bench.whorl(
                "vault", "get", "safe", manner: Bench.Manner(pin: "wrong one"))
            expect(wrongPIN, 1, saying: "the PIN was wrong")
            let both = try await bench.whorl(
                "vault", "get", "safe", manner: .withPIN, touching: ["f1"])
            expect(both, 0)
            #expect(both.text == "gold")
        }
    }

    // MARK: Setting up

    @Test func aSecondSetupChangesNothing() async throws {
        try await Bench.with(store: .holding) { bench in
            let again = try await bench.whorl(
                "setup", "--accept-consent", "--recovery-out", bench.recoveryFile,
                manner: Bench.Manner(pin: "another one"))
            expect(again, 65, saying: "already")
            #expect(!bench.exists(bench.recoveryFile))
            expect(try await bench.whorl("vault", "get", "github", manner: .withPIN), 0)
        }
    }

    @Test(arguments: [
        "short", "aaaaaaaa", "12345678", "87654321", "abcdefgh",
        String(repeating: "x9", count: 513),
    ])
    func aPINThatBreaksARuleSetsNothingUp(pin: String) async throws {
        try await Bench.with { bench in
            let run = try await bench.whorl(
                "setup", "--accept-consent", "--recovery-out", bench.recoveryFile,
                manner: Bench.Manner(pin: pin))
            expect(run, 65)
            #expect(!bench.exists(bench.recoveryFile))
            expect(try await bench.whorl("vault", "list"), 3, saying: "whorl setup")
        }
    }

    @Test func aRecoveryFileThatCannotBeMadeSetsNothingUp() async throws {
        try await Bench.with { bench in
            let arguments = ["setup", "--accept-consent", "--recovery-out"]
            try bench.write("mine", to: bench.recoveryFile)
            expect(try await bench.run(arguments + [bench.recoveryFile], manner: .withPIN), 73)
            #expect(try bench.read(bench.recoveryFile) == "mine")
            expect(
                try await bench.run(arguments + [bench.path("no/such/file")], manner: .withPIN), 66)
            expect(try await bench.whorl("vault", "list"), 3)
            expect(
                try await bench.run(arguments + [bench.path("better")], manner: .withPIN), 0)
        }
    }
}
