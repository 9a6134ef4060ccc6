import Foundation
import Testing

/// Signatures of the built program, before the programs that others check them with.
@Suite(.timeLimit(.minutes(5)))
struct SigningTests {
    private static let message = "what is signed\n"

    /// A program of the machine's, run to its end in the bench's folder.
    private func run(
        _ program: String, _ arguments: String..., input: String = "", in bench: Bench
    ) async throws -> ProgramRun {
        let child = try Child(
            Child.Start(
                program: program, arguments: arguments, environment: bench.environment,
                input: .bytes(Array(input.utf8))))
        return await Bench.result(of: child, [program] + arguments)
    }

    private func write(_ bytes: [UInt8], _ name: String, in bench: Bench) throws -> String {
        try Data(bytes).write(to: URL(filePath: bench.path(name)))
        return bench.path(name)
    }

    private func output(
        _ arguments: String..., in bench: Bench
    ) async throws -> [UInt8] {
        let run = try await bench.run(arguments)
        expect(run, 0)
        return run.output
    }

    private func sign(
        _ options: String..., message: String = message, in bench: Bench
    ) async throws -> [UInt8] {
        let run = try await bench.run(
            ["key", "sign", "release"] + options, manner: .input(message, pin: Bench.pin))
        expect(run, 0)
        return run.output
    }

    private func create(in bench: Bench) async throws {
        expect(
            try await bench.whorl("key", "create", "release", "--access", "deviceCredential"), 0)
    }

    // MARK: Refusals

    @Test func theWrongFingerAndTheWrongPINSignNothing() async throws {
        try await Bench.with(store: .enrolled) { bench in
            expect(try await bench.whorl("key", "create", "release"), 0)
            var manner = Bench.Manner.input(Self.message)
            let finger = try await bench.whorl(
                "key", "sign", "release", manner: manner, touching: ["f2", "f2", "f2"])
            expect(finger, 1, saying: "did not match")
            #expect(finger.output.isEmpty)
            manner.pin = "incorrect horse"
            let pin = try await bench.whorl("key", "sign", "release", manner: manner)
            expect(pin, 1, saying: "the PIN was wrong")
            #expect(pin.output.isEmpty)
        }
    }

    @Test func eachCommandLeavesTheKeysOfTheOtherKindAlone() async throws {
        try await Bench.with(store: .holding) { bench in
            try await create(in: bench)
            expect(
                try await bench.whorl("vault", "remove", "release", manner: .withPIN), 65,
                saying: "'whorl key remove'")
            expect(
                try await bench.whorl("key", "remove", "github", manner: .withPIN), 65,
                saying: "'whorl vault remove'")
            expect(
                try await bench.whorl("vault", "put", "release", manner: .input("s3cret")), 73)
            expect(try await bench.whorl("key", "create", "github"), 73)
            expect(try await bench.whorl("key", "remove", "release", manner: .withPIN), 0)
        }
    }

    @Test func whatASoftwareStoreCannotKeepIsRefused() async throws {
        try await Bench.with(store: .enrolled) { bench in
            for options in [["--boot-bound"], ["--reuse", "10"], ["--strength", "strong"]] {
                expect(try await bench.run(["key", "create", "release"] + options), 77)
            }
        }
    }

    // MARK: What others say

    @Test func opensslVerifiesASignatureOfAFinger() async throws {
        try await Bench.with(store: .enrolled) { bench in
            expect(try await bench.whorl("key", "create", "release"), 0)
            let key = try write(
                await output("key", "public", "release", in: bench), "key.pem", in: bench)
            let signed = try await bench.whorl(
                "key", "sign", "release", manner: .input(Self.message), touching: ["f1"])
            expect(signed, 0)
            let signature = try write(signed.output, "signature", in: bench)
            for (message, status) in [(Self.message, CInt(0)), ("another", 1)] {
                let file = try write(Array(message.utf8), "message", in: bench)
                let verified = try await run(
                    "/usr/bin/openssl", "dgst", "-sha256", "-verify", key, "-signature", signature,
                    file, in: bench)
                expect(verified, status)
            }
        }
    }

    @Test func opensshVerifiesAFileAndACommit() async throws {
        try await Bench.with(store: .setUp) { bench in
            try await create(in: bench)
            let line = try await output("key", "public", "release", "--format", "ssh", in: bench)
            let signers = try write(Array("ada@example.com ".utf8) + line, "signers", in: bench)
            for (namespace, options) in [
                ("file", ["--format", "ssh"]),
                ("git", ["--format", "ssh", "--namespace", "git"]),
            ] {
                let signed = try await bench.run(
                    ["key", "sign", "release"] + options,
                    manner: .input(Self.message, pin: Bench.pin))
                expect(signed, 0)
                let signature = try write(signed.output, "\(namespace).sig", in: bench)
                for (claimed, message, isGood) in [
                    (namespace, Self.message, true), (namespace, "another", false),
                    ("mail", Self.message, false),
                ] {
                    let verified = try await run(
                        "/usr/bin/ssh-keygen", "-Y", "verify", "-f", signers, "-I",
                        "ada@example.com", "-n", claimed, "-s", signature, input: message,
                        in: bench)
                    #expect((verified.status == 0) == isGood, "\(verified)")
                }
            }
        }
    }

    @Test func joseVerifiesAWebSignatureAndFindsItsKey() async throws {
        try await Bench.with(store: .setUp) { bench in
            try await create(in: bench)
            let key = try await output("key", "public", "release", "--format", "jwk", in: bench)
            let keyFile = try write(key, "key.jwk", in: bench)
            let jws = try await sign("--format", "jws", in: bench)
            let file = try write(jws, "jws", in: bench)
            let verified = try await run(
                "/usr/bin/jose", "jws", "ver", "-i", file, "-k", keyFile, "-O-", in: bench)
            expect(verified, 0)
            #expect(verified.text == Self.message)
            let thumbprint = try await run(
                "/usr/bin/jose", "jwk", "thp", "-a", "S256", "-i", keyFile, in: bench)
            expect(thumbprint, 0)
            let object = try JSONDecoder().decode(JSONValue.self, from: Data(key))
            #expect(object["kid"] == .string(thumbprint.text.trimmingCharacters(in: .newlines)))
            // One character of the payload is another.
            var changed = jws
            let dot = try #require(changed.firstIndex(of: UInt8(ascii: ".")))
            changed[dot + 1] ^= 1
            let bad = try write(changed, "bad", in: bench)
            let refused = try await run(
                "/usr/bin/jose", "jws", "ver", "-i", bad, "-k", keyFile, in: bench)
            #expect(refused.status != 0, "\(refused)")
        }
    }

    @Test func aMessageOfAnyLengthIsSigned() async throws {
        try await Bench.with(store: .setUp) { bench in
            try await create(in: bench)
            let key = try write(
                await output("key", "public", "release", in: bench), "key.pem", in: bench)
            let message = String(repeating: "0123456789abcdef", count: 1 << 17)
            let file = try write(Array(message.utf8), "message", in: bench)
            let signature = try write(
                await sign(message: message, in: bench), "signature", in: bench)
            expect(
                try await run(
                    "/usr/bin/openssl", "dgst", "-sha256", "-verify", key, "-signature", signature,
                    file, in: bench), 0)
            expect(
                try await bench.whorl(
                    "key", "sign", "release", "--format", "jws",
                    manner: .input(message, pin: Bench.pin)), 65, saying: "--format der")
        }
    }

    // MARK: What becomes of a key

    @Test func aCarriedKeyStaysTheSame() async throws {
        try await Bench.with(store: .enrolled) { bench in
            expect(try await bench.whorl("key", "create", "release"), 0)
            let before = try await output("key", "public", "release", in: bench)
            expect(try await bench.enroll("f2", as: "left-thumb", keys: "carry"), 0)
            #expect(try await output("key", "public", "release", in: bench) == before)
            expect(
                try await bench.whorl(
                    "key", "sign", "release", manner: .input(Self.message), touching: ["f1"]), 0)
            expect(try await bench.enroll("f3", as: "left-index-finger", keys: "drop"), 0)
            expect(
                try await bench.whorl("key", "sign", "release", manner: .input(Self.message)), 4)
            let info = try await bench.whorl("vault", "info", "release", "--json").object()
            #expect(info["kind"] == .string("signing"))
            #expect(info["state"] == .string("finger-dead"))
            #expect(info["recovery"] == .bool(false))
        }
    }

    @Test func aKeyThatWasReboundStaysTheSame() async throws {
        try await Bench.with(store: .enrolled) { bench in
            expect(try await bench.whorl("key", "create", "release"), 0)
            let before = try await output("key", "public", "release", in: bench)
            expect(try await bench.enroll("f2", as: "left-thumb", keys: "drop"), 0)
            let message = Bench.Manner.input(Self.message)
            expect(try await bench.whorl("key", "sign", "release", manner: message), 4)
            expect(try await bench.whorl("vault", "rebind", "release", manner: .withPIN), 0)
            #expect(try await output("key", "public", "release", in: bench) == before)
            expect(
                try await bench.whorl(
                    "key", "sign", "release", manner: message, touching: ["f1"]), 0)
        }
    }

    @Test func aPINThatWasResetSignsWithNoKeyOfBefore() async throws {
        try await Bench.with { bench in
            expect(
                try await bench.whorl(
                    "setup", "--accept-consent", "--recovery-out", bench.recoveryFile,
                    manner: .withPIN), 0)
            expect(try await bench.enroll("f1"), 0)
            expect(try await bench.whorl("key", "create", "release"), 0)
            let recoveryKey = try Data(contentsOf: URL(filePath: bench.recoveryFile))
            var manner = Bench.Manner()
            manner.descriptors = [4: Array(recoveryKey), 5: Array("another horse".utf8)]
            expect(
                try await bench.whorl(
                    "pin", "reset", "--recovery-fd", "4", "--new-pin-fd", "5", manner: manner), 0)
            let info = try await bench.whorl("vault", "info", "release", "--json").object()
            #expect(info["state"] == .string("credential-dead"))
            let message = Bench.Manner.input(Self.message)
            expect(
                try await bench.whorl(
                    "key", "sign", "release", manner: message, touching: ["f1"]), 0)
            let refused = try await bench.whorl(
                "key", "sign", "release", manner: .input(Self.message, pin: "another horse"),
                touching: [])
            #expect(refused.status != 0 && refused.output.isEmpty, "\(refused)")
        }
    }
}
