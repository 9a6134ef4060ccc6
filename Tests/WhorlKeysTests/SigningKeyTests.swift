import Synchronization
import Testing
import WhorlBiometrics
import WhorlCrypto
import WhorlSecrets

@testable import WhorlKeys

/// Keys that sign: what they refuse, what they sign, and what becomes of them.
struct SigningKeyTests {
    private let bench: VaultBench
    private let store: InterruptedStore
    private let recoveryKey: String
    private let subject = VaultBench.subject
    private static let digest = [UInt8](repeating: 7, count: 32)

    init() async throws {
        let made = Mutex<InterruptedStore?>(nil)
        bench = try await VaultBench.open(setUp: false) { key in
            let store = InterruptedStore(key)
            made.withLock { $0 = store }
            return store
        }
        store = try #require(made.withLock { $0 })
        recoveryKey = try await bench.setUp()
        try await bench.enroll()
    }

    // MARK: Doing

    @discardableResult
    private func create(
        _ name: String = "key", options: SigningKeyOptions = SigningKeyOptions(),
        strength: Strength? = .weak
    ) async throws -> KeyInfo {
        try await bench.vault.createSigningKey(
            KeyName(name), for: subject, options: options,
            strength: options.access.mentionsFinger ? strength : nil, isSimulated: false,
            at: 1_700_000_300)
    }

    private func publicKey(_ name: String = "key") async throws -> P256PublicKey {
        try await P256PublicKey(
            uncompressed: bench.vault.publicKey(of: KeyName(name), of: subject).uncompressed)
    }

    // Whether a grant signs, so that the public half from before says yes.
    private func signs(
        _ name: String = "key", as publicKey: P256PublicKey, _ grant: consuming Grant
    ) async throws -> Bool {
        let signature = try await bench.vault.sign(
            digest: Self.digest, with: KeyName(name), grant: grant)
        let raw = try P256Signature(raw: signature.raw)
        return try raw == P256Signature(der: signature.der)
            && publicKey.isValid(raw, forDigest: Self.digest)
    }

    private func refusal(
        signingWith name: String = "key", digest: [UInt8] = digest, _ grant: consuming Grant
    ) async -> VaultError? {
        do throws(VaultError) {
            _ = try await bench.vault.sign(
                digest: digest, with: KeyName(checking: name), grant: grant)
            return nil
        } catch { return error }
    }

    // MARK: Refusals

    @Test func aGrantForSomethingElseSignsNothing() async throws {
        try await create()
        try await create("second")
        for purpose in [
            GrantPurpose.authenticate, .changeEnrollment, try await bench.purpose(of: "second"),
        ] {
            let refused = await refusal(try await bench.finger(purpose))
            #expect(refused?.identifier == "internal-error")
        }
        let machine = try await VaultBench.open()
        let foreign = try await machine.finger(bench.purpose(of: "key"))
        #expect(await refusal(foreign)?.identifier == "internal-error")
    }

    @Test func aGrantThatIsTooOldSignsNothing() async throws {
        try await create()
        let grant = try await bench.finger(bench.purpose(of: "key"))
        bench.clock.advance(nanoseconds: (Grant.lifetimeSeconds + 1) * 1_000_000_000)
        #expect(await refusal(grant) == .authentication(.systemCancelled))
    }

    @Test func aFingerOfAnOlderGenerationSignsNothing() async throws {
        try await create()
        let publicKey = try await publicKey()
        try await bench.enroll(.leftThumb, "second")
        #expect(await refusal(try await bench.finger(bench.purpose(of: "key"))) == .keyInvalidated)
        #expect(
            try await signs(as: publicKey, bench.credential(bench.purpose(of: "key"))))
    }

    @Test func aFingerThatIsTooWeakSignsNothing() async throws {
        try await create()
        let grant = try await bench.finger(bench.purpose(of: "key"), strength: .convenience)
        #expect(await refusal(grant) == .authentication(.strengthLowered))
    }

    @Test func whatWasGivenMustBeWhatTheKeyAsksFor() async throws {
        try await create(options: SigningKeyOptions(access: .deviceCredential))
        let refused = await refusal(try await bench.finger(bench.purpose(of: "key")))
        #expect(refused?.identifier == "not-permitted")
    }

    @Test(arguments: [0, 31, 33, 64])
    func onlyADigestIsSigned(count: Int) async throws {
        try await create()
        let digest = [UInt8](repeating: 7, count: count)
        let grant = try await bench.finger(bench.purpose(of: "key"))
        #expect(await refusal(digest: digest, grant)?.identifier == "internal-error")
    }

    @Test func whatCannotBeEnforcedIsRefused() async throws {
        for options in [
            SigningKeyOptions(isBootBound: true), SigningKeyOptions(reuseSeconds: 10),
            SigningKeyOptions(access: .deviceCredential, minimumStrength: .weak),
        ] {
            await #expect {
                try await create(options: options)
            } throws: { ($0 as? VaultError)?.identifier == "unenforceable" }
        }
        await #expect(throws: VaultError.authentication(.strengthNotReached)) {
            try await create(strength: .strong)
        }
        #expect(try await bench.vault.keys(of: subject).isEmpty)
    }

    @Test func withNothingEnrolledAFingerSignsWithNothing() async throws {
        let bench = try await VaultBench.open()
        await #expect(throws: VaultError.authentication(.notEnrolled)) {
            _ = try await bench.vault.createSigningKey(
                KeyName("key"), for: VaultBench.subject, options: SigningKeyOptions(),
                strength: .weak, isSimulated: false, at: 0)
        }
    }

    @Test func secretsAndSigningKeysShareTheirNames() async throws {
        try await create()
        await #expect(throws: VaultError.keyExists) { try await create() }
        await #expect(throws: VaultError.keyExists) { try await bench.put() }
        try await bench.put(as: "secret")
        await #expect(throws: VaultError.keyExists) { try await create("secret") }
    }

    @Test func ofTwoKeysMadeAtOnceUnderOneNameOneIsKept() async throws {
        let vault = bench.vault
        store.interrupt(.makeSigningKey) { () throws(VaultError) in
            _ = try await vault.createSigningKey(
                KeyName(checking: "key"), for: VaultBench.subject, options: SigningKeyOptions(),
                strength: .weak, isSimulated: false, at: 1)
        }
        await #expect(throws: VaultError.keyExists) { try await create() }
        #expect(try await vault.keys(of: subject).map(\.created) == [1])
    }

    @Test func aKeyMadeWhileTheEnrolmentChangesIsRefused() async throws {
        let vault = bench.vault
        store.interrupt(.makeSigningKey) { () throws(VaultError) in
            try await vault.beginEnrollment(VaultBench.subject)
        }
        await #expect(throws: VaultError.authentication(.enrollmentChanged)) { try await create() }
    }

    @Test func aSigningKeyIsNoSecretAndASecretSignsNothing() async throws {
        try await create()
        try await bench.put(as: "secret")
        let signing = try await bench.purpose(of: "key")
        #expect(
            await bench.refusal(opening: "key", try await bench.finger(signing))
                == .wrongKind(.signing))
        await #expect(throws: VaultError.wrongKind(.signing)) {
            _ = try await bench.vault.replace(
                secret("new"), as: KeyName("key"), options: KeyOptions(), strength: .weak,
                isSimulated: false, grant: bench.finger(signing), at: 0)
        }
        await #expect(throws: VaultError.wrongKind(.signing)) {
            try await bench.vault.remove(KeyName("key"), grant: bench.finger(signing))
        }
        let purpose = try await bench.purpose(of: "secret")
        #expect(
            await refusal(signingWith: "secret", try await bench.finger(purpose))
                == .wrongKind(.secret))
        await #expect(throws: VaultError.wrongKind(.secret)) { try await publicKey("secret") }
        await #expect(throws: VaultError.wrongKind(.secret)) {
            try await bench.vault.remove(
                KeyName("secret"), of: .signing, grant: bench.finger(purpose))
        }
        #expect(try await bench.vault.keys(of: subject).count == 2)
    }

    // MARK: Tampering

    @Test func aChangedPublicHalfIsDamage() async throws {
        try await create()
        let grant = try await bench.finger(bench.purpose(of: "key"))
        try bench.nudge("public_half", of: "wrapped_key")
        #expect(await refusal(grant)?.identifier == "damaged")
        await #expect { try await publicKey() } throws: {
            ($0 as? VaultError)?.identifier == "damaged"
        }
    }

    @Test(arguments: ["wrapped", "public_half", "code", "id"])
    func columnsSwappedBetweenTwoSigningKeysSignNothing(column: String) async throws {
        try await create()
        try await create("second")
        let grants = try await [bench.purpose(of: "key"), bench.purpose(of: "second")]
        try bench.swap(column, of: "wrapped_key", "name = 'key'", "name = 'second'")
        for (name, purpose) in zip(["key", "second"], grants) {
            let refused = await refusal(signingWith: name, try await bench.finger(purpose))
            #expect(refused?.identifier == "damaged")
        }
    }

    @Test func aRowOfAnotherSubjectSignsNothing() async throws {
        let other = try Subject(name: "other")
        try await bench.setUp(other, pin: "another horse")
        try await create()
        let purpose = try await bench.purpose(of: "key")
        try bench.tamper("UPDATE wrapped_key SET subject = 'other'")
        let grant = try await bench.credential(purpose, subject: other, pin: "another horse")
        #expect(await refusal(grant)?.identifier == "damaged")
    }

    // The storage key's holder could write such a row; what it signs is given out all the same as
    // nothing.
    @Test func aPublicHalfOfAnotherKeyInARowThatIsRightIsDamage() async throws {
        try await create()
        let purpose = try await bench.purpose(of: "key")
        let key = try await bench.vault.storedKey(KeyName("key"), of: subject)
        let other = try P256PrivateKey().publicKey.uncompressed
        let forged = try StoredKey(
            attributes: key.attributes, wrapped: key.wrapped, recovery: nil, publicHalf: other,
            authenticatedBy: bench.vault.storageKey)
        try await bench.vault.update(forged)
        #expect(try await publicKey().uncompressed == other)
        let refused = await refusal(try await bench.finger(purpose))
        #expect(refused?.identifier == "damaged")
    }

    // MARK: Signing

    @Test func aFingerAndThePINSignAndTheStoreKeepsThePrivateHalf() async throws {
        let info = try await create()
        #expect(info.kind == .signing)
        #expect(!info.hasRecovery)
        let publicKey = try await publicKey()
        let purpose = try await bench.purpose(of: "key")
        #expect(try await signs(as: publicKey, bench.finger(purpose)))
        #expect(try await signs(as: publicKey, bench.credential(purpose)))
        #expect(try bench.blob("payload", of: "wrapped_key").isEmpty)
    }

    @Test func eachSignatureIsAnother() async throws {
        try await create()
        var signatures: Set<SigningSignature> = []
        for _ in 0..<4 {
            signatures.insert(
                try await bench.vault.sign(
                    digest: Self.digest, with: KeyName("key"),
                    grant: bench.finger(bench.purpose(of: "key"))))
        }
        #expect(signatures.count == 4)
    }

    @Test func aSigningKeyIsRemoved() async throws {
        try await create()
        try await bench.vault.remove(
            KeyName("key"), of: .signing, grant: bench.finger(bench.purpose(of: "key")))
        #expect(try await bench.vault.keys(of: subject).isEmpty)
    }

    // MARK: What becomes of them

    @Test func aCarriedSigningKeyIsTheSameKeyForTheNewSet() async throws {
        try await create()
        try await create("finger-only", options: SigningKeyOptions(access: .biometryCurrentSet))
        let publicKey = try await publicKey()
        let change = try await bench.enroll(.leftThumb, "second", keys: .carry)
        #expect(change.deadKeys.map(\.text) == ["finger-only"])
        #expect(try await self.publicKey() == publicKey)
        let purpose = try await bench.purpose(of: "key")
        #expect(try await signs(as: publicKey, bench.finger(purpose)))
        #expect(try await signs(as: publicKey, bench.credential(purpose)))
    }

    @Test func aSigningKeyThatWasRenewedIsTheSameKey() async throws {
        try await create()
        let publicKey = try await publicKey()
        try await bench.enroll(.leftThumb, "second")
        let renewal = try await bench.vault.renewKeys(
            nil, grant: bench.credential(.renewKeys))
        #expect(renewal.renewed.map(\.kind) == [.signing])
        #expect(try await self.publicKey() == publicKey)
        #expect(try await signs(as: publicKey, bench.finger(bench.purpose(of: "key"))))
    }

    @Test func aNewPINSignsAsTheOldOneDid() async throws {
        try await create()
        let publicKey = try await publicKey()
        let lost = try await bench.vault.changeCredential(
            to: held("another horse"), grant: bench.credential(.changeCredential))
        #expect(lost.isEmpty)
        #expect(
            try await signs(
                as: publicKey,
                bench.credential(bench.purpose(of: "key"), pin: "another horse")))
    }

    @Test func aPINThatWasResetSignsWithNothingAndTheFingerStillDoes() async throws {
        try await create()
        try await create("pin-only", options: SigningKeyOptions(access: .deviceCredential))
        let publicKey = try await publicKey()
        let lost = try await bench.vault.changeCredential(
            to: held("another horse"), grant: recovery(.changeCredential))
        #expect(lost.map(\.text) == ["key", "pin-only"])
        let states = try await bench.vault.keys(of: subject).map(\.state)
        #expect(states == [.credentialDead, .dead])
        let purpose = try await bench.purpose(of: "key")
        let refused = await refusal(try await bench.credential(purpose, pin: "another horse"))
        #expect(refused == .credentialWithdrawn)
        #expect(try await signs(as: publicKey, bench.finger(purpose)))
    }

    @Test func theRecoveryKeySignsWithNothing() async throws {
        try await create()
        let purpose = try await bench.purpose(of: "key")
        #expect(await refusal(try await recovery(purpose)) == .noRecovery)
        let proof = try await bench.vault.checkRecoveryKey(held(recoveryKey), of: subject)
        #expect(try await bench.vault.recoverableKeys(proof).isEmpty)
        #expect(
            try await bench.vault.renewKeys(nil, grant: recovery(.renewKeys)).unopened.map(\.text)
                == ["key"])
    }

    private func recovery(_ purpose: GrantPurpose) async throws -> Grant {
        let proof = try await bench.vault.checkRecoveryKey(held(recoveryKey), of: subject)
        return bench.mint.mint(
            purpose: purpose, recovery: proof, request: RequestID(), allowsSimulated: false,
            at: bench.clock.now())
    }
}

extension Vault {
    /// Writes a row as the store would.
    fileprivate func update(_ key: StoredKey) throws { try tables.update(key.row) }
}
