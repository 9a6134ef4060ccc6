import Testing
import WhorlBiometrics
import WhorlSecrets
import WhorlSensorLab

struct ScriptedSessionTests {
    private func session(enrolled: Set<Finger> = [.rightIndexFinger]) -> ScriptedSession {
        ScriptedSession(availability: .ready, enrolled: enrolled)
    }

    private func secret(_ text: String) throws -> SecretBytes {
        try unsafe SecretBytes(copying: Array(text.utf8).span.bytes)
    }

    private func request() throws -> AuthenticationRequest {
        AuthenticationRequest(reason: try Reason("test"))
    }

    private func isSecret(_ secret: borrowing SecretBytes, _ text: String) throws -> Bool {
        secret.isEqual(to: try self.secret(text))
    }

    // MARK: Refusals

    @Test func withNoAnswerLeftNothingOpens() async throws {
        let whorl = session()
        try await whorl.vault.put(secret("s"), as: "acme/refresh")
        await #expect(
            throws: VaultError.authentication(
                .internalError(.whorl("no answer is scripted for 'get acme/refresh'")))
        ) { _ = try await whorl.vault.get("acme/refresh", reason: "test") }
        await #expect(throws: AuthenticationError.self) {
            _ = try await whorl.authenticate(.weak, request: request())
        }
    }

    @Test func aNoOpensNothing() async throws {
        let whorl = session()
        try await whorl.vault.put(secret("s"), as: "k")
        whorl.expect(.no(.noMatch))
        await #expect(throws: VaultError.authentication(.noMatch)) {
            _ = try await whorl.vault.get("k", reason: "test")
        }
    }

    @Test func anAnswerThatIsNoWayIntoTheKeyOpensNothing() async throws {
        let whorl = session()
        try await whorl.vault.put(secret("s"), as: "k", access: .biometryAny)
        try await whorl.vault.put(
            secret("s"), as: "both", access: .biometryAny.and(.deviceCredential))
        whorl.expect(.yes(by: .deviceCredential), .yes(by: .finger))
        for name in ["k", "both"] {
            await #expect(throws: VaultError.self) {
                _ = try await whorl.vault.get(name, reason: "test")
            }
        }
    }

    @Test func withNoFingerEnrolledAFingerKeyCannotBeMade() async throws {
        let whorl = session(enrolled: [])
        await #expect(throws: VaultError.authentication(.notEnrolled)) {
            try await whorl.vault.put(secret("s"), as: "k")
        }
        try await whorl.vault.put(secret("s"), as: "k", access: .deviceCredential)
    }

    @Test func badSecretsAndNamesAreRefused() async throws {
        let whorl = session()
        await #expect(throws: VaultError.emptySecret) {
            try await whorl.vault.put(secret(""), as: "k")
        }
        await #expect(throws: VaultError.tooLarge(limit: 1 << 20)) {
            try await whorl.vault.put(
                SecretBytes(zeroedCount: (1 << 20) + 1), as: "k")
        }
        try await whorl.vault.put(secret("s"), as: "k")
        await #expect(throws: VaultError.keyExists) {
            try await whorl.vault.put(secret("t"), as: "k")
        }
        await #expect(throws: VaultError.noSuchKey) {
            _ = try await whorl.vault.get("other", reason: "test")
        }
        #expect(whorl.questions.isEmpty)
    }

    @Test func aSecretThatCannotReplaceTheOldOneLeavesIt() async throws {
        let whorl = session()
        try await whorl.vault.put(secret("old"), as: "k")
        let name = try KeyName("k")
        await #expect(throws: VaultError.emptySecret) {
            try await whorl.vault.replace(
                secret(""), as: name, options: KeyOptions(), request: request())
        }
        whorl.expect(.yes(by: .finger))
        let kept = try await whorl.vault.get("k", reason: "test")
        #expect(try isSecret(kept, "old"))
    }

    // MARK: What is scripted

    @Test func aYesBringsTheSecretOut() async throws {
        let whorl = session()
        try await whorl.vault.put(secret("s3cret"), as: "k")
        whorl.expect(.yes(by: .finger))
        let secret = try await whorl.vault.get("k", reason: "Sign in to Acme")
        #expect(try isSecret(secret, "s3cret"))
        #expect(
            whorl.questions == [ScriptedQuestion(action: "get k", reason: "Sign in to Acme")])
    }

    @Test func anEnrolmentKillsCurrentSetKeysForTheFinger() async throws {
        let whorl = session()
        try await whorl.vault.put(secret("a"), as: "current", access: .biometryCurrentSet)
        try await whorl.vault.put(secret("b"), as: "either")
        try await whorl.vault.put(secret("c"), as: "any", access: .biometryAny)
        whorl.expect(.yes(by: .deviceCredential))
        let result = try await whorl.fingers.enroll(
            .leftThumb, confirm: true, keys: .drop, request: request())
        #expect(result.deadKeys.map(\.text) == ["current", "either"])
        let states = try await whorl.vault.list().map { "\($0.name) \($0.state.rawValue)" }
        #expect(states == ["any open", "current recovery-only", "either finger-dead"])
        await #expect(throws: VaultError.keyInvalidated) {
            _ = try await whorl.vault.get("current", reason: "test")
        }
        whorl.expect(.yes(by: .finger), .yes(by: .deviceCredential))
        await #expect(throws: VaultError.self) {
            _ = try await whorl.vault.get("either", reason: "test")
        }
        let secret = try await whorl.vault.get("either", reason: "test")
        #expect(try isSecret(secret, "b"))
    }

    @Test func carriedKeysLiveOn() async throws {
        let whorl = session()
        try await whorl.vault.put(secret("a"), as: "k")
        whorl.expect(.yes(by: .deviceCredential), .yes(by: .finger))
        let result = try await whorl.fingers.enroll(
            .leftThumb, confirm: true, keys: .carry, request: request())
        #expect(result.deadKeys.isEmpty)
        let secret = try await whorl.vault.get("k", reason: "test")
        #expect(try isSecret(secret, "a"))
    }

    @Test func removingTheLastFingerKillsAndOneOfSeveralDoesNot() async throws {
        let whorl = session(enrolled: [.rightIndexFinger, .leftThumb])
        try await whorl.vault.put(secret("a"), as: "k", access: .biometryCurrentSet)
        whorl.expect(.yes(by: .deviceCredential), .yes(by: .deviceCredential))
        #expect(try await whorl.fingers.remove(.leftThumb, request: request()).deadKeys.isEmpty)
        let dead = try await whorl.fingers.remove(.rightIndexFinger, request: request())
        #expect(dead.deadKeys.map(\.text) == ["k"])
        #expect(try await whorl.fingers.list().isEmpty)
    }

    @Test func fingersNeedTheCredentialAndVerifyNeedsAFinger() async throws {
        let whorl = session()
        whorl.expect(
            .yes(by: .finger), .yes(by: .finger), .yes(by: .deviceCredential), .yes(by: .finger))
        await #expect(throws: VaultError.self) {
            _ = try await whorl.fingers.enroll(
                .leftThumb, confirm: true, keys: .drop, request: request())
        }
        await #expect(throws: VaultError.self) {
            _ = try await whorl.fingers.remove(.rightIndexFinger, request: request())
        }
        await #expect(throws: VaultError.self) {
            _ = try await whorl.fingers.verify(nil, request: request())
        }
        let result = try await whorl.fingers.verify(nil, request: request())
        #expect(result.isSimulated)
        await #expect(throws: VaultError.noSuchFinger(.leftThumb)) {
            _ = try await whorl.fingers.verify(.leftThumb, request: request())
        }
        #expect(try await whorl.fingers.list().map(\.finger) == [.rightIndexFinger])
    }

    @Test func aCancelEndsAPromptThatWaits() async throws {
        let whorl = session()
        try await whorl.vault.put(secret("s"), as: "k")
        let gate = ScriptGate()
        whorl.expect(.after(gate, .yes(by: .finger)))
        let asking = Task { () -> VaultError? in
            do {
                _ = try await whorl.vault.get("k", reason: "test")
                return nil
            } catch let error as VaultError {
                return error
            }
        }
        #expect(await gate.isReached())
        await whorl.cancel()
        #expect(try await asking.value == .authentication(.appCancelled))
    }

    @Test func anEnrolmentBehindAnOpenPromptClosesItsWay() async throws {
        let whorl = session()
        try await whorl.vault.put(secret("s"), as: "k", access: .biometryCurrentSet)
        let gate = ScriptGate()
        whorl.expect(.after(gate, .yes(by: .finger)), .yes(by: .deviceCredential))
        let asking = Task { () -> VaultError? in
            do {
                _ = try await whorl.vault.get("k", reason: "test")
                return nil
            } catch let error as VaultError {
                return error
            }
        }
        #expect(await gate.isReached())
        _ = try await whorl.fingers.enroll(
            .leftThumb, confirm: true, keys: .drop, request: request())
        gate.open()
        #expect(try await asking.value == .keyInvalidated)
    }

    @Test func statesTellOfAPrompt() async throws {
        let whorl = session()
        var states = await whorl.states().makeAsyncIterator()
        whorl.expect(.yes(by: .finger))
        _ = try await whorl.authenticate(.weak, request: request())
        #expect(await states.next() == .prompting)
        #expect(await states.next() == .idle)
    }

    @Test func availabilityAndLocksAreWhatTheTestSaid() async throws {
        let whorl = session()
        whorl.become(.notReady(.lockedOutPermanently))
        #expect(await whorl.canAuthenticate(.weak) == .notReady(.lockedOutPermanently))
        await whorl.lock()
        #expect(whorl.locks == 1)
        whorl.expect(.yes(by: .finger))
        await #expect(throws: AuthenticationError.self) {
            try await whorl.unlock(request: request())
        }
    }
}
