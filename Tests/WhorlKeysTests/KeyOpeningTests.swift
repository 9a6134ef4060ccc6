import Testing
import WhorlBiometrics
import WhorlSecrets

@testable import WhorlKeys

struct KeyOpeningTests {
    @Test func aFingerAndThePinOpenWhatEitherMayOpen() async throws {
        let bench = try await VaultBench.open()
        try await bench.enroll()
        let info = try await bench.put("tok€n")
        #expect(info.state == .open)
        #expect(info.generation == 2)
        #expect(info.store == .software)
        #expect(info.minimumStrength == .weak)
        #expect(try await bench.get() == "tok€n")
        #expect(try await bench.getWithPin() == "tok€n")
        let again = try await bench.reopened()
        #expect(try await again.get() == "tok€n")
        #expect(try await again.getWithPin() == "tok€n")
    }

    // Another process may remove a key, and put one of its name, while the person is asked.
    @Test func aGrantForAKeyThatWentOpensNoOtherOfItsName() async throws {
        let bench = try await VaultBench.open()
        try await bench.enroll()
        try await bench.put("old")
        let old = try await bench.purpose(of: "key")
        let grant = try await bench.finger(old)
        try await bench.vault.remove(KeyName("key"), grant: bench.finger(old))
        try await bench.put("new")
        #expect(await bench.refusal(grant) == .storeBusy)
        #expect(try await bench.get() == "new")
    }

    @Test func whatOneFactorOpensTheOtherDoesNot() async throws {
        let bench = try await VaultBench.open()
        try await bench.enroll()
        try await bench.put("f", as: "finger", access: .biometryAny)
        try await bench.put("p", as: "pin", access: .deviceCredential)
        #expect(try await bench.get("finger") == "f")
        #expect(try await bench.getWithPin("pin") == "p")
        await #expect(throws: VaultError.self) { try await bench.getWithPin("finger") }
        await #expect(throws: VaultError.self) { try await bench.get("pin") }
    }

    @Test func aKeyThatAsksForBothOpensWithBothOnly() async throws {
        let bench = try await VaultBench.open()
        try await bench.enroll()
        try await bench.put(access: .biometryAny.and(.deviceCredential))
        await #expect(throws: VaultError.self) { try await bench.get() }
        await #expect(throws: VaultError.self) { try await bench.getWithPin() }
        let opened = try await bench.vault.open(
            KeyName("key"),
            grant: bench.credential(
                bench.purpose(of: "key"), factors: [.finger, .deviceCredential]))
        #expect(text(opened) == "s3cret")
    }

    @Test func nothingIsWrittenWhenAKeyOpens() async throws {
        let bench = try await VaultBench.open()
        try await bench.enroll()
        try await bench.put()
        let before = bench.files()
        _ = try await bench.get()
        _ = try await bench.getWithPin()
        let isUnchanged = bench.files() == before
        #expect(isUnchanged)
    }

    @Test func aSecretMayHaveOneByteToOneMebibyte() async throws {
        let bench = try await VaultBench.open()
        let largest = (0..<Vault.maximumSecretCount).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        for (name, bytes) in [("small", [UInt8(0)]), ("large", largest)] {
            _ = try await bench.vault.put(
                secret(bytes), as: KeyName(name), for: VaultBench.subject,
                options: KeyOptions(access: .deviceCredential), strength: nil, isSimulated: false,
                at: 0)
            let opened = try await bench.vault.open(
                KeyName(name), grant: bench.credential(bench.purpose(of: name)))
            #expect(revealed(opened) == bytes)
        }
        await #expect(throws: VaultError.tooLarge(limit: 1 << 20)) {
            _ = try await bench.vault.put(
                SecretBytes(zeroedCount: (1 << 20) + 1), as: KeyName("huge"),
                for: VaultBench.subject, options: KeyOptions(access: .deviceCredential),
                strength: nil, isSimulated: false, at: 0)
        }
        await #expect(throws: VaultError.emptySecret) {
            try await bench.put("", as: "empty", access: .deviceCredential)
        }
    }

    // MARK: Putting

    @Test func aNameIsTakenOnceForEachSubject() async throws {
        let bench = try await VaultBench.open()
        let other = try Subject(name: "other")
        try await bench.setUp(other, pin: "another horse")
        try await bench.put("mine", access: .deviceCredential)
        await #expect(throws: VaultError.keyExists) {
            try await bench.put("again", access: .deviceCredential)
        }
        try await bench.put("theirs", of: other, access: .deviceCredential)
        #expect(try await bench.getWithPin() == "mine")
        #expect(try await bench.getWithPin(subject: other, pin: "another horse") == "theirs")
    }

    @Test func aFingerTermWithNothingEnrolledIsRefused() async throws {
        let bench = try await VaultBench.open()
        for access: AccessControl in [.biometryAny, .biometryCurrentSet.or(.deviceCredential)] {
            await #expect(throws: VaultError.authentication(.notEnrolled)) {
                try await bench.put(access: access)
            }
        }
        #expect(try await bench.vault.keys(of: VaultBench.subject).isEmpty)
    }

    @Test func aFingerTermWhileAnEnrolmentIsPendingIsRefused() async throws {
        let bench = try await VaultBench.open()
        try await bench.enroll()
        try await bench.vault.beginEnrollment(VaultBench.subject)
        await #expect(throws: VaultError.authentication(.stepUpDue)) { try await bench.put() }
        try await bench.put(access: .deviceCredential)
    }

    private func refusal(
        _ options: KeyOptions, strength: Strength?
    ) async throws -> VaultError? {
        let bench = try await VaultBench.open()
        try await bench.enroll()
        let secret = try secret("x")
        do throws(VaultError) {
            _ = try await bench.vault.put(
                secret, as: KeyName(checking: "key"), for: VaultBench.subject,
                options: options, strength: strength, isSimulated: false, at: 0)
            return nil
        } catch { return error }
    }

    @Test func whatThisStoreCannotEnforceIsRefused() async throws {
        let bound = try await refusal(KeyOptions(isBootBound: true), strength: .weak)
        #expect(bound?.identifier == "unenforceable")
        let reused = try await refusal(KeyOptions(reuseSeconds: 1), strength: .weak)
        #expect(reused?.identifier == "unenforceable")
        let pin = KeyOptions(access: .deviceCredential)
        #expect(try await refusal(pin, strength: .weak)?.identifier == "unenforceable")
        #expect(try await refusal(pin, strength: nil) == nil)
    }

    @Test func aStrengthThatThisStoreNeverReachesIsRefused() async throws {
        let unreached = VaultError.authentication(.strengthNotReached)
        #expect(try await refusal(KeyOptions(), strength: .strong) == unreached)
        #expect(try await refusal(KeyOptions(), strength: nil) == unreached)
        #expect(
            try await refusal(KeyOptions(minimumStrength: .strong), strength: .weak) == unreached)
        #expect(try await refusal(KeyOptions(), strength: .weak) == nil)
        #expect(try await refusal(KeyOptions(), strength: .convenience) == nil)
    }

    // MARK: Listing

    @Test func keysAreListedByNameWithAllThatMayBeKnown() async throws {
        let bench = try await VaultBench.open()
        try await bench.enroll()
        try await bench.put(as: "b", hasRecovery: false)
        let put = try await bench.put(as: "a/c", access: .deviceCredential)
        let keys = try await bench.vault.keys(of: VaultBench.subject)
        #expect(keys.map(\.name.text) == ["a/c", "b"])
        #expect(keys[0] == put)
        #expect(keys[0].minimumStrength == nil)
        #expect(keys[1].access == .biometryCurrentSet.or(.deviceCredential))
        #expect(keys[1].hasRecovery == false)
        #expect(keys[1].created == 1_700_000_200)
        #expect(try await bench.vault.key(KeyName("b"), of: VaultBench.subject).info == keys[1])
        await #expect(throws: VaultError.noSuchKey) {
            try await bench.vault.key(KeyName("c"), of: VaultBench.subject)
        }
        #expect(try await bench.vault.keys(of: Subject(uid: 1)).isEmpty)
    }

    @Test func theStateSaysWhichWaysAreLeft() async throws {
        let bench = try await VaultBench.open()
        try await bench.enroll()
        try await bench.put(as: "any", access: .biometryAny)
        try await bench.put(as: "both", access: .biometryCurrentSet.or(.deviceCredential))
        try await bench.put(as: "finger", access: .biometryCurrentSet)
        try await bench.put(as: "lost", access: .biometryCurrentSet, hasRecovery: false)
        try await bench.enroll(.leftThumb, "other")
        #expect(
            try await bench.vault.keys(of: VaultBench.subject).map(\.state)
                == [.open, .fingerDead, .recoveryOnly, .dead])
    }

    // MARK: Replacing and removing

    @Test func replacingNeedsWhatOpeningNeeds() async throws {
        let bench = try await VaultBench.open()
        try await bench.enroll()
        try await bench.put(access: .biometryAny)
        let purpose = try await bench.purpose(of: "key")
        await #expect(throws: VaultError.self) {
            _ = try await bench.vault.replace(
                secret("new"), as: KeyName("key"), options: KeyOptions(access: .deviceCredential),
                strength: nil, isSimulated: false, grant: bench.credential(purpose), at: 0)
        }
        await #expect(throws: VaultError.emptySecret) {
            _ = try await bench.vault.replace(
                secret(""), as: KeyName("key"), options: KeyOptions(access: .deviceCredential),
                strength: nil, isSimulated: false, grant: bench.finger(purpose), at: 0)
        }
        #expect(try await bench.get() == "s3cret")
        let info = try await bench.vault.replace(
            secret("new"), as: KeyName("key"), options: KeyOptions(access: .deviceCredential),
            strength: nil, isSimulated: false, grant: bench.finger(purpose), at: 5)
        #expect(info.access == .deviceCredential)
        #expect(info.created == 5)
        #expect(try await bench.getWithPin() == "new")
    }

    @Test func removingNeedsWhatOpeningNeeds() async throws {
        let bench = try await VaultBench.open()
        try await bench.enroll()
        try await bench.put(access: .biometryAny)
        let purpose = try await bench.purpose(of: "key")
        await #expect(throws: VaultError.self) {
            try await bench.vault.remove(KeyName("key"), grant: bench.credential(purpose))
        }
        #expect(try await bench.get() == "s3cret")
        let late = try await bench.finger(purpose)
        try await bench.vault.remove(KeyName("key"), grant: bench.finger(purpose))
        await #expect(throws: VaultError.noSuchKey) { try await bench.get() }
        #expect(await bench.refusal(late) == .noSuchKey)
    }

    // MARK: Simulated readers

    @Test func aSimulatedKeyOpensWithLeaveOnly() async throws {
        let bench = try await VaultBench.open()
        try await bench.enroll(isSimulated: true)
        let info = try await bench.put(isSimulated: true)
        #expect(info.isSimulated)
        let refused = VaultError.authentication(.simulatedNotAllowed)
        await #expect(throws: refused) { try await bench.get() }
        await #expect(throws: refused) { try await bench.getWithPin() }
        let purpose = try await bench.purpose(of: "key")
        let opened = try await bench.vault.open(
            KeyName("key"),
            grant: bench.finger(purpose, isSimulated: true, allowsSimulated: true))
        #expect(text(opened) == "s3cret")
    }

    @Test func aSimulatedFingerOpensNoRealKey() async throws {
        let bench = try await VaultBench.open()
        try await bench.enroll()
        try await bench.put()
        let purpose = try await bench.purpose(of: "key")
        await #expect(throws: VaultError.authentication(.simulatedNotAllowed)) {
            _ = try await bench.vault.open(
                KeyName("key"),
                grant: bench.finger(purpose, isSimulated: true, allowsSimulated: true))
        }
    }
}
