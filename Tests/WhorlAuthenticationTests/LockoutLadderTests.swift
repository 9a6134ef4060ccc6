import Testing
import WhorlBiometrics

@testable import WhorlAuthentication

struct LockoutLadderTests {
    @Test func aCountThatSomebodyMadeHugeIsNoCrash() {
        var ladder = LockoutLadder(failures: .max)
        ladder.charge()
        var throttle = CredentialThrottle(failures: .max)
        throttle.charge(at: BootInstant(bootID: "boot", nanoseconds: 0))
        #expect(ladder.status(at: BootInstant(bootID: "boot", nanoseconds: .max)) == .permanent)
        #expect(throttle.remainingSeconds(at: BootInstant(bootID: "boot", nanoseconds: 1)) != nil)
    }

    private func at(_ seconds: Int64, boot: String = "a") -> BootInstant {
        BootInstant(bootID: boot, nanoseconds: seconds * 1_000_000_000)
    }

    private func failed(_ count: Int, at now: BootInstant) -> LockoutLadder {
        var ladder = LockoutLadder()
        for _ in 0..<count {
            ladder.charge()
            ladder.settleNoMatch(at: now)
        }
        return ladder
    }

    @Test func fiveTenAndFifteenWaitAndTwentyNeedsTheCredential() {
        for count in 0...25 {
            let status = failed(count, at: at(100)).status(at: at(100))
            switch count {
            case 5, 10, 15: #expect(status == .timed(remainingSeconds: 30), "\(count)")
            case 20...: #expect(status == .permanent, "\(count)")
            default: break
            }
            if count < 5 { #expect(status == .open, "\(count)") }
        }
    }

    @Test func theWaitEndsAfterThirtySecondsAndLeavesTheCount() {
        let ladder = failed(5, at: at(100))
        #expect(ladder.status(at: at(129)) == .timed(remainingSeconds: 1))
        #expect(ladder.status(at: at(130)) == .open)
        #expect(ladder.failures == 5)
        var next = ladder
        next.charge()
        next.settleNoMatch(at: at(131))
        #expect(next.status(at: at(131)) == .open)
    }

    @Test func aRebootStartsTheWaitAnew() {
        var ladder = failed(5, at: at(100))
        #expect(ladder.status(at: at(5, boot: "b")) == .timed(remainingSeconds: 30))
        ladder.recover(at: at(5, boot: "b"))
        #expect(ladder.status(at: at(34, boot: "b")) == .timed(remainingSeconds: 1))
        #expect(ladder.status(at: at(35, boot: "b")) == .open)
    }

    @Test func aClockThatRunsBackwardsEndsNoWait() {
        var ladder = failed(5, at: at(100))
        #expect(ladder.status(at: at(1)) == .timed(remainingSeconds: 30))
        ladder.recover(at: at(1))
        #expect(ladder.status(at: at(31)) == .open)
    }

    @Test func aRebootDoesNotEndTheTwentieth() {
        var ladder = failed(20, at: at(100))
        ladder.recover(at: at(0, boot: "b"))
        #expect(ladder.status(at: at(1_000_000, boot: "b")) == .permanent)
    }

    @Test func aChargeThatADeadProcessLeftCounts() {
        var ladder = failed(4, at: at(100))
        ladder.charge()
        ladder.recover(at: at(200))
        #expect(ladder.failures == 5)
        #expect(ladder.status(at: at(200)) == .timed(remainingSeconds: 30))
    }

    @Test func aRefundTakesBackOneChargeAndOnlyOne() {
        var ladder = failed(3, at: at(1))
        ladder.refund()
        #expect(ladder.failures == 3)
        ladder.charge()
        ladder.charge()
        #expect(ladder.failures == 4)
        ladder.refund()
        ladder.refund()
        #expect(ladder.failures == 3)
    }

    @Test func aVerdictThatWasNeverChargedCountsAllTheSame() {
        var ladder = LockoutLadder()
        ladder.settleNoMatch(at: at(1))
        #expect(ladder.failures == 1)
    }

    @Test func aMatchOrTheCredentialClearsEverything() {
        var ladder = failed(20, at: at(1))
        ladder.clear()
        #expect(ladder == LockoutLadder())
    }
}

struct CredentialThrottleTests {
    // AOSP Gatekeeper.
    @Test(arguments: [
        (0, 0), (4, 0), (5, 30), (6, 0), (9, 0), (10, 30), (29, 30), (30, 30), (39, 30),
        (40, 60), (50, 120), (129, 30 << 9), (130, 30 << 10), (139, 30 << 10), (140, 86_400),
        (1_000_000, 86_400),
    ])
    func theDelaysAreGatekeepers(failures: Int, seconds: Int64) {
        #expect(CredentialThrottle.delaySeconds(afterFailures: failures) == seconds)
    }

    @Test func aRebootRestartsTheWaitAndIsNoFailure() {
        var throttle = CredentialThrottle()
        for _ in 0..<5 {
            throttle.charge(at: BootInstant(bootID: "a", nanoseconds: 1))
        }
        let later = BootInstant(bootID: "b", nanoseconds: 9_000_000_000)
        #expect(throttle.remainingSeconds(at: later) == 30)
        throttle.recover(at: later)
        #expect(throttle.failures == 5)
        let end = BootInstant(bootID: "b", nanoseconds: 39_000_000_000)
        #expect(throttle.remainingSeconds(at: end) == nil)
    }
}
