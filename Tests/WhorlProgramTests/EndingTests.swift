import Foundation
import Testing
import WhorlSensorLab

/// Consent that is taken back, fingers that are switched off, and the end of everything.
@Suite(.timeLimit(.minutes(5)))
struct EndingTests {
    private static let setup = ["setup", "--accept-consent"]

    @Test func revokedConsentTakesFingersAndLeavesThePIN() async throws {
        try await Bench.with(store: .holding) { bench in
            let put = ["vault", "put", "lonely", "--access", "biometryAny", "--no-recovery"]
            expect(try await bench.run(put, manner: .input("alone")), 0)
            expect(try await bench.whorl("consent", "revoke"), 64)
            expect(
                try await bench.whorl("consent", "revoke", manner: .withPIN), 64, saying: "--yes")
            let revoked = try await bench.whorl(
                "consent", "revoke", "--yes", "--json", manner: .withPIN)
            expect(revoked, 0)
            let answer = try revoked.object()
            #expect(answer["fingers"] == .array([.string("right-index-finger")]))
            #expect(answer["deletedKeys"] == .array([.string("lonely")]))
            #expect(answer["keptKeys"] == .array([.string("github")]))

            expect(try await bench.whorl("vault", "get", "github"), 77, saying: "switched off")
            expect(try await bench.whorl("verify"), 77)
            expect(try await bench.whorl("enroll", "--no-confirm", manner: .withPIN), 77)
            expect(try await bench.whorl("vault", "get", "lonely"), 66)
            let byPIN = try await bench.whorl("vault", "get", "github", manner: .withPIN)
            #expect(byPIN.text == PreparedStores.secret)
            let status = try await bench.status()
            #expect(status["consent"]?["state"] == .string("revoked"))

            // Setup asks for it again, keeps everything else, and needs no recovery file.
            expect(try await bench.run(Self.setup, manner: Bench.Manner(pin: "wrong one")), 1)
            expect(try await bench.run(Self.setup, manner: .withPIN), 0)
            expect(try await bench.run(Self.setup, manner: .withPIN), 64)
            expect(try await bench.enroll("f1"), 0)
            expect(try await bench.whorl("vault", "get", "github"), 4)
            expect(try await bench.whorl("vault", "rebind", "--all", manner: .withPIN), 0)
            let byFinger = try await bench.whorl("vault", "get", "github", touching: ["f1"])
            #expect(byFinger.text == PreparedStores.secret)
        }
    }

    @Test func fingersAreSwitchedOffAndOn() async throws {
        try await Bench.with(store: .holding) { bench in
            for _ in 0..<2 { expect(try await bench.whorl("disable"), 0) }
            expect(try await bench.whorl("vault", "get", "github"), 77)
            expect(try await bench.whorl("verify"), 77)
            let byPIN = try await bench.whorl("vault", "get", "github", manner: .withPIN)
            #expect(byPIN.text == PreparedStores.secret)
            #expect(try await bench.status()["disabled"]?.bool == true)
            expect(try await bench.whorl("enable"), 64)
            expect(try await bench.whorl("enable", manner: Bench.Manner(pin: "wrong one")), 1)
            for _ in 0..<2 { expect(try await bench.whorl("enable", manner: .withPIN), 0) }
            expect(try await bench.whorl("vault", "get", "github", touching: ["f1"]), 0)
        }
    }

    @Test func aPrintOnAChipGoesWithTheConsent() async throws {
        try await Bench.with(.storage, store: .setUp) { bench in
            expect(try await bench.enroll("f1", on: .storage), 0)
            let manner = Bench.Manner(pin: Bench.pin, reader: Bench.Reader.storage.driver)
            let revoked = try await bench.whorl(
                "consent", "revoke", "--yes", "--json", manner: manner)
            expect(revoked, 0)
            #expect(try revoked.object()["leftOnReader"] == .array([]))
        }
    }

    @Test func aResetLeavesAStoreThatCanBeSetUpAgain() async throws {
        try await Bench.with(store: .holding) { bench in
            let key = try bench.bytes(bench.storageKey)
            expect(try await bench.whorl("reset", manner: .withPIN), 64, saying: "--yes")
            expect(
                try await bench.whorl("reset", "--yes", manner: Bench.Manner(pin: "wrong one")), 1)
            let reset = try await bench.whorl("reset", "--yes", "--json", manner: .withPIN)
            expect(reset, 0)
            #expect(try reset.object()["deletedKeys"] == .array([.string("github")]))
            #expect(!bench.exists(bench.storageKey))
            expect(try await bench.whorl("vault", "list"), 3)
            expect(try await bench.whorl("reset", "--lost-credential", "--yes"), 3)
            let again = Self.setup + ["--recovery-out", bench.recoveryFile]
            expect(try await bench.run(again, manner: Bench.Manner(pin: "another one")), 0)
            #expect(try bench.bytes(bench.storageKey) != key)
            #expect(try await bench.status()["keys"] == .array([]))
        }
    }

    @Test func whoLostEverythingBeginsAnewAlsoWhenLockedOut() async throws {
        try await Bench.with(store: .holding) { bench in
            try bench.setFailures(20)
            for _ in 0..<5 {
                expect(
                    try await bench.whorl("unlock", manner: Bench.Manner(pin: "wrong one")), 1)
            }
            expect(try await bench.whorl("reset", "--yes", manner: .withPIN), 6)
            expect(try await bench.whorl("reset", "--lost-credential", "--yes"), 0)
            let again = Self.setup + ["--recovery-out", bench.recoveryFile]
            expect(try await bench.run(again, manner: .withPIN), 0)
            #expect(try await bench.failures() == 0)
        }
    }

    @Test func aNoBeforeSetupIsRememberedAndBindsNobody() async throws {
        try await Bench.with { bench in
            expect(try await bench.whorl("consent", "show"), 0)
            #expect(!bench.exists(bench.store))
            expect(try await bench.whorl("consent", "decline"), 0)
            let shown = try await bench.whorl("consent", "show", "--json").object()
            #expect(shown["consent"]?["state"] == .string("declined"))
            expect(try await bench.whorl("vault", "list"), 3)
            let setup = Self.setup + ["--recovery-out", bench.recoveryFile]
            expect(try await bench.run(setup, manner: .withPIN), 0)
            expect(try await bench.whorl("consent", "decline"), 65)
        }
    }
}
