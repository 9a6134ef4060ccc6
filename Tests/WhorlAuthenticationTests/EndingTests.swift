import Synchronization
import Testing
import WhorlBiometrics
import WhorlDatabase
import WhorlKeys
import WhorlSecrets
import WhorlSensorLab

@testable import WhorlAuthentication

struct EndingTests {
    private static let chip: ReaderFeatures = [
        .verify, .identify, .storage, .storageDelete, .storageList,
    ]
    private let disabled = VaultError.authentication(.disabledByPolicy)

    private func bench() async throws -> SessionBench {
        let bench = try await SessionBench.open(
            reader: .scripted(features: Self.chip),
            prompter: TestPrompter(takesCredentials: false))
        try await bench.enroll()
        try await bench.put()
        return bench
    }

    private func rows(of table: String, in bench: SessionBench) throws -> Int64 {
        let database = try Database(
            inFolder: bench.folder + "/store", named: StoreDatabase.fileName, create: false)
        let sql =
            switch table {
            case "attempts": "SELECT count(*) FROM attempts"
            case "approved_ports": "SELECT count(*) FROM approved_ports"
            default: "SELECT count(*) FROM subject"
            }
        return try database.row(sql) { (row) throws(DatabaseError) in try row.integer(0) } ?? -1
    }

    // MARK: Revoking

    @Test func afterARevocationEveryWayWithAFingerIsRefusedAsSuch() async throws {
        let bench = try await bench()
        let done = try await bench.session.ownership.revokeConsent(
            request: bench.request(pin: SessionBench.pin))
        #expect(done.fingers == [.rightIndexFinger])
        #expect(done.leftOnReader.isEmpty)
        #expect(done.keptKeys.map(\.text) == ["key"])
        #expect(bench.reader.words.suffix(3) == ["open", "delete", "close"])
        let before = bench.reader.words.count

        await #expect(throws: disabled) { try await bench.get() }
        await #expect(throws: disabled) {
            try await bench.session.fingers.verify(nil, request: bench.request())
        }
        await #expect(throws: disabled) { try await bench.enroll() }
        await #expect(throws: disabled) { try await bench.put(as: "new", access: .biometryAny) }
        #expect(
            await bench.session.canAuthenticate(.weak) == .notPermitted(.disabledByPolicy))
        #expect(bench.reader.words.count == before)
        #expect(try await bench.get(pin: SessionBench.pin) == "s3cret")
        #expect(
            try await bench.session.report().consent == .revoked(at: bench.timekeeper.unixTime()))
    }

    @Test func withoutThePinNothingIsRevokedAndNoChipTouched() async throws {
        let bench = try await bench()
        let before = bench.reader.words.count
        await #expect(throws: VaultError.authentication(.wrongCredential)) {
            try await bench.session.ownership.revokeConsent(
                request: bench.request(pin: "wrong one"))
        }
        await #expect(throws: VaultError.authentication(.notInteractive)) {
            try await bench.session.ownership.revokeConsent(request: bench.request())
        }
        #expect(bench.reader.words.count == before)
        bench.reader.touch("own")
        #expect(try await bench.get() == "s3cret")
    }

    @Test func aPrintOnAReaderThatIsNotHereIsListed() async throws {
        let bench = try await bench()
        let elsewhere = try await SessionBench.open(
            folder: bench.folder, reader: .scripted(driver: "other", features: Self.chip),
            prompter: TestPrompter(takesCredentials: false), timekeeper: bench.timekeeper)
        let done = try await elsewhere.session.ownership.revokeConsent(
            request: elsewhere.request(pin: SessionBench.pin))
        #expect(
            done.leftOnReader == [LeftPrint(finger: .rightIndexFinger, reason: .readerNotFound)])
        #expect(try await elsewhere.session.fingers.list().isEmpty)
    }

    @Test func aChipThatDoesNotDeleteKeepsNobodyFromRevoking() async throws {
        let bench = try await bench()
        let fault = AuthenticationError.readerFault(.whorl("no"))
        bench.reader.script(.delete, .end(.failed(fault)))
        let done = try await bench.session.ownership.revokeConsent(
            request: bench.request(pin: SessionBench.pin))
        #expect(done.leftOnReader == [LeftPrint(finger: .rightIndexFinger, reason: fault)])
        await #expect(throws: disabled) { try await bench.get() }
    }

    @Test func consentGivenAgainLetsFingersBeEnrolledAndKeysBeBoundAnew() async throws {
        let bench = try await bench()
        _ = try await bench.session.ownership.revokeConsent(
            request: bench.request(pin: SessionBench.pin))
        await #expect(throws: VaultError.authentication(.wrongCredential)) {
            try await bench.session.ownership.giveConsent(request: bench.request(pin: "wrong one"))
        }
        try await bench.session.ownership.giveConsent(request: bench.request(pin: SessionBench.pin))
        try await bench.enroll()
        await #expect(throws: VaultError.keyInvalidated) { try await bench.get() }
        _ = try await bench.session.vault.rebind(nil, request: bench.request(pin: SessionBench.pin))
        bench.reader.touch("own")
        #expect(try await bench.get() == "s3cret")
    }

    // MARK: Switching off

    @Test func fingersAreSwitchedOffForNothingAndOnForThePin() async throws {
        let bench = try await bench()
        let ownership = bench.session.ownership
        try await ownership.disableFingers()
        await #expect(throws: disabled) { try await bench.get() }
        await #expect(throws: disabled) {
            try await bench.session.fingers.enroll(
                .leftThumb, confirm: true, keys: .drop,
                request: bench.request(pin: SessionBench.pin))
        }
        #expect(try await bench.get(pin: SessionBench.pin) == "s3cret")
        #expect(try await bench.session.report().isDisabled)
        await #expect(throws: VaultError.authentication(.wrongCredential)) {
            try await ownership.enableFingers(request: bench.request(pin: "wrong one"))
        }
        try await ownership.enableFingers(request: bench.request(pin: SessionBench.pin))
        try await ownership.enableFingers(request: bench.request())
        bench.reader.touch("own")
        #expect(try await bench.get() == "s3cret")
    }

    @Test(.timeLimit(.minutes(1)))
    func fingersSwitchedOffWhileThePromptIsOpenOpenNothing() async throws {
        let bench = try await SessionBench.open()
        try await bench.enroll()
        try await bench.put()
        let session = bench.session
        let once = Mutex(false)
        bench.prompter.whenUpdated { state, _ in
            guard state == .touchSensor,
                once.withLock({
                    let was = $0
                    $0 = true
                    return !was
                })
            else { return }
            Task {
                try await session.ownership.disableFingers()
                bench.reader.touch("own")
            }
        }
        await #expect(throws: disabled) { try await bench.get() }
        #expect(try await bench.failures() == 0)
    }

    // MARK: Reset

    @Test func aResetTakesTheCountsAndThePortsToo() async throws {
        let bench = try await bench()
        try await bench.session.unlock(request: bench.request(pin: SessionBench.pin))
        bench.reader.touch("stranger")
        await #expect(throws: VaultError.self) { try await bench.get(tries: 1) }
        #expect(try await bench.failures() == 1)
        #expect(try rows(of: "approved_ports", in: bench) > 0)
        let gone = try await bench.session.ownership.reset(
            request: bench.request(pin: SessionBench.pin))
        #expect(gone.fingers == [.rightIndexFinger])
        #expect(gone.keys.map(\.text) == ["key"])
        #expect(gone.leftOnReader.isEmpty)
        #expect(bench.reader.words.contains("delete"))
        for table in ["attempts", "approved_ports", "subject"] {
            #expect(try rows(of: table, in: bench) == 0, "\(table)")
        }
        let new = try await SessionBench.open(folder: bench.folder)
        #expect(try await new.failures() == 0)
        #expect(try await new.session.vault.list().isEmpty)
    }

    @Test func aWrongPinResetsNothing() async throws {
        let bench = try await bench()
        await #expect(throws: VaultError.authentication(.wrongCredential)) {
            try await bench.session.ownership.reset(request: bench.request(pin: "wrong one"))
        }
        bench.reader.touch("own")
        #expect(try await bench.get() == "s3cret")
    }

    @Test func aResetWithoutThePinWorksWhereThePinMustWait() async throws {
        let bench = try await bench()
        for _ in 0..<5 {
            await #expect(throws: VaultError.self) {
                try await bench.get(pin: "wrong one")
            }
        }
        await #expect(throws: VaultError.authentication(.credentialThrottled(remainingSeconds: 30)))
        {
            try await bench.session.ownership.reset(request: bench.request(pin: SessionBench.pin))
        }
        _ = try await bench.session.ownership.reset(request: nil)
        await #expect(throws: VaultError.notSetUp) {
            try await bench.session.ownership.reset(request: nil)
        }
        let new = try await SessionBench.open(folder: bench.folder)
        try await new.put(access: .deviceCredential)
        #expect(try await new.get(pin: SessionBench.pin) == "s3cret")
    }

    @Test func aListThatWasChangedIsResetAndItsPrintsLeaveTheChip() async throws {
        let bench = try await bench()
        let database = try Database(
            inFolder: bench.folder + "/store", named: StoreDatabase.fileName, create: false)
        try database.run("UPDATE enrollment SET generation = 99")
        await #expect(throws: VaultError.self) { try await bench.session.fingers.list() }
        let gone = try await bench.session.ownership.reset(
            request: bench.request(pin: SessionBench.pin))
        #expect(gone.fingers == [.rightIndexFinger])
        #expect(bench.reader.words.suffix(2) == ["delete", "close"])
    }

    @Test(.timeLimit(.minutes(1)))
    func aResetWaitsForTheRequestOfAnotherSession() async throws {
        let bench = try await bench()
        let other = try await SessionBench.open(
            folder: bench.folder, on: bench.reader, timekeeper: bench.timekeeper)
        let lock = try await RequestLock.acquire(
            inFolder: bench.folder + "/store", waitingSeconds: 0, timekeeper: bench.timekeeper)
        await #expect(throws: VaultError.authentication(.busy)) {
            try await other.session.ownership.reset(request: nil)
        }
        lock.release()
        _ = try await other.session.ownership.reset(request: nil)
        await #expect(throws: VaultError.self) { try await bench.get() }
    }

    // MARK: Accounts

    @Test func anotherAccountOfTheSameNumberMayResetAndNothingElse() async throws {
        let folder = try newFolder()
        defer { removeFolder(folder) }
        let bench = try await SessionBench.open(folder: folder, setUp: false)
        let parts = InProcessSession.Parts(
            source: bench.source, prompter: bench.prompter, seat: FixedSeat(presence: .local),
            timekeeper: bench.timekeeper, policy: AuthenticatorPolicy(),
            origin: RequestOrigin(program: "test", processID: 1))
        func open(_ account: String, forReset: Bool = false) async throws -> InProcessSession {
            try await InProcessSession.open(
                inFolder: folder + "/store", create: false, subject: SessionBench.subject,
                account: account, allowsOtherAccount: forReset, parts: parts)
        }
        let pin = HeldSecret(try secret(SessionBench.pin))
        try await open("ada").setUp(credential: pin) { _ in }
        _ = try await open("ada")
        await #expect(throws: VaultError.otherAccount("ada")) { try await open("bob") }
        await #expect(throws: VaultError.otherAccount("ada")) { try await open("") }
        _ = try await open("bob", forReset: true).ownership.reset(request: nil)
        _ = try await open("bob")
    }

    // MARK: Declining

    @Test func aNoIsRememberedAndSetupStillWorks() async throws {
        let bench = try await SessionBench.open(setUp: false)
        let now = bench.timekeeper.unixTime()
        #expect(try await bench.session.declineConsent() == .declined(at: now))
        #expect(try await bench.session.report().consent == .declined(at: now))
        #expect(try await !bench.session.report().isSetUp)
        try await bench.session.setUp(
            credential: HeldSecret(try secret(SessionBench.pin))
        ) { _ in }
        #expect(try await bench.session.report().consent == .given(at: now))
        await #expect(throws: VaultError.consentStands) {
            try await bench.session.declineConsent()
        }
    }
}
