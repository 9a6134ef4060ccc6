import Testing
import WhorlBiometrics
import WhorlKeys
import WhorlSecrets
import WhorlSensorLab

@testable import WhorlAuthentication

struct SessionTests {
    @Test func theRightFingerBringsTheSecretOut() async throws {
        let bench = try await SessionBench.open()
        try await bench.enroll()
        try await bench.put()
        bench.reader.touch("own")
        #expect(try await bench.get() == "s3cret")
        await bench.session.close()
        #expect(bench.reader.words.last == "close")
        guard case .succeeded(let result) = bench.prompter.endings.last else {
            Issue.record("the prompt was not taken away")
            return
        }
        #expect(result.factors == [.finger])
        #expect(result.isSimulated)
        #expect(result.rating == StrengthRating(.weak, basis: .notReal))
    }

    @Test(.timeLimit(.minutes(1)))
    func theSecretIsHandedOverBeforeTheReaderIsClosed() async throws {
        let bench = try await SessionBench.open()
        try await bench.enroll()
        try await bench.put()
        let closing = ScriptGate()
        bench.reader.script(.close, .hold(closing), .end(.done))
        bench.reader.touch("own")
        #expect(try await bench.get() == "s3cret")
        #expect(try await bench.failures() == 0)
        guard case .succeeded = bench.prompter.endings.last else {
            Issue.record("the prompt was not taken away")
            return
        }

        // The next request waits until the reader is closed.
        bench.reader.script(.open, .end(.done))
        bench.reader.touch("own")
        async let second = bench.get()
        #expect(await closing.isReached())
        #expect(bench.reader.words.last == "close")
        closing.open()
        #expect(try await second == "s3cret")
    }

    @Test func thePromptNamesWhoAsksForWhatAndWithWhichReader() async throws {
        let bench = try await SessionBench.open()
        try await bench.enroll()
        try await bench.put()
        bench.reader.touch("own")
        _ = try await bench.get()
        let prompt = try #require(bench.prompter.prompts.last)
        #expect(prompt.origin.program.shown == "test")
        #expect(prompt.action.shown == "open key")
        #expect(prompt.reason.text.shown == "a test")
        #expect(prompt.reader?.isSimulated == true)
    }

    @Test func aBadCaptureAndAWrongFingerDoNotEndThePrompt() async throws {
        let bench = try await SessionBench.open()
        try await bench.enroll()
        try await bench.put()
        bench.reader.touch(.bad(.notCentred))
        bench.reader.touch("stranger")
        bench.reader.touch(.fault(.readerFault(.whorl("shaky"))))
        bench.reader.touch("own")
        #expect(try await bench.get() == "s3cret")
        #expect(bench.prompter.states.contains(.hint(.notCentred)))
        #expect(bench.prompter.states.contains(.noMatch(triesLeft: 2)))
        #expect(try await bench.failures() == 0)
    }

    @Test func thePinAtTheSamePromptOpensToo() async throws {
        let bench = try await SessionBench.open()
        try await bench.enroll()
        try await bench.put()
        bench.prompter.whenUpdated { state, prompter in
            if state == .touchSensor { prompter.enter(SessionBench.pin) }
        }
        #expect(try await bench.get() == "s3cret")
        #expect(bench.reader.cancels == 1)
        #expect(try await bench.failures() == 0)
    }

    @Test func aKeyThatAsksForBothNeedsBoth() async throws {
        let bench = try await SessionBench.open()
        try await bench.enroll()
        try await bench.put(access: .biometryAny.and(.deviceCredential))
        bench.reader.touch("own")
        #expect(try await bench.get(pin: SessionBench.pin) == "s3cret")
        bench.reader.touch("own")
        bench.prompter.whenUpdated { state, prompter in
            if state == .enterCredential { prompter.enter(SessionBench.pin) }
        }
        #expect(try await bench.get() == "s3cret")
    }

    @Test func enrollingAnotherFingerKillsCurrentSetKeysForTheFingerOnly() async throws {
        let bench = try await SessionBench.open(prompter: TestPrompter(takesCredentials: false))
        try await bench.enroll("own", as: .rightIndexFinger)
        try await bench.put(as: "current")
        try await bench.put(as: "any", access: .biometryAny)
        let result = try await bench.enroll("other", as: .leftThumb)
        #expect(result.deadKeys.map(\.text) == ["current"])
        bench.reader.touch("own")
        await #expect(throws: VaultError.keyInvalidated) { try await bench.get("current") }
        #expect(try await bench.get("any") == "s3cret")
        #expect(try await bench.get("current", pin: SessionBench.pin) == "s3cret")
        #expect(try await bench.session.vault.info(KeyName("current")).state == .fingerDead)
    }

    @Test func carriedKeysOpenWithTheNewSet() async throws {
        let bench = try await SessionBench.open(prompter: TestPrompter(takesCredentials: false))
        try await bench.enroll("own", as: .rightIndexFinger)
        try await bench.put()
        let result = try await bench.enroll("other", as: .leftThumb, keys: .carry)
        #expect(result.deadKeys.isEmpty)
        bench.reader.touch("other")
        #expect(try await bench.get() == "s3cret")
    }

    @Test func removingOneOfTwoFingersKillsNothingAndTheLastKills() async throws {
        let bench = try await SessionBench.open(prompter: TestPrompter(takesCredentials: false))
        try await bench.enroll("own", as: .rightIndexFinger)
        try await bench.enroll("other", as: .leftThumb)
        try await bench.put()
        let first = try await bench.session.fingers.remove(
            .leftThumb, request: bench.request(pin: SessionBench.pin))
        #expect(first.deadKeys.isEmpty)
        bench.reader.touch("own")
        #expect(try await bench.get() == "s3cret")
        let last = try await bench.session.fingers.remove(
            .rightIndexFinger, request: bench.request(pin: SessionBench.pin))
        #expect(last.deadKeys.map(\.text) == ["key"])
        await #expect(throws: VaultError.authentication(.notEnrolled)) { try await bench.get() }
        // The same finger again is a finger that was added.
        try await bench.enroll("own", as: .rightIndexFinger)
        await #expect(throws: VaultError.keyInvalidated) { try await bench.get() }
        #expect(try await bench.get(pin: SessionBench.pin) == "s3cret")
    }

    @Test(.bug(id: "23")) func enrollingNeedsTheCredential() async throws {
        let bench = try await SessionBench.open(prompter: TestPrompter(takesCredentials: false))
        await #expect(throws: VaultError.authentication(.wrongCredential)) {
            try await bench.session.fingers.enroll(
                .leftThumb, confirm: true, keys: .drop, request: bench.request(pin: "wrong horse"))
        }
        await #expect(throws: VaultError.authentication(.notInteractive)) {
            try await bench.session.fingers.enroll(
                .leftThumb, confirm: true, keys: .drop, request: bench.request())
        }
        #expect(!bench.reader.words.contains("enroll"))
    }

    @Test func anEnrolmentThatFailsItsConfirmationLeavesTheOldWorld() async throws {
        let chip: ReaderFeatures = [.verify, .identify, .storage, .storageDelete, .storageList]
        let bench = try await SessionBench.open(
            reader: .scripted(features: chip), prompter: TestPrompter(takesCredentials: false))
        try await bench.enroll()
        try await bench.put()
        for name in ["other", "other", "other", "x", "x", "x"] { bench.reader.touch(name) }
        await #expect(throws: VaultError.authentication(.noMatch)) {
            try await bench.session.fingers.enroll(
                .rightIndexFinger, confirm: true, keys: .drop,
                request: bench.request(pin: SessionBench.pin))
        }
        #expect(bench.reader.words.suffix(2) == ["delete", "close"])
        #expect(try await bench.failures() == 0)
        bench.reader.touch("own")
        #expect(try await bench.get() == "s3cret")
    }

    @Test func replacingAFingerRemovesTheOldPrintFromTheChipAfterTheNewOneIsConfirmed() async throws
    {
        let chip: ReaderFeatures = [.verify, .identify, .storage, .storageDelete, .storageList]
        let bench = try await SessionBench.open(reader: .scripted(features: chip))
        try await bench.enroll("old")
        let before = bench.reader.words.count
        try await bench.enroll("new")
        let words = bench.reader.words.dropFirst(before)
        #expect(Array(words) == ["open", "enroll", "verify", "delete", "close"])
        #expect(try await bench.session.fingers.list().count == 1)
    }

    @Test func removingAnUnknownFingerIsSaidBeforeAnyoneIsAsked() async throws {
        let bench = try await SessionBench.open()
        await #expect(throws: VaultError.noSuchFinger(.leftThumb)) {
            try await bench.session.fingers.remove(.leftThumb, request: bench.request())
        }
        #expect(bench.prompter.prompts.isEmpty)
    }

    @Test(.bug(id: "22")) func aReaderThatComparesWithOnePrintSaysWhichFinger() async throws {
        let bench = try await SessionBench.open(reader: .scripted(features: .verify))
        try await bench.enroll("thumb", as: .leftThumb)
        try await bench.enroll("index", as: .rightIndexFinger)
        try await bench.put()
        bench.reader.touch("index")
        #expect(try await bench.get() == "s3cret")
        #expect(bench.prompter.prompts.last?.finger == .rightIndexFinger)
        #expect(!bench.reader.words.contains("identify"))
    }

    @Test func replacingAndRemovingNeedWhatOpeningNeeds() async throws {
        let bench = try await SessionBench.open(prompter: TestPrompter(takesCredentials: false))
        try await bench.enroll()
        try await bench.put()
        await #expect(throws: VaultError.keyExists) { try await bench.put() }
        for _ in 0..<3 { bench.reader.touch("stranger") }
        await #expect(throws: VaultError.authentication(.noMatch)) {
            try await bench.session.vault.remove(KeyName("key"), request: bench.request())
        }
        bench.reader.touch("own")
        try await bench.session.vault.replace(
            try secret("n3w"), as: KeyName("key"), options: KeyOptions(), request: bench.request())
        bench.reader.touch("own")
        #expect(try await bench.get() == "n3w")
        bench.reader.touch("own")
        try await bench.session.vault.remove(KeyName("key"), request: bench.request())
        await #expect(throws: VaultError.noSuchKey) { try await bench.get() }
    }

    // MARK: Availability

    @Test func availabilityTellsWhatIsMissing() async throws {
        let bench = try await SessionBench.open(setUp: false)
        #expect(await bench.session.canAuthenticate(.deviceCredential).error == .noDeviceCredential)
        #expect(await bench.session.canAuthenticate(.weak).error == .notEnrolled)
        let ready = try await SessionBench.open()
        try await ready.enroll()
        #expect(await ready.session.canAuthenticate(.weak) == .ready)
        #expect(
            await ready.session.canAuthenticate(.strong) == .unsupported(.strengthNotReached))
        #expect(await ready.session.canAuthenticate([.strong, .deviceCredential]) == .ready)
        #expect(await ready.session.canAuthenticate([]) == .unsupported(.strengthNotReached))
        await ready.source.remove(ready.reader)
        #expect(await ready.session.canAuthenticate(.weak) == .unsupported(.noReader))
    }

    // MARK: Charges

    @Test(.bug(id: "17")) func twentyCancelsDoNotLock() async throws {
        let bench = try await SessionBench.open()
        try await bench.enroll()
        try await bench.put()
        bench.prompter.whenUpdated { state, prompter in
            if state == .touchSensor { prompter.input(.cancelled) }
        }
        for _ in 0..<20 {
            await #expect(throws: VaultError.authentication(.userCancelled)) {
                try await bench.get()
            }
        }
        #expect(try await bench.failures() == 0)
    }

    @Test(.bug(id: "17")) func aNoMatchThenACancelLocksAfterFive() async throws {
        let bench = try await SessionBench.open(prompter: TestPrompter(takesCredentials: false))
        try await bench.enroll()
        try await bench.put()
        bench.prompter.whenUpdated { state, prompter in
            if case .noMatch = state { prompter.input(.cancelled) }
        }
        for _ in 0..<4 {
            bench.reader.touch("stranger")
            await #expect(throws: VaultError.authentication(.userCancelled)) {
                try await bench.get()
            }
        }
        bench.reader.touch("stranger")
        await #expect(throws: VaultError.authentication(.lockedOut(remainingSeconds: 30))) {
            try await bench.get()
        }
    }

    @Test func aProcessThatDiesInAnAttemptLeavesItsCharge() async throws {
        let bench = try await SessionBench.open(prompter: TestPrompter(takesCredentials: false))
        try await bench.enroll()
        try await bench.put()
        // What a process leaves that was killed between charge and verdict.
        for _ in 0..<4 {
            bench.reader.touch("stranger")
            _ = try? await bench.get(tries: 1)
        }
        try await bench.session.authenticator.ledger.charge(SessionBench.subject)
        await #expect(throws: VaultError.authentication(.lockedOut(remainingSeconds: 30))) {
            try await bench.get()
        }
        #expect(try await bench.failures() == 5)
    }

    // MARK: Several requests

    @Test(.bug(id: "15")) func oneTouchServesOneRequestAndTheNextWaitsItsTurn() async throws {
        let bench = try await SessionBench.open()
        try await bench.enroll()
        try await bench.put("one", as: "first")
        try await bench.put("two", as: "second")
        let gate = ScriptGate()
        bench.reader.script(
            .verify, .event(.finger([.needed, .present])), .hold(gate), .end(.match(index: 0)))
        async let first = bench.get("first")
        #expect(await gate.isReached())
        async let second = bench.get("second")
        gate.open()
        #expect(try await first == "one")
        bench.reader.touch("own")
        #expect(try await second == "two")
        #expect(bench.reader.words.filter { $0 == "verify" }.count == 3)
    }

    @Test func aRequestCancelledByItsAppEndsAndTheReaderIsFree() async throws {
        let bench = try await SessionBench.open()
        try await bench.enroll()
        try await bench.put()
        let gate = ScriptGate()
        bench.reader.script(.verify, .hold(gate), .end(.match(index: 0)))
        let task = Task { try await bench.get() }
        #expect(await gate.isReached())
        await bench.session.cancel()
        await #expect(throws: VaultError.authentication(.appCancelled)) { try await task.value }
        bench.reader.touch("own")
        #expect(try await bench.get() == "s3cret")
    }

    @Test func aCancelledTaskEndsItsRequest() async throws {
        let bench = try await SessionBench.open()
        try await bench.enroll()
        try await bench.put()
        let gate = ScriptGate()
        bench.reader.script(.verify, .hold(gate), .end(.match(index: 0)))
        let task = Task { try await bench.get() }
        #expect(await gate.isReached())
        task.cancel()
        await #expect(throws: VaultError.authentication(.appCancelled)) { try await task.value }
    }

    @Test func nobodyTouchingIsATimeOut() async throws {
        let bench = try await SessionBench.open(prompter: TestPrompter(takesCredentials: false))
        try await bench.enroll()
        try await bench.put()
        let gate = ScriptGate()
        bench.reader.script(.verify, .hold(gate), .end(.match(index: 0)))
        let task = Task { try await bench.get() }
        #expect(await gate.isReached())
        bench.timekeeper.advance(seconds: 31)
        await #expect(throws: VaultError.authentication(.timedOut)) { try await task.value }
        #expect(try await bench.failures() == 0)
    }

    @Test func anEnrolmentChangedWhileThePromptWasOpenOpensNothing() async throws {
        let bench = try await SessionBench.open()
        try await bench.enroll()
        try await bench.put(access: .biometryAny)
        let gate = ScriptGate()
        bench.reader.script(
            .verify, .event(.finger([.needed, .present])), .hold(gate), .end(.match(index: 0)))
        let task = Task { try await bench.get() }
        #expect(await gate.isReached())
        try await bench.vault.beginEnrollment(SessionBench.subject)
        gate.open()
        await #expect(throws: VaultError.self) { try await task.value }
    }

    @Test func anEnrolmentThatWasCutOffNeedsTheCredentialFirst() async throws {
        let bench = try await SessionBench.open(prompter: TestPrompter(takesCredentials: false))
        try await bench.enroll()
        try await bench.put()
        try await bench.put(as: "any", access: .biometryAny)
        try await bench.vault.beginEnrollment(SessionBench.subject)
        await #expect(throws: VaultError.authentication(.stepUpDue)) { try await bench.get() }
        try await bench.session.unlock(request: bench.request(pin: SessionBench.pin))
        bench.reader.touch("own")
        #expect(try await bench.get("any") == "s3cret")
        await #expect(throws: VaultError.keyInvalidated) { try await bench.get() }
    }

    @Test func twoProcessesOnOneStoreWaitForEachOtherAndThenSayBusy() async throws {
        let bench = try await SessionBench.open()
        try await bench.enroll()
        try await bench.put()
        let other = try await SessionBench.open(folder: bench.folder, on: bench.reader)
        let gate = ScriptGate()
        bench.reader.script(.verify, .hold(gate), .end(.match(index: 0)))
        let task = Task { try await bench.get() }
        #expect(await gate.isReached())
        await #expect(throws: VaultError.authentication(.busy)) { try await other.get() }
        gate.open()
        #expect(try await task.value == "s3cret")
    }
}
