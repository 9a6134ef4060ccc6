import Testing
import WhorlAuthentication
import WhorlBiometrics
import WhorlSensorLab

@testable import WhorlCommand

struct FingerCommandTests {
    @Test func fingersAreListed() async {
        let run = await CommandRun("finger", "list", on: ScriptedHost(enrolled: [.leftThumb]))
        #expect(run.status == 0)
        #expect(run.output.hasPrefix("left-thumb  "))
        #expect(run.output.contains("(simulated)"))
        let none = await CommandRun("finger", "list", on: ScriptedHost(enrolled: []))
        #expect(none.status == 0)
        #expect(none.output == "")
        #expect(none.errors.contains("no finger is enrolled"))
    }

    @Test func enrollingNeedsThePIN() async {
        let host = ScriptedHost(enrolled: [])
        let run = await CommandRun("enroll", on: host)
        #expect(run.status == 64)
        #expect(run.errors.contains("'finger enroll' needs the PIN"))
        #expect(host.calls.isEmpty)
    }

    @Test func aFingerIsEnrolledWithThePINFromADescriptor() async {
        let host = ScriptedHost(enrolled: [])
        let pin = InputDescriptor("271828")
        let run = await CommandRun(
            "enroll", "left-thumb", "--pin-fd", "\(pin.number)", "--no-confirm", on: host)
        #expect(run.status == 0)
        #expect(run.output.hasPrefix("enrolled left-thumb on "))
        #expect(host.calls.last == "enroll confirm false drop")
    }

    @Test func keysThatWouldDieAreAskedAboutAtTheTerminal() async throws {
        for (answer, carry) in [("yes", "carry"), ("no", "drop"), ("", "drop"), ("yess", "drop")] {
            let host = ScriptedHost()
            try await host.session.vault.put(secret("x"), as: "bound")
            try await host.session.vault.put(secret("x"), as: "free", access: .biometryAny)
            let terminal = ScriptedTerminal([.line(answer), .line("271828")])
            let run = await CommandRun("enroll", "left-thumb", on: host, terminal: terminal)
            #expect(run.status == 0)
            #expect(host.calls.last == "enroll confirm true \(carry)")
            #expect(terminal.shown.contains("  bound\n"))
            #expect(!terminal.shown.contains("  free\n"))
            #expect(run.output.contains("no finger opens these any more") == (carry == "drop"))
        }
    }

    @Test func whereNoKeyWouldDieNobodyIsAsked() async throws {
        let host = ScriptedHost()
        try await host.session.vault.put(secret("x"), as: "free", access: .biometryAny)
        let terminal = ScriptedTerminal([.line("271828")])
        let run = await CommandRun("enroll", on: host, terminal: terminal)
        #expect(run.status == 0)
        #expect(terminal.rest == 0)
    }

    @Test func ctrlDAtTheQuestionCancels() async throws {
        let host = ScriptedHost()
        try await host.session.vault.put(secret("x"), as: "bound")
        let terminal = ScriptedTerminal([.end])
        let run = await CommandRun("enroll", on: host, terminal: terminal)
        #expect(run.status == 5)
        #expect(host.calls == ["open"])
        #expect(terminal.isRestored)
    }

    @Test func aFingerIsVerified() async {
        let host = ScriptedHost { $0.person = [.touches] }
        let run = await CommandRun("verify", on: host)
        #expect(run.status == 0)
        #expect(
            run.output
                == "right-index-finger matches, class 1 convenience "
                + "(simulated: no sensor measured anything)\n")
    }

    @Test func verifyingHasEachEndOfItsOwn() async {
        for (error, status): (AuthenticationError, CInt) in [
            (.noMatch, 1), (.timedOut, 5), (.userCancelled, 5),
            (.lockedOut(remainingSeconds: 30), 6),
            (.lockedOutPermanently, 6), (.readerDisconnected(.whorl("")), 69),
            (.readerTooHot(.whorl("")), 75), (.readerFault(.whorl("")), 74),
            (.simulatedNotAllowed, 77), (.remoteSession, 77),
        ] {
            let host = ScriptedHost { $0.person = [.strangerTouches(then: error)] }
            let run = await CommandRun("verify", on: host)
            #expect(run.status == status, "\(error)")
            #expect(run.errors.split(separator: "\n").last?.hasPrefix("whorl: ") == true)
        }
        let none = await CommandRun("verify", on: ScriptedHost(enrolled: []))
        #expect(none.status == 3)
    }

    @Test func aFingerIsRemovedWithThePIN() async throws {
        let host = ScriptedHost()
        try await host.session.vault.put(secret("x"), as: "bound")
        let pin = InputDescriptor("271828\n")
        let run = await CommandRun("finger", "remove", "--pin-fd", "\(pin.number)", on: host)
        #expect(run.status == 0)
        #expect(run.output.hasPrefix("removed right-index-finger\n"))
        #expect(run.output.contains("  bound\n"))
    }

    @Test func aFingerThatIsNotEnrolledIsSaidSoBeforeThePINIsRead() async {
        let host = ScriptedHost()
        let empty = InputDescriptor("")
        let run = await CommandRun(
            "finger", "remove", "left-thumb", "--pin-fd", "\(empty.number)", on: host)
        #expect(run.status == 66)
    }

    @Test func unlockTakesThePIN() async {
        let host = ScriptedHost()
        let pin = InputDescriptor("271828\n")
        let right = await CommandRun("unlock", "--pin-fd", "\(pin.number)", on: host)
        #expect(right.status == 0)
        let wrongPIN = InputDescriptor("1")
        let wrong = await CommandRun("unlock", "--pin-fd", "\(wrongPIN.number)", on: host)
        #expect(wrong.status == 1)
        let none = await CommandRun("unlock", on: host)
        #expect(none.status == 64)
    }

    @Test func lockEndsReuse() async {
        let host = ScriptedHost()
        let run = await CommandRun("lock", on: host)
        #expect(run.status == 0)
        #expect(host.session.locks == 1)
        #expect(run.errors.contains("there was none to end"))
        let service = ScriptedHost { $0.placement = .service }
        #expect(await CommandRun("lock", on: service).errors == "")
    }

    @Test(arguments: ["", "\n", String(repeating: "1", count: 1025)])
    func aPINThatCannotBeOneIsBadData(text: String) async {
        let host = ScriptedHost()
        let pin = InputDescriptor(text)
        let run = await CommandRun("unlock", "--pin-fd", "\(pin.number)", on: host)
        #expect(run.status == 65)
        #expect(!run.errors.contains("1111"))
    }

    @Test func aPINOfTheGreatestLengthLosesItsNewlineOnly() async {
        let text = String(repeating: "7", count: 1023) + "\n"
        let host = ScriptedHost { $0.pin = text }
        let pin = InputDescriptor(text + "\n")
        let run = await CommandRun("unlock", "--pin-fd", "\(pin.number)", on: host)
        #expect(run.status == 0)
    }

    @Test func aDescriptorThatIsNotOpenIsAWrongCommandLine() async {
        let host = ScriptedHost()
        let run = await CommandRun("unlock", "--pin-fd", "987654", on: host)
        #expect(run.status == 64)
        #expect(host.calls.isEmpty)
    }

    @Test func quietLeavesOnlyErrors() async {
        let host = ScriptedHost { $0.person = [.strangerTouches(then: .noMatch)] }
        let run = await CommandRun("verify", "--quiet", on: host)
        #expect(run.status == 1)
        #expect(run.errors.split(separator: "\n").count == 1)
    }
}
