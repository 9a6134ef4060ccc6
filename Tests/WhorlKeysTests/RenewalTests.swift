import Synchronization
import Testing
import WhorlBiometrics
import WhorlCrypto

@testable import WhorlKeys

/// Another PIN, another recovery key, and keys that open again.
struct RenewalTests {
    private let bench: VaultBench
    private let recoveryKey: String
    private let subject = VaultBench.subject
    private let new = "battery staple"

    init() async throws {
        bench = try await VaultBench.open(setUp: false)
        recoveryKey = try await bench.setUp()
        try await bench.enroll()
    }

    private func putOneOfEach(_ bench: VaultBench? = nil) async throws {
        let bench = bench ?? self.bench
        try await bench.put("a", as: "either")
        try await bench.put("f", as: "finger", access: .biometryCurrentSet)
        try await bench.put("p", as: "pin", access: .deviceCredential)
        try await bench.put("l", as: "lonely", hasRecovery: false)
    }

    private func states() async throws -> [String: KeyState] {
        Dictionary(
            uniqueKeysWithValues: try await bench.vault.keys(of: subject).map {
                ($0.name.text, $0.state)
            })
    }

    // MARK: Refusals

    @Test(arguments: [GrantPurpose.changeCredential, .renewRecovery, .renewKeys])
    func aFingerIsNotEnough(purpose: GrantPurpose) async throws {
        try await putOneOfEach()
        for factors in [[.finger], [.finger, .recoveryKey], [.deviceCredential]]
            as [Set<AuthenticationFactor>]
        {
            let grant = bench.mint.mint(
                purpose: purpose, subject: subject, request: RequestID(), factors: factors,
                credential: nil, strength: .weak, isSimulated: false, allowsSimulated: false,
                generation: 2, at: bench.clock.now())
            let refusal = try await refusal(of: purpose, grant)
            guard case .authentication(.notPermitted) = refusal else {
                Issue.record("\(String(describing: refusal))")
                continue
            }
        }
        #expect(try await bench.getWithPin("pin") == "p")
    }

    @Test(arguments: [GrantPurpose.changeCredential, .renewRecovery, .renewKeys])
    func aGrantForSomethingElseIsRefused(purpose: GrantPurpose) async throws {
        let others: [GrantPurpose] = [
            .authenticate, .changeEnrollment, .changeConsent, .reset, .renewKeys, .renewRecovery,
            .changeCredential,
        ]
        for other in others where other != purpose {
            let refusal = try await refusal(of: purpose, bench.credential(other))
            #expect(refusal == .internalError("a grant for something else was given"))
        }
    }

    @Test func aGrantThatIsTooOldIsRefused() async throws {
        let grant = try await bench.credential(.changeCredential)
        bench.clock.advance(nanoseconds: 11_000_000_000)
        #expect(
            try await refusal(of: .changeCredential, grant) == .authentication(.systemCancelled))
    }

    @Test func theRecoveryKeyOfAnotherSubjectIsNone() async throws {
        let second = try Subject(name: "second")
        let theirs = try await bench.setUp(second)
        await #expect(throws: VaultError.authentication(.wrongRecoveryKey)) {
            _ = try await bench.vault.checkRecoveryKey(held(theirs), of: subject)
        }
        await #expect(throws: VaultError.self) {
            _ = try await bench.vault.checkRecoveryKey(held("nonsense"), of: subject)
        }
    }

    private func refusal(
        of purpose: GrantPurpose, _ grant: consuming Grant
    ) async throws -> VaultError? {
        let pin = try held(new)
        do throws(VaultError) {
            switch purpose {
            case .changeCredential:
                _ = try await bench.vault.changeCredential(to: pin, grant: grant)
            case .renewRecovery:
                _ = try await bench.vault.renewRecovery(grant) { _ throws(VaultError) in }
            default: _ = try await bench.vault.renewKeys(nil, grant: grant)
            }
            return nil
        } catch { return error }
    }

    // MARK: The PIN

    @Test func afterAChangeEverythingOpensAsBeforeWithTheNewPIN() async throws {
        try await putOneOfEach()
        let lost = try await bench.vault.changeCredential(
            to: held(new), grant: bench.credential(.changeCredential))
        #expect(lost.isEmpty)
        await #expect(throws: VaultError.authentication(.wrongCredential)) {
            _ = try await bench.proof()
        }
        try await bench.put("later", as: "later")
        let again = try await bench.reopened()
        for (name, value) in ["either": "a", "pin": "p", "lonely": "l", "later": "later"] {
            #expect(try await again.getWithPin(name, pin: new) == value)
        }
        #expect(try await again.get("finger") == "f")
        #expect(try await again.vault.enrollment(of: subject).generation == 2)
        #expect(try await recovered() == ["either", "finger", "later", "pin"])
    }

    @Test func afterAResetThePINOpensWhatTheRecoveryKeyOpens() async throws {
        try await putOneOfEach()
        let lost = try await bench.vault.changeCredential(
            to: held(new), grant: bench.recovery(.changeCredential, recoveryKey))
        #expect(lost.map(\.text) == ["lonely"])
        await #expect(throws: VaultError.authentication(.wrongCredential)) {
            _ = try await bench.proof()
        }
        #expect(try await bench.getWithPin("either", pin: new) == "a")
        #expect(try await bench.getWithPin("pin", pin: new) == "p")
        #expect(try await bench.get("finger") == "f")
        #expect(try await bench.get("lonely") == "l")
        let grant = try await bench.credential(bench.purpose(of: "lonely"), pin: new)
        #expect(await bench.refusal(opening: "lonely", grant) == .credentialWithdrawn)
        #expect(
            try await states() == [
                "either": .open, "finger": .open, "lonely": .credentialDead, "pin": .open,
            ])
        // The next reset finds it as this one left it.
        let next = try await bench.vault.changeCredential(
            to: held("third horse"), grant: bench.recovery(.changeCredential, recoveryKey))
        #expect(next.map(\.text) == ["lonely"])
    }

    @Test(arguments: ["short", "aaaaaaaa", "123456", ""])
    func aNewPINKeepsTheRules(pin: String) async throws {
        await #expect(throws: VaultError.self) {
            _ = try await bench.vault.changeCredential(
                to: held(pin), grant: bench.credential(.changeCredential))
        }
        _ = try await bench.proof()
    }

    @Test func whatANewPINCostsIsMeasuredAndRecorded() async throws {
        #expect(CredentialCost.affordable(leastTook: .milliseconds(10)) == CredentialCost.most)
        #expect(CredentialCost.affordable(leastTook: .milliseconds(90)) == 1 << 16)
        #expect(CredentialCost.affordable(leastTook: .seconds(3)) == CredentialCost.least)
        let temporary = try TemporaryFolder()
        let cheap = try await VaultBench.open(in: temporary)
        try await cheap.put(access: .deviceCredential)
        let opened = try await Vault.open(database: cheap.database, timekeeper: cheap.clock)
        let usual = opened.vault
        let grant = try await cheap.credential(.changeCredential, by: opened.takeMint())
        _ = try await usual.changeCredential(to: held(new), grant: grant)
        let row = try await cheap.vault.existingRecord(of: subject)
        #expect(row.parameters.cost >= CredentialCost.least)
        #expect(row.parameters.cost <= CredentialCost.most)
        #expect(try await cheap.getWithPin(pin: new) == "s3cret")
    }

    // MARK: The recovery key

    @Test func theOldRecoveryKeyRenewsItselfForEveryKey() async throws {
        try await putOneOfEach()
        let (written, lost) = try await renewed(by: bench.recovery(.renewRecovery, recoveryKey))
        #expect(lost.isEmpty)
        await #expect(throws: VaultError.authentication(.wrongRecoveryKey)) {
            _ = try await bench.vault.checkRecoveryKey(held(recoveryKey), of: subject)
        }
        #expect(try await recovered(with: written) == ["either", "finger", "pin"])
        #expect(try await bench.getWithPin("either") == "a")
        #expect(try await bench.get("finger") == "f")
    }

    @Test func thePINRenewsItForTheKeysThatItOpensAndTheOthersAreLost() async throws {
        try await putOneOfEach()
        let (written, lost) = try await renewed(by: bench.credential(.renewRecovery))
        #expect(lost.map(\.text) == ["finger"])
        #expect(try await recovered(with: written) == ["either", "pin"])
        let finger = try await bench.vault.key(KeyName("finger"), of: subject)
        #expect(!finger.info.hasRecovery)
        #expect(try await bench.get("finger") == "f")
        // The old key must not open it either: it may be in other hands.
        #expect(try bench.storedRecovery(of: "finger") == nil)
        let grant = try await bench.recovery(bench.purpose(of: "finger"), written)
        #expect(await bench.refusal(opening: "finger", grant) == .noRecovery)
    }

    @Test func aKeyThatWasNotHandedOutChangesNothing() async throws {
        try await putOneOfEach()
        let before = bench.temporary.contents(of: StoreDatabase.fileName)
        await #expect(throws: VaultError.storage("the printer is on fire")) {
            _ = try await bench.vault.renewRecovery(bench.credential(.renewRecovery)) {
                _ throws(VaultError) in throw .storage("the printer is on fire")
            }
        }
        #expect(bench.temporary.contents(of: StoreDatabase.fileName) == before)
        #expect(try await recovered() == ["either", "finger", "pin"])
    }

    @Test func theRecoveryKeyOpensASecretAndRemovesIt() async throws {
        try await putOneOfEach()
        let opened = try await bench.vault.open(
            KeyName("finger"), grant: bench.recovery(bench.purpose(of: "finger"), recoveryKey))
        #expect(text(opened) == "f")
        let lonely = try await bench.recovery(bench.purpose(of: "lonely"), recoveryKey)
        #expect(await bench.refusal(opening: "lonely", lonely) == .noRecovery)
        try await bench.vault.remove(
            KeyName("finger"), grant: bench.recovery(bench.purpose(of: "finger"), recoveryKey))
        #expect(try await states()["finger"] == nil)
    }

    private func renewed(by grant: consuming Grant) async throws -> (String, [KeyName]) {
        let kept = KeptText()
        let lost = try await bench.vault.renewRecovery(grant) { (written) throws(VaultError) in
            kept.keep(text(written))
        }
        return (kept.text, lost)
    }

    private func recovered(with written: String? = nil) async throws -> [String] {
        let proof = try await bench.vault.checkRecoveryKey(
            held(written ?? recoveryKey), of: subject)
        return try await bench.vault.recoverableKeys(proof).map(\.text)
    }

    // MARK: Keys

    @Test func aDeadKeyOpensAgainForTheNewSet() async throws {
        try await putOneOfEach()
        try await bench.enroll(.leftThumb, "other")
        #expect(try await states()["either"] == .fingerDead)
        let renewal = try await bench.vault.renewKeys(nil, grant: bench.credential(.renewKeys))
        #expect(renewal.renewed.map(\.name.text) == ["either", "lonely", "pin"])
        #expect(renewal.unopened.map(\.text) == ["finger"])
        #expect(try await bench.get("either") == "a")
        #expect(try await bench.getWithPin("lonely") == "l")
        #expect(try await states()["finger"] == .recoveryOnly)
        let rest = try await bench.vault.renewKeys(
            [KeyName("finger")], grant: bench.recovery(.renewKeys, recoveryKey))
        #expect(rest.renewed.map(\.state) == [.open])
        #expect(try await bench.get("finger") == "f")
        #expect(try await recovered() == ["either", "finger", "pin"])
    }

    @Test func aNameThatIsNotThereChangesNothing() async throws {
        try await bench.put()
        try await bench.enroll(.leftThumb, "other")
        await #expect(throws: VaultError.noSuchKey) {
            _ = try await bench.vault.renewKeys(
                [KeyName("key"), KeyName("none")], grant: bench.credential(.renewKeys))
        }
        #expect(try await states() == ["key": .fingerDead])
    }

    @Test func whileAnEnrolmentIsUnderWayNoKeyIsRenewed() async throws {
        try await bench.put()
        try await bench.vault.beginEnrollment(subject)
        await #expect(throws: VaultError.authentication(.stepUpDue)) {
            _ = try await bench.vault.renewKeys(nil, grant: bench.credential(.renewKeys))
        }
    }

    @Test("A key that nothing opens any more is removed with the PIN", .bug(id: "8"))
    func aDeadKeyIsRemovedWithThePIN() async throws {
        try await putOneOfEach()
        await #expect(throws: VaultError.self) {
            let grant = try await bench.credential(bench.purpose(of: "finger"))
            try await bench.vault.remove(KeyName("finger"), grant: grant)
        }
        try await bench.enroll(.leftThumb, "other")
        await #expect(throws: VaultError.keyInvalidated) {
            let grant = try await bench.finger(bench.purpose(of: "finger"))
            try await bench.vault.remove(KeyName("finger"), grant: grant)
        }
        try await bench.vault.remove(
            KeyName("finger"), grant: bench.credential(bench.purpose(of: "finger")))
        #expect(try await states()["finger"] == nil)
    }
}

/// What happens when something else happens while keys are renewed.
struct RenewalInterruptionTests {
    private let bench: VaultBench
    private let store: InterruptedStore
    private let recoveryKey: String

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
        try await bench.put("first", as: "first")
    }

    private func interrupt(
        _ step: InterruptedStore.Step, _ body: @escaping @Sendable () async throws -> Void
    ) {
        store.interrupt(step) { () throws(VaultError) in
            do { try await body() } catch let error as VaultError { throw error } catch {
                throw .internalError("the interruption failed")
            }
        }
    }

    @Test func aKeyPutWhileThePINIsResetIsNotLost() async throws {
        interrupt(.wrap) { [bench] in try await bench.put("second", as: "second") }
        await #expect(throws: VaultError.storeBusy) {
            _ = try await bench.vault.changeCredential(
                to: held("battery staple"), grant: bench.recovery(.changeCredential, recoveryKey))
        }
        #expect(try await bench.getWithPin("first") == "first")
        #expect(try await bench.getWithPin("second") == "second")
    }

    @Test func aKeyIsNotPutForAPINThatWasResetMeanwhile() async throws {
        interrupt(.wrap) { [bench, recoveryKey] in
            _ = try await bench.vault.changeCredential(
                to: held("battery staple"), grant: bench.recovery(.changeCredential, recoveryKey))
        }
        await #expect(throws: VaultError.storeBusy) { try await bench.put("x", as: "second") }
        #expect(try await bench.getWithPin("first", pin: "battery staple") == "first")
    }

    @Test func keysAreNotRenewedForFingersThatChangedMeanwhile() async throws {
        interrupt(.wrap) { [bench] in try await bench.enroll(.leftThumb, "other") }
        await #expect(throws: VaultError.self) {
            _ = try await bench.vault.renewKeys(nil, grant: bench.credential(.renewKeys))
        }
        let info = try await bench.vault.key(KeyName("first"), of: VaultBench.subject).info
        #expect(info.state == .fingerDead)
        #expect(try await bench.getWithPin("first") == "first")
    }
}
