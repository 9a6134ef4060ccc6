import Testing
import WhorlBiometrics
import WhorlSensorLab

extension Requirement: CustomTestStringConvertible {
    /// The name, in place of a dump of the whole value.
    public var testDescription: String { id }
}

struct ScriptedReaderConformanceTests {
    @Test(arguments: Conformance.requirements)
    func theScriptedReaderConforms(_ requirement: Requirement) async {
        let reader = ScriptedReader()
        let verdict = await requirement.check(reader, with: ScriptedOperator(reader: reader))
        #expect(verdict == .passed, "\(requirement.sentence)")
    }

    @Test func everyRequirementHasANameOfItsOwn() {
        let names = Conformance.requirements.map(\.id)
        #expect(Set(names).count == names.count)
    }
}

/// Requirements that no reader could fail would prove nothing: each of these readers breaks one.
struct NonconformingReaderTests {
    private func verdict(_ id: String, of reader: ScriptedReader) async throws
        -> Requirement.Verdict
    {
        let requirement = try #require(Conformance.requirements.first { $0.id == id })
        return await requirement.check(
            reader, with: ScriptedOperator(reader: reader), patience: .seconds(20))
    }

    @Test func aReaderThatMatchesEverythingFails() async throws {
        let reader = ScriptedReader()
        reader.script(.verify, .end(.match(index: 0)))
        #expect(
            try await verdict("verify-refuses-another-finger", of: reader)
                == .failed("verify ended in a match with print 0"))
    }

    @Test func aReaderThatMatchesNothingFails() async throws {
        let reader = ScriptedReader()
        reader.script(.verify, .end(.noMatch))
        #expect(
            try await verdict("verify-matches-the-enrolled-finger", of: reader)
                == .failed("verify ended in no match"))
    }

    @Test func aReaderThatNamesTheWrongPrintFails() async throws {
        let reader = ScriptedReader()
        reader.script(.identify, .end(.match(index: 1)))
        #expect(
            try await verdict("identify-finds-the-finger", of: reader)
                == .failed("identify ended in a match with print 1"))
    }

    @Test func aReaderThatFallsSilentFails() async throws {
        let reader = ScriptedReader()
        reader.script(.open, .fallSilent)
        #expect(
            try await verdict("opens-and-closes", of: reader)
                == .failed("open: the stream ended without its last event"))
    }

    @Test func aReaderThatWorksWhileClosedFails() async throws {
        let reader = ScriptedReader()
        reader.script(.enroll, .end(.noMatch))
        #expect(
            try await verdict("refuses-work-while-closed", of: reader)
                == .failed("enroll ended in no match"))
    }

    @Test func aReaderThatIgnoresItsCancelFails() async throws {
        let reader = ScriptedReader()
        let gate = ScriptGate()
        reader.script(
            .enroll, .ignoreCancel, .event(.finger(.needed)), .hold(gate), .end(.cancelled))
        let verdict = try await verdict("ends-when-cancelled", of: reader)
        gate.open()
        #expect(
            verdict
                == .failed(
                    "enroll ended in reader-still-finishing (the driver ignores its cancel)"))
    }

    @Test func aReaderThatSkipsAStageFails() async throws {
        let reader = ScriptedReader()
        let other = ScriptedReader(.scripted(enrollStages: 1))
        _ = await other.outcome(of: .open)
        other.touch("x")
        let enrolled = await other.outcome(of: .enroll)
        reader.script(
            .enroll, .event(.enrollStage(completed: 1, of: 3)),
            .event(.enrollStage(completed: 3, of: 3)), .end(enrolled))
        #expect(
            try await verdict("enrols-in-its-stages", of: reader)
                == .failed("of 3 stages these were reported: [1, 3]"))
    }

    @Test func aReaderThatNeverAnswersFailsInBoundedTime() async throws {
        let reader = ScriptedReader()
        let gate = ScriptGate()
        reader.script(.open, .ignoreCancel, .hold(gate), .end(.done))
        let requirement = try #require(Conformance.requirements.first)
        let verdict = await requirement.check(
            reader, with: ScriptedOperator(reader: reader), patience: .milliseconds(50))
        gate.open()
        #expect(verdict == .failed("not done within 0.05 seconds"))
    }

    @Test func whatAReaderCannotDoIsNotAskedOfIt() async throws {
        let reader = ScriptedReader(.scripted(features: .verify))
        #expect(
            try await verdict("identify-finds-the-finger", of: reader)
                == .notApplicable("the reader has not: identify"))
        #expect(reader.words.isEmpty)
    }
}
