import Testing
import WhorlBiometrics
import WhorlSecrets

@testable import WhorlAuthentication

struct RequestMachineTests {
    private static let fault = AuthenticationError.readerFault(.whorl("broken"))
    private static let hot = AuthenticationError.readerTooHot(.whorl("hot"))

    private func trace(
        finger: Bool = true, credential: Bool = false, both: Bool = false, tries: Int = 3,
        prompt: Bool = true, provided: HeldSecret? = nil
    ) throws -> MachineTrace<RequestMachine> {
        var ways: [RequestWay] = []
        if finger { ways.append(RequestWay(needsFinger: true, needsCredential: false)) }
        if credential { ways.append(RequestWay(needsFinger: false, needsCredential: true)) }
        if both { ways = [RequestWay(needsFinger: true, needsCredential: true)] }
        let print = Print(serialized: try SecretBytes(zeroedCount: 1), isStoredOnChip: false)
        let limits = try #require(RequestLimits(tries: tries, timeoutSeconds: 30))
        var trace = MachineTrace(
            RequestMachine(
                ways: ways, command: finger || both ? .verify(print) : nil, limits: limits,
                provided: provided, promptTakesCredential: prompt))
        trace.begin()
        return trace
    }

    // MARK: Refusals

    @Test func nothingIsArmedBeforeThePromptIsShown() throws {
        let print = Print(serialized: try SecretBytes(zeroedCount: 1), isStoredOnChip: false)
        var trace = MachineTrace(
            RequestMachine(
                ways: [RequestWay(needsFinger: true, needsCredential: false)],
                command: .verify(print), limits: .standard, provided: nil,
                promptTakesCredential: true))
        trace.begin(showing: false)
        #expect(trace.log == ["show"])
        trace.send(.promptFailed(.notInteractive))
        #expect(trace.failure == .notInteractive)
        #expect(!trace.log.contains("arm"))
    }

    @Test func aPrompterThatIsGoneIsARefusal() throws {
        var trace = try trace()
        trace.send(.prompterGone)
        trace.reader(.ended(.match(index: 0)))
        #expect(trace.failure == .notInteractive)
    }

    @Test func anAttemptThatCannotBeChargedIsRefusedThoughItMatched() throws {
        var trace = try trace()
        trace.chargeFails = true
        trace.touch(.match(index: 0))
        #expect(trace.failure == .internalError(.whorl("disk full")))
    }

    @Test func anEarlyReportOfAMatchOpensNothing() throws {
        var trace = try trace()
        trace.reader(.finger([.present]))
        trace.reader(.reported(match: true))
        #expect(trace.result == nil)
        trace.reader(.ended(.failed(.readerDisconnected(.whorl("gone")))))
        #expect(trace.failure == .readerDisconnected(.whorl("gone")))
        #expect(trace.failures == 0)
    }

    @Test(arguments: [
        ReaderOutcome.done, .prints([]), .cancelled,
        .failed(.vendor(domain: "d", code: 7, message: "m")),
    ])
    func anAnswerThatIsNoVerdictNeverOpens(outcome: ReaderOutcome) throws {
        var trace = try trace()
        for _ in 0..<10 where trace.result == nil {
            trace.touch(outcome)
            trace.send(.timer(.rearm(round: trace.round)))
        }
        #expect(trace.failure != nil)
        #expect(trace.failures == 0)
    }

    @Test func aMatchOfAnEarlierOperationIsNotTakenForThisOne() throws {
        var trace = try trace()
        trace.touch(.noMatch)
        trace.send(.reader(.ended(.match(index: 0)), round: 1))
        #expect(trace.result == nil)
    }

    @Test func afterTheEndNothingOpensIt() throws {
        var trace = try trace(credential: true)
        trace.send(.input(.cancelled))
        trace.reader(.ended(.cancelled))
        #expect(trace.failure == .userCancelled)
        let log = trace.log
        trace.touch(.match(index: 0))
        try trace.enter(.right)
        #expect(trace.log == log)
        #expect(trace.failure == .userCancelled)
    }

    // MARK: Verdicts

    @Test func theAttemptIsChargedBeforeItsVerdictIsRead() throws {
        var trace = try trace()
        trace.touch(.match(index: 0))
        #expect(trace.log == ["show", "arm", "charge", "finish"])
        #expect(trace.result?.failure == nil)
    }

    @Test func aReaderThatShowsNoFingerIsChargedBeforeTheVerdictIsRead() throws {
        var trace = try trace()
        trace.reader(.ended(.match(index: 0)))
        #expect(trace.log == ["show", "arm", "charge", "finish"])
    }

    @Test func aMatchLeavesItsChargeUntilItIsRecorded() throws {
        var trace = try trace()
        trace.touch(.match(index: 2))
        let success = try trace.result?.get()
        #expect(success?.factors == [.finger])
        #expect(success?.matchIndex == 2)
        #expect(trace.openCharges == 1)
    }

    @Test func threeThatDoNotMatchEndItAndEachCounts() throws {
        var trace = try trace()
        for _ in 0..<3 { trace.touch(.noMatch) }
        #expect(trace.failure == .noMatch)
        #expect(trace.failures == 3)
        #expect(trace.states.contains(.noMatch(triesLeft: 2)))
        #expect(trace.states.contains(.noMatch(triesLeft: 1)))
    }

    @Test func theFailureThatLocksEndsItWithTheLockout() throws {
        var trace = try trace()
        trace.lockout = .timed(remainingSeconds: 30)
        trace.touch(.noMatch)
        #expect(trace.failure == .lockedOut(remainingSeconds: 30))
    }

    @Test func aLockoutOffersTheCredentialAtOnceWhereItServes() throws {
        var trace = try trace(credential: true)
        trace.lockout = .timed(remainingSeconds: 30)
        trace.touch(.noMatch)
        #expect(trace.result == nil)
        #expect(trace.states.contains(.fingerUnavailable(.lockedOut(remainingSeconds: 30))))
        try trace.enter(.right)
        #expect(try trace.result?.get().factors == [.deviceCredential])
    }

    @Test func aTimeOutAfterALockoutIsTheLockout() throws {
        var trace = try trace(credential: true)
        trace.lockout = .permanent
        trace.touch(.noMatch)
        trace.send(.timer(.timeout(generation: 0)))
        #expect(trace.failure == .lockedOutPermanently)
    }

    @Test(.bug(id: "5")) func oneBadCaptureDoesNotEndIt() throws {
        var trace = try trace()
        trace.touch(.retry(.poorQuality))
        trace.touch(.match(index: 0))
        #expect(trace.result?.failure == nil)
        #expect(trace.failures == 1)
    }

    @Test(.bug(id: "5")) func aFaultThatPassesDoesNotEndIt() throws {
        var trace = try trace()
        trace.touch(.failed(Self.fault))
        #expect(trace.result == nil)
        #expect(trace.failures == 0)
        trace.send(.timer(.rearm(round: trace.round)))
        trace.touch(.match(index: 0))
        #expect(trace.result?.failure == nil)
    }

    @Test(.bug(id: "4")) func faultsAreTriedAgainEverMoreSlowlyAndThenNoMore() throws {
        var trace = try trace()
        var waits: [Int64] = []
        for _ in 0..<10 where trace.result == nil {
            trace.touch(.failed(Self.fault))
            if let wait = trace.rearmNanoseconds { waits.append(wait) }
            trace.send(.timer(.rearm(round: trace.round)))
        }
        #expect(waits.prefix(3) == [250_000_000, 500_000_000, 1_000_000_000])
        #expect(trace.failure == Self.fault)
        #expect(trace.failures == 0)
    }

    @Test(.bug(id: "4")) func heatIsNotTriedAgainAndNeverCounts() throws {
        var trace = try trace()
        trace.touch(.failed(Self.hot))
        #expect(trace.failure == Self.hot)
        #expect(trace.failures == 0)
        #expect(trace.log.filter { $0 == "arm" }.count == 1)
    }

    @Test(.bug(id: "24")) func anUnpluggedReaderLeavesTheCredentialsWayOpen() throws {
        var trace = try trace(credential: true)
        trace.touch(.failed(.readerDisconnected(.whorl("gone"))))
        #expect(trace.result == nil)
        try trace.enter(.right)
        #expect(try trace.result?.get().factors == [.deviceCredential])
        #expect(trace.failures == 0)
    }

    @Test func theThirdBadCaptureInARowSaysCleanTheSensor() throws {
        var trace = try trace()
        for _ in 0..<3 { trace.touch(.retry(.notCentred)) }
        #expect(
            trace.hints == [.notCentred, .notCentred, .cleanSensor])
    }

    @Test func twentyBadCapturesEndItWithoutAFailure() throws {
        var trace = try trace()
        for _ in 0..<20 { trace.touch(.retry(.tooShort)) }
        #expect(trace.failure == .tooManyBadCaptures)
        #expect(trace.failures == 0)
    }

    @Test func twentyBadCapturesAfterANoMatchAreANo() throws {
        var trace = try trace()
        trace.touch(.noMatch)
        for _ in 0..<20 { trace.touch(.retry(.tooShort)) }
        #expect(trace.failure == .noMatch)
        #expect(trace.failures == 1)
    }

    @Test func aTimeOutWithoutANoMatchIsATimeOutAndWithOneIsANo() throws {
        var first = try trace()
        first.send(.timer(.timeout(generation: 0)))
        first.reader(.ended(.cancelled))
        #expect(first.failure == .timedOut)
        var second = try trace()
        second.touch(.noMatch)
        second.send(.timer(.timeout(generation: 0)))
        second.reader(.ended(.cancelled))
        #expect(second.failure == .noMatch)
    }

    // MARK: Cancels

    @Test(.bug(id: "17")) func aCancelNeverCounts() throws {
        var trace = try trace()
        trace.reader(.started)
        trace.reader(.finger([.present]))
        trace.send(.input(.cancelled))
        trace.reader(.ended(.cancelled))
        #expect(trace.failure == .userCancelled)
        #expect(trace.failures == 0)
    }

    @Test(.bug(id: "17")) func aCancelIsNoWayAroundTheCounter() throws {
        var trace = try trace()
        trace.reader(.finger([.present]))
        trace.send(.input(.cancelled))
        trace.reader(.ended(.noMatch))
        #expect(trace.failure == .userCancelled)
        #expect(trace.failures == 1)
    }

    @Test(
        .bug(id: "17"),
        arguments: [
            ReaderOutcome.cancelled, .failed(.readerStillFinishing(.whorl("stuck"))),
        ])
    func keepingAWrongFingerDownIsNoWayAroundTheCounter(outcome: ReaderOutcome) throws {
        var trace = try trace()
        trace.reader(.finger([.present]))
        trace.reader(.reported(match: false))
        trace.send(.input(.cancelled))
        trace.reader(.ended(outcome))
        #expect(trace.failure == .userCancelled)
        #expect(trace.failures == 1)
    }

    @Test(.bug(id: "17")) func aReportThatCrossesACancelCountsWhoeverCancelled() throws {
        var late = try trace()
        late.send(.cancelled(.appCancelled))
        late.reader(.reported(match: false))
        late.send(.timer(.disarm(round: late.round)))
        #expect(late.failure == .appCancelled)
        #expect(late.failures == 1)
        var reader = try trace()
        reader.reader(.finger([.present]))
        reader.reader(.reported(match: false))
        reader.reader(.ended(.cancelled))
        #expect(reader.failure == .systemCancelled)
        #expect(reader.failures == 1)
    }

    @Test func aNoMatchThatCrossesTheTimeOutMakesItANo() throws {
        var trace = try trace()
        trace.reader(.finger([.present]))
        trace.reader(.reported(match: false))
        trace.send(.timer(.timeout(generation: 0)))
        trace.reader(.ended(.cancelled))
        #expect(trace.failure == .noMatch)
        var locking = try self.trace()
        locking.lockout = .timed(remainingSeconds: 30)
        locking.send(.timer(.timeout(generation: 0)))
        locking.reader(.ended(.noMatch))
        #expect(locking.failure == .lockedOut(remainingSeconds: 30))
    }

    @Test func anOperationEndsOnceAndWhatComesAfterItOpensNothing() throws {
        var locked = try trace(credential: true)
        locked.lockout = .timed(remainingSeconds: 30)
        locked.touch(.noMatch)
        locked.reader(.ended(.match(index: 0)))
        #expect(locked.result == nil)
        var lifting = try trace()
        lifting.reader(.finger([.present]))
        lifting.reader(.ended(.noMatch))
        lifting.reader(.ended(.match(index: 0)))
        #expect(lifting.result == nil)
        #expect(lifting.failures == 1)
    }

    @Test func theChargeWaitsForNoPrompter() throws {
        let print = Print(serialized: try SecretBytes(zeroedCount: 1), isStoredOnChip: false)
        var machine = RequestMachine(
            ways: [RequestWay(needsFinger: true, needsCredential: false)],
            command: .verify(print), limits: .standard, provided: nil, promptTakesCredential: true)
        _ = machine.begin()
        _ = machine.handle(.promptShown)
        let effects = machine.handle(.reader(.finger([.present]), round: 1))
        guard case .charge? = effects.first else {
            Issue.record("something comes before the charge")
            return
        }
    }

    @Test func aMatchThatCrossesACancelOpensNothing() throws {
        var trace = try trace()
        trace.reader(.finger([.present]))
        trace.send(.cancelled(.appCancelled))
        trace.reader(.ended(.match(index: 0)))
        #expect(trace.failure == .appCancelled)
        #expect(trace.failures == 0)
    }

    @Test func aReaderThatDoesNotStopEndsInBoundedTime() throws {
        var trace = try trace()
        trace.send(.input(.cancelled))
        #expect(trace.result == nil)
        trace.send(.timer(.disarm(round: trace.round)))
        #expect(trace.failure == .userCancelled)
    }

    @Test func aFingerThatStillLiesThereIsLiftedFirst() throws {
        var trace = try trace()
        trace.reader(.started)
        trace.reader(.finger([.present]))
        trace.reader(.ended(.noMatch))
        #expect(trace.states.last == .liftFinger)
        #expect(trace.rearmNanoseconds == PromptPace.fingerLift)
        #expect(trace.log.filter { $0 == "arm" }.count == 1)
        trace.send(.timer(.rearm(round: trace.round)))
        #expect(trace.log.filter { $0 == "arm" }.count == 2)
    }

    // MARK: Credential

    @Test(.bug(id: "43")) func theFirstToSucceedWinsAndTheReaderIsStopped() throws {
        var trace = try trace(credential: true)
        trace.reader(.finger([.present]))
        try trace.enter(.right)
        trace.reader(.ended(.match(index: 0)))
        #expect(try trace.result?.get().factors == [.deviceCredential])
        #expect(trace.log.filter { $0 == "finish" }.count == 1)
        #expect(trace.failures == 0)
    }

    @Test func wrongCredentialsAreLimitedToo() throws {
        var trace = try trace(credential: true)
        try trace.enter(.wrong)
        try trace.enter(.wrong)
        #expect(trace.result == nil)
        try trace.enter(.wrong)
        trace.reader(.ended(.cancelled))
        #expect(trace.failure == .wrongCredential)
    }

    @Test func aProvidedCredentialThatIsWrongEndsItBeforeTheSensorIsArmed() throws {
        let held = HeldSecret(try SecretBytes(zeroedCount: 6))
        let trace = try trace(both: true, provided: held)
        #expect(trace.failure == .wrongCredential)
        #expect(!trace.log.contains("arm"))
    }

    @Test func aCredentialThatNoWayTakesIsNotChecked() throws {
        var trace = try trace()
        try trace.enter(.right)
        #expect(!trace.log.contains("check"))
        #expect(trace.result == nil)
    }

    @Test func bothMeansBoth() throws {
        var finger = try trace(both: true)
        finger.touch(.match(index: 0))
        #expect(finger.result == nil)
        try finger.enter(.right)
        #expect(try finger.result?.get().factors == [.finger, .deviceCredential])

        var credential = try trace(both: true)
        try credential.enter(.right)
        #expect(credential.result == nil)
        credential.touch(.match(index: 0))
        #expect(try credential.result?.get().factors == [.finger, .deviceCredential])
    }

    @Test func aMatchThatWaitsForACredentialInVainIsNoFailedAttempt() throws {
        var trace = try trace(both: true)
        trace.touch(.match(index: 0))
        trace.send(.timer(.timeout(generation: 0)))
        #expect(trace.failure == .timedOut)
        #expect(trace.failures == 0)
    }

    @Test func aThrottledCredentialLeavesTheFingerArmed() throws {
        var trace = try trace(credential: true)
        try trace.enter(.refused(.credentialThrottled(remainingSeconds: 30)))
        #expect(trace.result == nil)
        trace.touch(.match(index: 0))
        #expect(try trace.result?.get().factors == [.finger])
    }

    // Random events in any order: whatever happens, success needs a clean match or a right
    // credential, everything ends once, and no count is left open by a no.
    @Test func noOrderOfEventsOpensWithoutAMatchOrACredential() throws {
        var random = SeededRandom(seed: 17)
        for _ in 0..<20_000 {
            var trace = try trace(
                credential: Bool.random(using: &random),
                both: Int.random(in: 0..<4, using: &random) == 0,
                tries: Int.random(in: 1...5, using: &random))
            var matched = false
            var proved = false
            for _ in 0..<24 where trace.result == nil {
                switch Int.random(in: 0..<13, using: &random) {
                case 0: trace.reader(.started)
                case 1: trace.reader(.finger([.present]))
                case 2: trace.reader(.finger([]))
                case 3: trace.reader(.ended(.noMatch))
                case 4: trace.reader(.ended(.retry(.tooShort)))
                case 5: trace.reader(.ended(.failed(Self.fault)))
                case 6: trace.reader(.reported(match: true))
                case 7: trace.send(.timer(.rearm(round: trace.round)))
                case 8: try trace.enter(.wrong)
                case 9: trace.send(.reader(.ended(.match(index: 0)), round: trace.round - 1))
                case 10 where Int.random(in: 0..<6, using: &random) == 0:
                    trace.send(.input(.cancelled))
                case 11 where Int.random(in: 0..<6, using: &random) == 0:
                    matched = true
                    trace.reader(.ended(.match(index: 0)))
                case 12 where Int.random(in: 0..<6, using: &random) == 0:
                    proved = true
                    try trace.enter(.right)
                default: trace.reader(.ended(.cancelled))
                }
            }
            if trace.result == nil {
                trace.send(.timer(.timeout(generation: 0)))
                trace.send(.timer(.disarm(round: trace.round)))
            }
            let result = try #require(trace.result)
            #expect(trace.log.filter { $0 == "finish" }.count == 1)
            switch result {
            case .success(let success):
                #expect(!success.factors.contains(.finger) || matched)
                #expect(!success.factors.contains(.deviceCredential) || proved)
                #expect(!success.factors.isEmpty)
            case .failure: #expect(trace.openCharges == 0)
            }
        }
    }
}

// SplitMix64, so that a failure can be repeated.
struct SeededRandom: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
