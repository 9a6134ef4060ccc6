import Testing
import WhorlBiometrics
import WhorlSensorLab

struct ScriptedSigningTests {
    private let whorl = ScriptedSession(availability: .ready, enrolled: [.rightIndexFinger])

    private func request() throws -> AuthenticationRequest {
        AuthenticationRequest(reason: try Reason("test"))
    }

    private func sign(_ name: String = "k") async throws -> SigningSignature {
        try await whorl.signingKeys.sign(.message([1]), with: KeyName(name), request: request())
    }

    private func signer() throws -> (ScriptedSigner, SigningSignature) {
        let key = try #require(
            SigningPublicKey(uncompressed: [4] + [UInt8](repeating: 1, count: 64)))
        let signature = try #require(
            SigningSignature(
                raw: [UInt8](repeating: 2, count: 64), der: [UInt8](repeating: 3, count: 70)))
        return (ScriptedSigner(publicKey: key) { _ in signature }, signature)
    }

    @Test func noSignatureIsMadeUp() async throws {
        try await whorl.signingKeys.create(KeyName("k"), options: SigningKeyOptions())
        whorl.expect(.yes(by: .finger))
        let missing = VaultError.internalError("no signer is scripted for 'k'")
        await #expect(throws: missing) { _ = try await sign() }
        await #expect(throws: missing) {
            _ = try await whorl.signingKeys.publicKey(KeyName("k"))
        }
    }

    @Test func withNoAnswerLeftNothingIsSigned() async throws {
        let (signer, _) = try signer()
        try await whorl.signingKeys.create(KeyName("k"), options: SigningKeyOptions())
        whorl.scriptedSigningKeys.use(signer, for: try KeyName("k"))
        await #expect(
            throws: VaultError.authentication(
                .internalError(.whorl("no answer is scripted for 'sign with k'")))
        ) { _ = try await sign() }
        whorl.expect(.no(.noMatch))
        await #expect(throws: VaultError.authentication(.noMatch)) { _ = try await sign() }
    }

    @Test func theTestsOwnSignatureComesOut() async throws {
        let (signer, signature) = try signer()
        try await whorl.signingKeys.create(KeyName("k"), options: SigningKeyOptions())
        whorl.scriptedSigningKeys.use(signer, for: try KeyName("k"))
        whorl.expect(.yes(by: .finger), .yes(by: .finger))
        #expect(try await sign() == signature)
        #expect(try await whorl.signingKeys.publicKey(KeyName("k")) == signer.publicKey)
        #expect(try await whorl.vault.list().map(\.kind) == [.signing])
        try await whorl.signingKeys.remove(KeyName("k"), request: request())
        #expect(try await whorl.signingKeys.list().isEmpty)
    }

    @Test func aKeyIsUsedAsWhatItIsOnly() async throws {
        try await whorl.signingKeys.create(KeyName("k"), options: SigningKeyOptions())
        await #expect(throws: VaultError.wrongKind(.signing)) {
            _ = try await whorl.vault.get("k", reason: "test")
        }
        await #expect(throws: VaultError.wrongKind(.signing)) {
            try await whorl.vault.remove(KeyName("k"), request: request())
        }
        await #expect(throws: VaultError.keyExists) {
            try await whorl.signingKeys.create(KeyName("k"), options: SigningKeyOptions())
        }
        #expect(whorl.questions.isEmpty)
    }
}
