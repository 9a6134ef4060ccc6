import SignIn
import Testing
import WhorlBiometrics
import WhorlSecrets
import WhorlSensorLab

struct SignInTests {
    private func session() async throws -> ScriptedSession {
        let whorl = ScriptedSession(availability: .ready, enrolled: [.rightIndexFinger])
        let token = try SecretBytes(randomCount: 32)
        try await whorl.vault.put(token, as: "acme/refresh", access: .biometryCurrentSet)
        return whorl
    }

    @Test func theRightFingerSignsIn() async throws {
        let whorl = try await session()
        whorl.expect(.yes(by: .finger))
        #expect(await signIn(with: whorl) == .signedIn(tokenLength: 32))
    }

    @Test func aWrongFingerDoesNot() async throws {
        let whorl = try await session()
        whorl.expect(.no(.noMatch))
        #expect(await signIn(with: whorl) == .passwordNeeded)
    }

    @Test func aReaderThatIsNotReadyAsksNobody() async throws {
        let whorl = try await session()
        whorl.become(.notReady(.lockedOutPermanently))
        #expect(await signIn(with: whorl) == .passwordNeeded)
        #expect(whorl.questions.isEmpty)
    }

    @Test func aNewFingerMeansRegisteringAgain() async throws {
        let whorl = try await session()
        whorl.expect(.yes(by: .deviceCredential))
        _ = try await whorl.fingers.enroll(
            .leftThumb, confirm: true, keys: .drop,
            request: AuthenticationRequest(reason: Reason("Add a finger")))
        #expect(await signIn(with: whorl) == .mustRegisterAgain)
    }
}
