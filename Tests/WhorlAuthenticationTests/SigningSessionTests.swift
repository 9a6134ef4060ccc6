import Testing
import WhorlBiometrics
import WhorlCrypto
import WhorlKeys
import WhorlSecrets
import WhorlSensorLab

@testable import WhorlAuthentication

@Suite(.timeLimit(.minutes(1)))
struct SigningSessionTests {
    private static let message = Array("what is signed".utf8)

    private func bench(
        access: AccessControl = .biometryCurrentSet.or(.deviceCredential)
    ) async throws -> SessionBench {
        let bench = try await SessionBench.open(prompter: TestPrompter(takesCredentials: false))
        try await bench.enroll()
        try await bench.session.signingKeys.create(
            KeyName("signer"), options: SigningKeyOptions(access: access))
        return bench
    }

    private func isSigned(
        _ bench: SessionBench, _ input: SigningInput = .message(message), pin: String? = nil
    ) async throws -> Bool {
        let keys = bench.session.signingKeys
        let publicKey = try await P256PublicKey(
            uncompressed: keys.publicKey(KeyName("signer")).uncompressed)
        let signature = try await keys.sign(
            input, with: KeyName("signer"), request: bench.request(pin: pin))
        return try publicKey.isValid(P256Signature(der: signature.der), for: Self.message)
    }

    // MARK: Refusals

    @Test func theWrongFingerSignsNothing() async throws {
        let bench = try await bench()
        for _ in 0..<3 { bench.reader.touch("stranger") }
        await #expect(throws: VaultError.authentication(.noMatch)) {
            _ = try await isSigned(bench)
        }
        #expect(try await bench.failures() == 3)
    }

    @Test func aKeyOfTheOtherKindIsRefusedBeforeAnybodyIsAsked() async throws {
        let bench = try await bench()
        try await bench.put(as: "secret")
        let prompts = bench.prompter.prompts.count
        let session = bench.session
        await #expect(throws: VaultError.wrongKind(.signing)) { try await bench.get("signer") }
        await #expect(throws: VaultError.wrongKind(.signing)) {
            try await session.vault.replace(
                secret("new"), as: KeyName("signer"), options: KeyOptions(),
                request: bench.request())
        }
        await #expect(throws: VaultError.wrongKind(.signing)) {
            try await session.vault.remove(KeyName("signer"), request: bench.request())
        }
        let name = try KeyName("secret")
        await #expect(throws: VaultError.wrongKind(.secret)) {
            _ = try await session.signingKeys.sign(
                .message([]), with: name, request: bench.request())
        }
        await #expect(throws: VaultError.wrongKind(.secret)) {
            try await session.signingKeys.remove(name, request: bench.request())
        }
        await #expect(throws: VaultError.wrongKind(.secret)) {
            _ = try await session.signingKeys.publicKey(name)
        }
        await #expect(throws: VaultError.wrongKind(.secret)) {
            _ = try await session.signingKeys.info(name)
        }
        #expect(bench.prompter.prompts.count == prompts)
    }

    @Test func aDigestThatIsNoneIsRefusedBeforeAnybodyIsAsked() async throws {
        let bench = try await bench()
        let prompts = bench.prompter.prompts.count
        await #expect {
            _ = try await isSigned(bench, .digest([1, 2, 3]))
        } throws: { ($0 as? VaultError)?.identifier == "internal-error" }
        #expect(bench.prompter.prompts.count == prompts)
    }

    @Test func aNameThatIsTakenIsRefused() async throws {
        let bench = try await bench()
        await #expect(throws: VaultError.keyExists) { try await bench.put(as: "signer") }
        try await bench.put(as: "secret")
        for name in ["signer", "secret"] {
            await #expect(throws: VaultError.keyExists) {
                try await bench.session.signingKeys.create(
                    KeyName(name), options: SigningKeyOptions())
            }
        }
    }

    @Test func withNothingEnrolledAFingerKeyCannotBeMade() async throws {
        let bench = try await SessionBench.open()
        await #expect(throws: VaultError.authentication(.notEnrolled)) {
            try await bench.session.signingKeys.create(
                KeyName("signer"), options: SigningKeyOptions())
        }
        try await bench.session.signingKeys.create(
            KeyName("signer"), options: SigningKeyOptions(access: .deviceCredential))
    }

    // MARK: Signing

    @Test func aFingerSignsAMessage() async throws {
        let bench = try await bench()
        bench.reader.touch("own")
        #expect(try await isSigned(bench))
        #expect(bench.prompter.prompts.last?.action.shown == "sign with signer")
    }

    @Test func aMessageAndItsDigestAreTheSame() async throws {
        let bench = try await bench()
        bench.reader.touch("own")
        #expect(try await isSigned(bench, .digest(MessageDigest.of(Self.message))))
    }

    @Test func aKeyForBothNeedsBoth() async throws {
        let bench = try await bench(access: .biometryAny.and(.deviceCredential))
        bench.reader.touch("own")
        #expect(try await isSigned(bench, pin: SessionBench.pin))
    }

    @Test func bothKindsAreListedAndOnlyThoseThatSign() async throws {
        let bench = try await bench()
        try await bench.put(as: "secret")
        #expect(try await bench.session.vault.list().map(\.kind) == [.secret, .signing])
        #expect(try await bench.session.signingKeys.list().map(\.name.text) == ["signer"])
        #expect(try await bench.session.vault.info(KeyName("signer")).kind == .signing)
    }

    @Test func aCarriedAndARenewedKeyStayTheSame() async throws {
        let bench = try await bench()
        let keys = bench.session.signingKeys
        let before = try await keys.publicKey(KeyName("signer"))
        try await bench.enroll("other", as: .leftThumb, keys: .carry)
        bench.reader.touch("other")
        #expect(try await isSigned(bench))
        try await bench.enroll("third", as: .leftIndexFinger, keys: .drop)
        #expect(try await keys.info(KeyName("signer")).state == .fingerDead)
        let renewal = try await bench.session.vault.rebind(
            [KeyName("signer")], request: bench.request(pin: SessionBench.pin))
        #expect(renewal.renewed.map(\.state) == [.open])
        bench.reader.touch("third")
        #expect(try await isSigned(bench))
        #expect(try await keys.publicKey(KeyName("signer")) == before)
    }

    @Test func aKeyIsRemovedByWhatSigns() async throws {
        let bench = try await bench()
        bench.reader.touch("own")
        try await bench.session.signingKeys.remove(KeyName("signer"), request: bench.request())
        #expect(try await bench.session.signingKeys.list().isEmpty)
    }

    // MARK: Forms

    /// RFC 9449, section 6.1.
    @Test func aThumbprintIsThatOfItsStandard() throws {
        let point: [UInt8] = [
            4, 151, 203, 69, 174, 28, 126, 223, 139, 85, 222, 20, 72, 9, 16, 216, 247, 48, 164,
            14, 90, 65, 132, 94, 54, 81, 5, 31, 89, 80, 22, 4, 91, 245, 81, 56, 141, 255, 206,
            147, 250, 58, 227, 54, 211, 78, 87, 46, 52, 150, 163, 30, 107, 122, 191, 212, 195, 86,
            181, 52, 9, 219, 198, 68, 48,
        ]
        let key = try #require(SigningPublicKey(uncompressed: point))
        #expect(
            try Base64.url(key.thumbprint()) == "0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I")
    }

    @Test func aPointOffTheCurveHasNoPEM() throws {
        let key = try #require(
            SigningPublicKey(uncompressed: [4] + [UInt8](repeating: 1, count: 64)))
        #expect(throws: VaultError.self) { try key.pem() }
    }
}
