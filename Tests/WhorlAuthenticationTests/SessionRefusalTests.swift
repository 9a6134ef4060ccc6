import Testing
import WhorlBiometrics
import WhorlKeys
import WhorlSecrets
import WhorlSensorLab

@testable import WhorlAuthentication

struct SessionRefusalTests {
    private func refused(
        _ error: VaultError, _ bench: SessionBench, pin: String? = nil
    ) async throws {
        await #expect(throws: error) { try await bench.get(pin: pin) }
    }

    @Test func nothingOpensBeforeThereIsASetup() async throws {
        let bench = try await SessionBench.open(setUp: false)
        await #expect(throws: VaultError.self) { try await bench.put() }
        await #expect(throws: VaultError.self) { try await bench.get() }
        await #expect(throws: VaultError.authentication(.noDeviceCredential)) {
            try await bench.enroll()
        }
        #expect(bench.reader.words.isEmpty)
    }

    @Test func anUnknownKeyIsSaidBeforeAnyoneIsAsked() async throws {
        let bench = try await SessionBench.open()
        try await bench.enroll()
        let before = bench.prompter.prompts.count
        try await refused(.noSuchKey, bench)
        #expect(bench.prompter.prompts.count == before)
    }

    @Test func refusalsComeInTheirOrder() async throws {
        let bench = try await SessionBench.open(prompter: TestPrompter(takesCredentials: false))
        try await bench.enroll()
        try await bench.put(access: .biometryAny)
        for _ in 0..<5 {
            bench.reader.touch("stranger")
            _ = try? await bench.get(tries: 1)
        }
        // Locked comes before not permitted.
        let strict = try await SessionBench.open(
            folder: bench.folder, simulated: nil, on: bench.reader,
            prompter: TestPrompter(takesCredentials: false), timekeeper: bench.timekeeper)
        try await refused(.authentication(.lockedOut(remainingSeconds: 30)), strict)
        bench.timekeeper.advance(seconds: 31)
        try await refused(.authentication(.simulatedNotAllowed), strict)
        // A throttled PIN comes before a reader that is not there.
        for _ in 0..<5 {
            _ = try? await bench.session.unlock(request: bench.request(pin: "wrong"))
        }
        await bench.source.remove(bench.reader)
        await #expect(
            throws: VaultError.authentication(.credentialThrottled(remainingSeconds: 30))
        ) { try await bench.enroll() }
    }

    @Test func whatIsNoSecretIsSaidBeforeAnyoneIsAskedForTheOldOne() async throws {
        let bench = try await SessionBench.open()
        try await bench.put(access: .deviceCredential)
        await #expect(throws: VaultError.emptySecret) {
            try await bench.session.vault.replace(
                try SecretBytes(zeroedCount: 0), as: KeyName("key"),
                options: KeyOptions(access: .deviceCredential), request: bench.request())
        }
        #expect(bench.prompter.prompts.isEmpty)
    }

    @Test func aFingerTermWithNothingEnrolledIsRefused() async throws {
        let bench = try await SessionBench.open()
        await #expect(throws: VaultError.authentication(.notEnrolled)) { try await bench.put() }
        await #expect(throws: VaultError.noSuchKey) {
            try await bench.session.vault.info(KeyName("key"))
        }
    }

    @Test func aWrongFingerOpensNothingAndCounts() async throws {
        let bench = try await SessionBench.open(prompter: TestPrompter(takesCredentials: false))
        try await bench.enroll()
        try await bench.put()
        for _ in 0..<3 { bench.reader.touch("stranger") }
        try await refused(.authentication(.noMatch), bench)
        #expect(try await bench.failures() == 3)
    }

    @Test func theFifthFailureLocksAndTheRightFingerStaysOut() async throws {
        let bench = try await SessionBench.open(prompter: TestPrompter(takesCredentials: false))
        try await bench.enroll()
        try await bench.put()
        for _ in 0..<5 { bench.reader.touch("stranger") }
        try await refused(.authentication(.noMatch), bench)
        try await refused(.authentication(.lockedOut(remainingSeconds: 30)), bench)
        let armed = bench.reader.words.filter { $0 == "verify" }.count
        bench.reader.touch("own")
        try await refused(.authentication(.lockedOut(remainingSeconds: 30)), bench)
        #expect(bench.reader.words.filter { $0 == "verify" }.count == armed)
        bench.timekeeper.advance(seconds: 30)
        #expect(try await bench.get() == "s3cret")
        #expect(try await bench.failures() == 0)
    }

    @Test func aMatchWhileLockedIsRefusedAndThePinOpens() async throws {
        let bench = try await SessionBench.open(prompter: TestPrompter(takesCredentials: false))
        try await bench.enroll()
        try await bench.put()
        for _ in 0..<5 { bench.reader.touch("stranger") }
        _ = try? await bench.get(tries: 5)
        try await refused(.authentication(.lockedOut(remainingSeconds: 30)), bench)
        #expect(try await bench.get(pin: SessionBench.pin) == "s3cret")
        #expect(try await bench.failures() == 0)
    }

    @Test func twentyFailuresNeedTheCredential() async throws {
        let bench = try await SessionBench.open(prompter: TestPrompter(takesCredentials: false))
        try await bench.enroll()
        try await bench.put()
        for _ in 0..<4 {
            for _ in 0..<5 { bench.reader.touch("stranger") }
            _ = try? await bench.get(tries: 5)
            bench.timekeeper.advance(seconds: 31)
        }
        try await refused(.authentication(.lockedOutPermanently), bench)
        bench.timekeeper.advance(seconds: 1_000_000)
        try await refused(.authentication(.lockedOutPermanently), bench)
        try await bench.session.unlock(request: bench.request(pin: SessionBench.pin))
        bench.reader.touch("own")
        #expect(try await bench.get() == "s3cret")
    }

    @Test func aWrongPinOpensNothing() async throws {
        let bench = try await SessionBench.open()
        try await bench.enroll()
        try await bench.put()
        try await refused(.authentication(.wrongCredential), bench, pin: "wrong horse")
        #expect(try await bench.failures() == 0)
    }

    @Test func fiveWrongPinsWaitEvenForTheRightOne() async throws {
        let bench = try await SessionBench.open()
        try await bench.put(access: .deviceCredential)
        for _ in 0..<5 {
            try await refused(.authentication(.wrongCredential), bench, pin: "wrong horse")
        }
        let throttled = VaultError.authentication(.credentialThrottled(remainingSeconds: 30))
        try await refused(throttled, bench, pin: SessionBench.pin)
        bench.timekeeper.advance(seconds: 31)
        #expect(try await bench.get(pin: SessionBench.pin) == "s3cret")
    }

    @Test func aSimulatedReaderCountsOnlyWhereItWasAllowed() async throws {
        let bench = try await SessionBench.open()
        try await bench.enroll()
        try await bench.put()
        let strict = try await SessionBench.open(
            folder: bench.folder, simulated: nil, on: bench.reader)
        bench.reader.touch("own")
        try await refused(.authentication(.simulatedNotAllowed), strict)
        try await refused(.authentication(.simulatedNotAllowed), strict, pin: SessionBench.pin)
        await #expect(throws: VaultError.authentication(.simulatedNotAllowed)) {
            try await strict.session.fingers.verify(nil, request: strict.request())
        }
        #expect(await strict.session.canAuthenticate(.convenience) != .ready)
    }

    @Test(.bug(id: "14")) func aRemoteSessionGetsNoFingerAndNoWait() async throws {
        let real = ReaderDescription.scripted(driver: "uru4000", reality: .real)
        let bench = try await SessionBench.open(reader: real)
        try await bench.enroll()
        try await bench.put()
        let remote = try await SessionBench.open(
            folder: bench.folder, on: bench.reader,
            prompter: TestPrompter(takesCredentials: false), seat: .remote)
        let armed = bench.reader.words.filter { $0 == "verify" }.count
        try await refused(.authentication(.remoteSession), remote)
        #expect(bench.reader.words.filter { $0 == "verify" }.count == armed)
        #expect(try await remote.get(pin: SessionBench.pin) == "s3cret")
    }

    @Test func aPrompterThatCannotAskIsARefusal() async throws {
        let bench = try await SessionBench.open()
        try await bench.enroll()
        try await bench.put()
        bench.prompter.refuse(.notInteractive)
        bench.reader.touch("own")
        try await refused(.authentication(.notInteractive), bench)
    }

    @Test func aPrompterThatGoesAwayIsARefusal() async throws {
        let bench = try await SessionBench.open()
        try await bench.enroll()
        try await bench.put()
        bench.prompter.whenShown { $0.vanish() }
        try await refused(.authentication(.notInteractive), bench)
    }

    @Test func aReaderThatIsNotThereIsSaidAndThePinStillOpens() async throws {
        let bench = try await SessionBench.open(prompter: TestPrompter(takesCredentials: false))
        try await bench.enroll()
        try await bench.put()
        await bench.source.remove(bench.reader)
        try await refused(.authentication(.noReader), bench)
        #expect(try await bench.get(pin: SessionBench.pin) == "s3cret")
        // An absent reader is no change of the enrolment.
        await bench.source.add(bench.reader)
        bench.reader.touch("own")
        #expect(try await bench.get() == "s3cret")
    }

    @Test func aPrintOfAnotherReaderIsNotArmed() async throws {
        let bench = try await SessionBench.open(prompter: TestPrompter(takesCredentials: false))
        try await bench.enroll()
        try await bench.put()
        bench.reader.describe(as: .scripted(deviceID: "1"))
        try await refused(.authentication(.readerNotFound), bench)
    }

    @Test func theSameKindOfReaderOnAnotherPortNeedsTheCredentialOnce() async throws {
        func on(_ port: String) -> ReaderDescription {
            let base = ReaderDescription.scripted()
            return ReaderDescription(
                identity: ReaderIdentity(
                    driver: "scripted", deviceID: "0",
                    port: .usb(sysfsPath: port, removable: true)),
                name: base.name, reality: base.reality, features: base.features,
                scanType: base.scanType, enrollStages: base.enrollStages,
                matchesOnChip: base.matchesOnChip, rating: base.rating)
        }
        let bench = try await SessionBench.open(
            reader: on("usb1/1-1"), prompter: TestPrompter(takesCredentials: false))
        try await bench.enroll()
        try await bench.put()
        bench.reader.describe(as: on("usb1/1-2"))
        try await refused(.authentication(.stepUpDue), bench)
        try await bench.session.unlock(request: bench.request(pin: SessionBench.pin))
        bench.reader.touch("own")
        #expect(try await bench.get() == "s3cret")
    }

    // Every collaborator failing at every call: nothing is ever given out.
    @Test func aRecordOfAttemptsThatFailsIsARefusal() async throws {
        for call in FailingLedger.Call.allCases {
            let bench = try await SessionBench.open(prompter: TestPrompter(takesCredentials: false))
            try await bench.enroll()
            try await bench.put()
            let broken = try await SessionBench.open(
                folder: bench.folder, on: bench.reader,
                prompter: TestPrompter(takesCredentials: false),
                ledger: { FailingLedger(inner: $0, failing: call) })
            bench.reader.touch("own")
            if call.isNeededForAMatch {
                await #expect(throws: VaultError.storage("the disk is full"), "\(call)") {
                    try await broken.get()
                }
            } else {
                #expect(try await broken.get() == "s3cret", "\(call)")
            }
        }
    }
}
