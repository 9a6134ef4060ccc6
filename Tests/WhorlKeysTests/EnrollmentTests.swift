import Testing
import WhorlBiometrics

@testable import WhorlKeys

struct EnrollmentTests {
    private let subject = VaultBench.subject

    private func state(_ bench: VaultBench) async throws -> EnrollmentState {
        try await bench.vault.enrollment(of: subject)
    }

    @Test func aFingerThatIsEnrolledIsThereAsItWas() async throws {
        let bench = try await VaultBench.open()
        let change = try await bench.enroll(.leftThumb, "template", onChip: true)
        #expect(change.generation == 2)
        #expect(change.deadKeys.isEmpty)
        #expect(change.replaced == nil)
        let stored = try #require(try await state(bench).prints.first)
        #expect(stored.finger == .leftThumb)
        #expect(stored.reader == VaultBench.reader)
        #expect(stored.enrolled == 1_700_000_100)
        #expect(stored.isStoredOnChip)
        #expect(!stored.isSimulated)
        let print = try await bench.reopened().vault.print(stored.id, of: subject)
        #expect(bytes(of: print) == Array("FP3template".utf8))
        #expect(print.isStoredOnChip)
        #expect(!bench.files().holds("FP3template".utf8))
    }

    @Test func everyKindOfPortIsKept() async throws {
        let ports: [ReaderPort] = [
            .usb(sysfsPath: "p/1", removable: true), .usb(sysfsPath: "p/2", removable: false),
            .usb(sysfsPath: "p/3", removable: nil), .none, .unknown,
        ]
        let fingers: [Finger] = [
            .leftThumb, .leftIndexFinger, .leftMiddleFinger, .leftRingFinger, .leftLittleFinger,
        ]
        let bench = try await VaultBench.open()
        for (finger, port) in zip(fingers, ports) {
            try await bench.vault.beginEnrollment(subject)
            _ = try await bench.vault.commitEnrollment(
                finger: finger, print: print("x"),
                reader: ReaderIdentity(driver: "d", deviceID: "", port: port), isSimulated: false,
                keys: .drop, grant: bench.credential(.changeEnrollment), at: 0)
        }
        let prints = try await state(bench).prints
        for (finger, port) in zip(fingers, ports) {
            #expect(prints.first { $0.finger == finger }?.reader.port == port)
        }
    }

    // MARK: Who may change it

    private func commit(
        _ bench: VaultBench, grant: consuming Grant, isSimulated: Bool = false
    ) async -> VaultError? {
        guard let print = try? print("x") else { return .internalError("no print") }
        do throws(VaultError) {
            _ = try await bench.vault.commitEnrollment(
                finger: .leftThumb, print: print, reader: VaultBench.reader,
                isSimulated: isSimulated, keys: .drop, grant: grant, at: 0)
            return nil
        } catch { return error }
    }

    private func remove(_ bench: VaultBench, grant: consuming Grant) async -> VaultError? {
        do throws(VaultError) {
            _ = try await bench.vault.removeFinger(.rightIndexFinger, grant: grant)
            return nil
        } catch { return error }
    }

    @Test func theEnrolmentChangesWithTheCredentialOnly() async throws {
        let bench = try await VaultBench.open()
        try await bench.enroll()
        let before = try await state(bench)
        try await bench.vault.beginEnrollment(subject)
        #expect(await commit(bench, grant: try bench.finger(.changeEnrollment)) != nil)
        #expect(await remove(bench, grant: try bench.finger(.changeEnrollment)) != nil)
        // The credential without its proof is a claim.
        for factors in [[.deviceCredential], [.finger, .deviceCredential], []]
            as [Set<AuthenticationFactor>]
        {
            func claim() -> Grant {
                bench.mint.mint(
                    purpose: .changeEnrollment, subject: subject, request: RequestID(),
                    factors: factors, credential: nil, strength: nil, isSimulated: false,
                    allowsSimulated: false, generation: 2, at: bench.clock.now())
            }
            #expect(await commit(bench, grant: claim()) != nil)
            #expect(await remove(bench, grant: claim()) != nil)
        }
        for purpose in [.authenticate, .clearLockout] as [GrantPurpose] {
            #expect(await commit(bench, grant: try bench.credential(purpose)) != nil)
            #expect(await remove(bench, grant: try bench.credential(purpose)) != nil)
        }
        let stale = try await bench.credential(.changeEnrollment)
        let stale2 = try await bench.credential(.changeEnrollment)
        bench.clock.advance(nanoseconds: 10_000_000_001)
        #expect(await commit(bench, grant: stale) == .authentication(.systemCancelled))
        #expect(await remove(bench, grant: stale2) == .authentication(.systemCancelled))
        try await bench.vault.abandonEnrollment(subject)
        #expect(try await state(bench) == before)
    }

    @Test func anEnrolmentThatDidNotBeginCannotEnd() async throws {
        let bench = try await VaultBench.open()
        #expect(await commit(bench, grant: try bench.credential(.changeEnrollment)) != nil)
        #expect(try await state(bench).prints.isEmpty)
    }

    @Test func aSimulatedReaderEnrolsWithLeaveOnly() async throws {
        let bench = try await VaultBench.open()
        try await bench.vault.beginEnrollment(subject)
        #expect(
            await commit(
                bench, grant: try bench.credential(.changeEnrollment), isSimulated: true)
                == .authentication(.simulatedNotAllowed))
        #expect(
            await commit(
                bench, grant: try bench.credential(.changeEnrollment, allowsSimulated: true),
                isSimulated: true) == nil)
        #expect(try await state(bench).prints.first?.isSimulated == true)
    }

    // MARK: The pending mark

    @Test func theMarkIsOnDiskWhenItIsSet() async throws {
        let bench = try await VaultBench.open()
        try await bench.enroll()
        try await bench.put()
        try await bench.vault.beginEnrollment(subject)
        let after = try await bench.reopened()
        #expect(try await state(after).isPending)
        await #expect(throws: VaultError.authentication(.stepUpDue)) { try await after.get() }
        #expect(try await after.getWithPin() == "s3cret")
    }

    @Test func anAbandonedEnrolmentKillsNothing() async throws {
        let bench = try await VaultBench.open()
        try await bench.enroll()
        try await bench.put()
        let before = try await state(bench)
        try await bench.vault.beginEnrollment(subject)
        #expect(try await state(bench).stateHash == before.stateHash)
        try await bench.vault.abandonEnrollment(subject)
        #expect(try await state(bench) == before)
        #expect(try await bench.get() == "s3cret")
        try await bench.vault.abandonEnrollment(subject)
        #expect(try await state(bench) == before)
    }

    // Otherwise "begin, abandon" would take away the mark that a crash left.
    @Test func aSecondEnrolmentDoesNotBeginOverAMark() async throws {
        let bench = try await VaultBench.open()
        try await bench.vault.beginEnrollment(subject)
        await #expect(throws: VaultError.authentication(.stepUpDue)) {
            try await bench.vault.beginEnrollment(subject)
        }
    }

    @Test func aMarkThatACrashLeftCostsTheGeneration() async throws {
        let bench = try await VaultBench.open()
        try await bench.enroll()
        try await bench.put(as: "current")
        try await bench.put(as: "any", access: .biometryAny)
        try await bench.vault.beginEnrollment(subject)
        await #expect(throws: VaultError.self) {
            _ = try await bench.vault.resolvePendingEnrollment(bench.finger(.changeEnrollment))
        }
        let dead = try await bench.vault.resolvePendingEnrollment(
            bench.credential(.changeEnrollment))
        #expect(dead.map(\.text) == ["current"])
        #expect(try await state(bench).generation == 3)
        #expect(try await !state(bench).isPending)
        await #expect(throws: VaultError.keyInvalidated) { try await bench.get("current") }
        #expect(try await bench.get("any") == "s3cret")
        #expect(try await bench.getWithPin("current") == "s3cret")
    }

    @Test func withoutAMarkNothingIsResolved() async throws {
        let bench = try await VaultBench.open()
        try await bench.enroll()
        let before = try await state(bench)
        #expect(
            try await bench.vault.resolvePendingEnrollment(bench.credential(.changeEnrollment))
                .isEmpty)
        #expect(try await state(bench) == before)
    }

    // MARK: Generations

    @Test func addingAFingerKillsCurrentSetKeysForTheFingerForGood() async throws {
        let bench = try await VaultBench.open()
        try await bench.enroll()
        try await bench.put("c", as: "current")
        try await bench.put("a", as: "any", access: .biometryAny)
        let before = try await state(bench)
        let change = try await bench.enroll(.leftThumb, "other")
        #expect(change.generation == 3)
        #expect(change.deadKeys.map(\.text) == ["current"])
        #expect(try await state(bench).stateHash != before.stateHash)
        await #expect(throws: VaultError.keyInvalidated) { try await bench.get("current") }
        #expect(try await bench.getWithPin("current") == "c")
        #expect(try await bench.get("any") == "a")
        // Going back to the old set of fingers is no way back.
        let removal = try await bench.vault.removeFinger(
            .leftThumb, grant: bench.credential(.changeEnrollment))
        #expect(removal.deadKeys.isEmpty)
        await #expect(throws: VaultError.keyInvalidated) { try await bench.get("current") }
        // A key that died before is not said to die again.
        #expect(try await bench.enroll(.leftThumb, "other").deadKeys.isEmpty)
    }

    @Test func replacingAFingerGivesTheOldPrintOutAndMovesTheGeneration() async throws {
        let bench = try await VaultBench.open()
        try await bench.enroll(.leftThumb, "old", onChip: true)
        try await bench.put()
        let old = try #require(try await state(bench).prints.first)
        let change = try await bench.enroll(.leftThumb, "new", onChip: true)
        let replaced = try #require(change.replaced)
        #expect(bytes(of: replaced) == Array("FP3old".utf8))
        #expect(replaced.isStoredOnChip)
        #expect(change.deadKeys.map(\.text) == ["key"])
        let prints = try await state(bench).prints
        #expect(prints.map(\.finger) == [.leftThumb])
        #expect(prints[0].id != old.id)
        await #expect(throws: VaultError.self) {
            _ = try await bench.vault.print(old.id, of: subject)
        }
    }

    @Test func removingOneOfSeveralFingersKillsNothing() async throws {
        let bench = try await VaultBench.open()
        try await bench.enroll()
        try await bench.enroll(.leftThumb, "other")
        try await bench.put()
        let before = try await state(bench)
        let change = try await bench.vault.removeFinger(
            .leftThumb, grant: bench.credential(.changeEnrollment))
        #expect(change.generation == 3)
        #expect(change.deadKeys.isEmpty)
        #expect(try await state(bench).prints.map(\.finger) == [.rightIndexFinger])
        #expect(try await state(bench).stateHash != before.stateHash)
        #expect(try await bench.get() == "s3cret")
    }

    @Test func removingTheLastFingerKillsAndPuttingItBackDoesNotRevive() async throws {
        let bench = try await VaultBench.open()
        try await bench.enroll()
        try await bench.put("c", as: "current")
        try await bench.put("a", as: "any", access: .biometryAny)
        let change = try await bench.vault.removeFinger(
            .rightIndexFinger, grant: bench.credential(.changeEnrollment))
        #expect(change.generation == 3)
        #expect(change.deadKeys.map(\.text) == ["current"])
        await #expect(throws: VaultError.authentication(.notEnrolled)) {
            try await bench.get("any")
        }
        try await bench.enroll()
        await #expect(throws: VaultError.keyInvalidated) { try await bench.get("current") }
        #expect(try await bench.get("any") == "a")
    }

    @Test func aFingerThatIsNotEnrolledCannotBeRemoved() async throws {
        let bench = try await VaultBench.open()
        try await bench.enroll()
        await #expect(throws: VaultError.noSuchFinger(.leftThumb)) {
            _ = try await bench.vault.removeFinger(
                .leftThumb, grant: bench.credential(.changeEnrollment))
        }
    }

    @Test func aRemovalLeavesAMarkStanding() async throws {
        let bench = try await VaultBench.open()
        try await bench.enroll()
        try await bench.vault.beginEnrollment(subject)
        _ = try await bench.vault.removeFinger(
            .rightIndexFinger, grant: bench.credential(.changeEnrollment))
        #expect(try await state(bench).isPending)
    }

    // MARK: Carrying

    @Test func carriedKeysOpenWithTheNewSetAndByEveryWay() async throws {
        let bench = try await VaultBench.open()
        let recovery = try await bench.reopened()
        try await bench.enroll()
        try await bench.put("c", as: "current")
        let id = try await bench.purpose(of: "current")
        let change = try await bench.enroll(.leftThumb, "other", keys: .carry)
        #expect(change.deadKeys.isEmpty)
        #expect(try await bench.purpose(of: "current") == id)
        #expect(try await recovery.get("current") == "c")
        #expect(try await bench.getWithPin("current") == "c")
        #expect(try await bench.vault.keys(of: subject).map(\.generation) == [3])
    }

    @Test(
        "Whoever knows the PIN cannot enrol their finger into a key that the PIN does not open",
        .bug(id: "23"),
        arguments: ["biometryCurrentSet", "biometryCurrentSet and deviceCredential"])
    func whatThePINDoesNotOpenIsNotCarried(access: String) async throws {
        let bench = try await VaultBench.open()
        try await bench.enroll()
        try await bench.put("f", as: "finger", access: AccessControl(parsing: access))
        let change = try await bench.enroll(.leftThumb, "other", keys: .carry)
        #expect(change.deadKeys.map(\.text) == ["finger"])
        let info = try await bench.vault.key(KeyName("finger"), of: subject).info
        #expect(info.state == .recoveryOnly)
    }

    @Test func aKeyThatIsDeadAlreadyIsNotCarried() async throws {
        let bench = try await VaultBench.open()
        try await bench.enroll()
        try await bench.put()
        try await bench.enroll(.leftThumb, "other")
        try await bench.enroll(.rightThumb, "third", keys: .carry)
        await #expect(throws: VaultError.keyInvalidated) { try await bench.get() }
        #expect(try await bench.vault.key(KeyName("key"), of: subject).info.generation == 2)
    }

    @Test func theFirstFingerHasNothingToCarry() async throws {
        let bench = try await VaultBench.open()
        try await bench.put(access: .deviceCredential)
        #expect(try await bench.enroll(keys: .carry).deadKeys.isEmpty)
        #expect(try await bench.getWithPin() == "s3cret")
    }

    // MARK: Subjects

    @Test func subjectsHaveTheirOwnFingersAndGenerations() async throws {
        let bench = try await VaultBench.open()
        let other = try Subject(name: "other")
        try await bench.setUp(other, pin: "another horse")
        try await bench.enroll()
        try await bench.put()
        try await bench.enroll(.leftThumb, of: other, pin: "another horse")
        try await bench.vault.beginEnrollment(other)
        #expect(try await bench.get() == "s3cret")
        #expect(try await state(bench).prints.count == 1)
        let theirs = try await bench.vault.enrollment(of: other)
        await #expect(throws: VaultError.self) {
            _ = try await bench.vault.print(theirs.prints[0].id, of: subject)
        }
    }
}
