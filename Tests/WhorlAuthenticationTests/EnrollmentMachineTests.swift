import Testing
import WhorlBiometrics
import WhorlSecrets

@testable import WhorlAuthentication

struct EnrollmentMachineTests {
    private func newPrint() throws -> Print {
        Print(serialized: try SecretBytes(zeroedCount: 1), isStoredOnChip: true)
    }

    private func trace(confirm: Bool = true) -> MachineTrace<EnrollmentMachine> {
        var trace = MachineTrace(EnrollmentMachine(limits: .standard, confirm: confirm))
        trace.begin()
        return trace
    }

    @Test func aPrintThatFailsItsConfirmationIsDiscarded() throws {
        var trace = trace()
        trace.touch(.enrolled(try newPrint()))
        for _ in 0..<3 { trace.touch(.noMatch) }
        #expect(trace.failure == .noMatch)
        #expect(trace.log.suffix(2) == ["discard", "finish"])
    }

    @Test func aPrintThatCrossesACancelIsDiscarded() throws {
        var trace = trace()
        trace.send(.input(.cancelled))
        trace.reader(.ended(.enrolled(try newPrint())))
        #expect(trace.failure == .userCancelled)
        #expect(trace.log.suffix(2) == ["discard", "finish"])
    }

    @Test func aConfirmingTouchThatMatchesKeepsThePrint() throws {
        var trace = trace()
        let print = try newPrint()
        for stage in 1...5 { trace.reader(.enrollStage(completed: stage, of: 5)) }
        trace.touch(.enrolled(print))
        trace.touch(.noMatch)
        trace.touch(.match(index: 0))
        #expect(try trace.result?.get() === print)
        #expect(!trace.log.contains("discard"))
        #expect(trace.failures == 0)
    }

    @Test func withoutConfirmationTheTapesOperationsAreAllThereIs() throws {
        var trace = trace(confirm: false)
        trace.touch(.enrolled(try newPrint()))
        #expect(trace.log == ["show", "arm", "finish"])
    }

    @Test(arguments: [
        AuthenticationError.readerFull(.whorl("")), .duplicateFinger(.whorl("")),
        .readerDisconnected(.whorl("")), .readerTooHot(.whorl("")),
        .readerFault(.whorl("")),
    ])
    func aFaultEndsTheEnrolment(error: AuthenticationError) {
        var trace = trace()
        trace.reader(.enrollStage(completed: 1, of: 5))
        trace.touch(.failed(error))
        #expect(trace.failure == error)
    }

    @Test func everyStageGivesTheWholeTimeAgain() {
        var trace = trace()
        trace.reader(.enrollStage(completed: 1, of: 5))
        trace.send(.timer(.timeout(generation: 1)))
        #expect(trace.result == nil)
        trace.send(.timer(.timeout(generation: 2)))
        trace.reader(.ended(.cancelled))
        #expect(trace.failure == .timedOut)
    }

    @Test func twentyBadCapturesEndIt() {
        var trace = trace()
        for _ in 0..<20 { trace.reader(.hint(.tooShort)) }
        trace.reader(.ended(.cancelled))
        #expect(trace.failure == .tooManyBadCaptures)
    }

    @Test func anAnswerThatIsNoPrintIsRefused() {
        var trace = trace()
        trace.touch(.match(index: 0))
        #expect(trace.failure?.entry.identifier == "reader-fault")
    }
}
