import Testing
import WhorlBiometrics
import WhorlDatabase
import WhorlSecrets
import WhorlSensorLab

@testable import WhorlAuthentication
@testable import WhorlKeys

/// What only the owner of a store does with it, through a session.
struct OwnershipTests {
    private let new = "battery staple"

    private func held(_ text: String) throws -> HeldSecret { HeldSecret(try secret(text)) }

    // MARK: Refusals

    @Test func aWrongPINChangesNothingAndCounts() async throws {
        let bench = try await SessionBench.open()
        for _ in 0..<5 {
            await #expect(throws: VaultError.authentication(.wrongCredential)) {
                _ = try await bench.session.ownership.changeCredential(
                    to: held(new), request: bench.request(pin: "wrong horse"))
            }
        }
        await #expect(throws: VaultError.authentication(.credentialThrottled(remainingSeconds: 30)))
        {
            _ = try await bench.session.ownership.changeCredential(
                to: held(new), request: bench.request(pin: SessionBench.pin))
        }
        bench.timekeeper.advance(seconds: 31)
        _ = try await bench.session.ownership.changeCredential(
            to: held(new), request: bench.request(pin: SessionBench.pin))
    }

    @Test func aPINThatCannotStandIsSaidBeforeTheOldOneIsAskedFor() async throws {
        let bench = try await SessionBench.open()
        await #expect(throws: VaultError.self) {
            _ = try await bench.session.ownership.changeCredential(
                to: held("short"), request: bench.request())
        }
        #expect(bench.prompter.prompts.isEmpty)
    }

    @Test func anotherRecoveryKeyOpensNothingAndCountsNothing() async throws {
        let bench = try await SessionBench.open()
        let other = try await SessionBench.open()
        try await bench.put(access: .deviceCredential)
        for _ in 0..<30 {
            await #expect(throws: VaultError.authentication(.wrongRecoveryKey)) {
                _ = try await bench.session.vault.get(
                    KeyName("key"), request: other.recovery())
            }
        }
        #expect(try await bench.get(pin: SessionBench.pin) == "s3cret")
    }

    @Test func noCallWithTheRecoveryKeyArmsTheSensor() async throws {
        let bench = try await SessionBench.open()
        try await bench.enroll()
        try await bench.put()
        let before = bench.reader.commands.count
        _ = try await bench.session.vault.get(KeyName("key"), request: bench.recovery())
        _ = try await bench.session.vault.rebind(nil, request: bench.recovery())
        #expect(bench.reader.commands.count == before)
    }

    // MARK: What they do

    @Test func aResetEndsTheWaitAfterWrongPINsAndTheLockout() async throws {
        let bench = try await SessionBench.open()
        try await bench.enroll()
        try await bench.put()
        for _ in 0..<5 {
            _ = try? await bench.get(pin: "wrong horse")
            bench.reader.touch("stranger")
            _ = try? await bench.get(tries: 1)
        }
        #expect(try await bench.failures() == 5)
        _ = try await bench.session.ownership.changeCredential(
            to: held(new), request: bench.recovery())
        #expect(try await bench.failures() == 0)
        #expect(try await bench.get(pin: new) == "s3cret")
        bench.reader.touch("own")
        #expect(try await bench.get() == "s3cret")
    }

    @Test func theRecoveryKeyUnlocksAndAnotherOneDoesNot() async throws {
        let bench = try await SessionBench.open(prompter: TestPrompter(takesCredentials: false))
        let other = try await SessionBench.open()
        try await bench.enroll()
        try await bench.put()
        for _ in 0..<5 { bench.reader.touch("stranger") }
        _ = try? await bench.get(tries: 5)
        await #expect(throws: AuthenticationError.wrongRecoveryKey) {
            try await bench.session.unlock(request: other.recovery())
        }
        #expect(try await bench.failures() == 5)
        try await bench.session.unlock(request: bench.recovery())
        #expect(try await bench.failures() == 0)
        bench.reader.touch("own")
        #expect(try await bench.get() == "s3cret")
    }

    @Test func theRecoveryKeyIsCheckedAndRenewed() async throws {
        let bench = try await SessionBench.open()
        try await bench.put(access: .deviceCredential)
        let ownership = bench.session.ownership
        #expect(
            try await ownership.checkRecovery(held(bench.recoveryKey)).map(\.text) == ["key"])
        let kept = KeptText()
        let lost = try await ownership.renewRecovery(request: bench.request(pin: SessionBench.pin))
        { (written) throws(VaultError) in kept.keep(text(written)) }
        #expect(lost.isEmpty)
        await #expect(throws: VaultError.authentication(.wrongRecoveryKey)) {
            _ = try await ownership.checkRecovery(held(bench.recoveryKey))
        }
        #expect(try await ownership.checkRecovery(held(kept.text)).map(\.text) == ["key"])
    }

    @Test("A key whose finger's way died opens again after it was bound anew", .bug(id: "8"))
    func aDeadKeyIsBoundAnew() async throws {
        let bench = try await SessionBench.open()
        try await bench.enroll()
        try await bench.put()
        try await bench.put("f", as: "mine", access: .biometryCurrentSet)
        try await bench.enroll("other", as: .leftThumb)
        let renewal = try await bench.session.vault.rebind(
            nil, request: bench.request(pin: SessionBench.pin))
        #expect(renewal.renewed.map(\.name.text) == ["key"])
        #expect(renewal.unopened.map(\.text) == ["mine"])
        bench.reader.touch("other")
        #expect(try await bench.get() == "s3cret")
        let rest = try await bench.session.vault.rebind(
            [KeyName("mine")], request: bench.recovery())
        #expect(rest.renewed.map(\.name.text) == ["mine"])
        bench.reader.touch("own")
        #expect(try await bench.get("mine") == "f")
    }

    @Test("A key that nothing opens any more is removed with the PIN", .bug(id: "8"))
    func aDeadKeyIsRemoved() async throws {
        let bench = try await SessionBench.open()
        try await bench.enroll()
        try await bench.put("f", as: "mine", access: .biometryCurrentSet)
        try await bench.enroll("other", as: .leftThumb)
        try await bench.session.vault.remove(
            KeyName("mine"), request: bench.request(pin: SessionBench.pin))
        #expect(try await bench.session.vault.list().isEmpty)
    }

    // MARK: A list of fingers that something else changed

    @Test("A list of fingers that something else changed keeps nobody from the PIN", .bug(id: "23"))
    func aChangedListClosesTheFingersWaysOnly() async throws {
        let bench = try await SessionBench.open(prompter: TestPrompter(takesCredentials: false))
        try await bench.enroll()
        try await bench.put()
        try await bench.damageEnrollment()
        let commands = bench.reader.commands.count
        await #expect(throws: VaultError.self) { _ = try await bench.get() }
        #expect(bench.reader.commands.count == commands)
        #expect(try await bench.get(pin: SessionBench.pin) == "s3cret")
        try await bench.session.unlock(request: bench.request(pin: SessionBench.pin))
        #expect(try await bench.session.fingers.list().isEmpty)
        await #expect(throws: VaultError.authentication(.notEnrolled)) { _ = try await bench.get() }
        try await bench.enroll()
        _ = try await bench.session.vault.rebind(
            nil, request: bench.request(pin: SessionBench.pin))
        bench.reader.touch("own")
        #expect(try await bench.get() == "s3cret")
    }

    @Test func enrollingAfterAChangeOfTheListStartsTheListAnew() async throws {
        let bench = try await SessionBench.open()
        try await bench.enroll()
        try await bench.put()
        try await bench.damageEnrollment()
        try await bench.enroll("other", as: .leftThumb, keys: .carry)
        #expect(try await bench.session.fingers.list().map(\.finger) == [.leftThumb])
        #expect(try await bench.session.vault.list().map(\.state) == [.fingerDead])
    }
}

extension SessionBench {
    /// Changes a print's row as somebody would who can write the file.
    func damageEnrollment() async throws {
        let database = try await StoreDatabase.open(folder: folder + "/store", creating: false)
        try await Tampering(database: database).run(
            "UPDATE print SET finger = 'left-little-finger'")
    }
}

private actor Tampering {
    private let database: StoreDatabase
    nonisolated var unownedExecutor: UnownedSerialExecutor {
        unsafe database.thread.asUnownedSerialExecutor()
    }

    init(database: StoreDatabase) { self.database = database }

    func run(_ sql: String) throws {
        #expect(try database.connection.run(sql) == 1)
    }
}
