import Testing
import WhorlBiometrics
import WhorlSensorLab

struct ScriptedReaderTests {
    private func words(_ events: [ReaderEvent]) -> [String] {
        events.map { event in
            switch event {
            case .started: "started"
            case .finger(let status): "finger \(status.rawValue)"
            case .enrollStage(let completed, let total): "stage \(completed)/\(total)"
            case .hint(let hint): "hint \(hint.identifier)"
            case .reported(let match): "reported \(match)"
            case .ended(let outcome): "ended \(word(outcome))"
            case .temperature: "temperature"
            @unknown default: "unknown"
            }
        }
    }

    private func word(_ outcome: ReaderOutcome) -> String {
        switch outcome {
        case .done: "done"
        case .enrolled: "enrolled"
        case .match(let index): "match \(index)"
        case .noMatch: "no match"
        case .retry(let hint): "retry \(hint.identifier)"
        case .cancelled: "cancelled"
        case .prints(let prints): "prints \(prints.count)"
        case .captured: "captured"
        case .failed(let error): "failed \(error.entry.identifier)"
        @unknown default: "unknown"
        }
    }

    private func run(_ command: ReaderCommand, on reader: ScriptedReader) async -> [String] {
        var events: [ReaderEvent] = []
        for await event in await reader.perform(command) { events.append(event) }
        return words(events)
    }

    private func outcome(_ command: ReaderCommand, on reader: ScriptedReader) async -> String {
        word(await reader.outcome(of: command))
    }

    private func enrolled(_ finger: String, on reader: ScriptedReader) async throws -> Print {
        for _ in 0..<3 { reader.touch(finger) }
        let outcome = await reader.outcome(of: .enroll)
        guard case .enrolled(let print) = outcome else {
            Issue.record("not enrolled: \(word(outcome))")
            throw CancellationError()
        }
        return print
    }

    private func becomesFree(_ reader: ScriptedReader) async -> Bool {
        let deadline = ContinuousClock.now + .seconds(60)
        while await outcome(.open, on: reader) != "done" {
            guard ContinuousClock.now < deadline else { return false }
            try? await Task.sleep(for: .milliseconds(1))
        }
        return true
    }

    // MARK: Refusals

    @Test func aScriptWithNoEndIsAFaultAndNoVerdict() async {
        let reader = ScriptedReader()
        reader.script(.verify, .event(.reported(match: true)))
        let print = await anyPrint()
        #expect(await outcome(.verify(print), on: reader) == "failed reader-fault")
    }

    @Test func aClosedReaderRefuses() async {
        let reader = ScriptedReader()
        reader.touch("a")
        #expect(await outcome(.enroll, on: reader) == "failed reader-misused")
        #expect(await outcome(.close, on: reader) == "failed reader-misused")
    }

    @Test func anotherFingerDoesNotMatch() async throws {
        let reader = ScriptedReader()
        _ = await reader.outcome(of: .open)
        let print = try await enrolled("a", on: reader)
        reader.touch("b")
        #expect(await outcome(.verify(print), on: reader) == "no match")
    }

    @Test func aForeignPrintMatchesNothing() async throws {
        let reader = ScriptedReader()
        _ = await reader.outcome(of: .open)
        let print = await anyPrint()
        reader.touch("")
        #expect(await outcome(.verify(print), on: reader) == "no match")
    }

    @Test func aSecondOperationIsRefusedAndTheFirstGoesOn() async {
        let reader = ScriptedReader()
        let gate = ScriptGate()
        reader.script(.capture, .hold(gate), .end(.done))
        let first = Task { await reader.outcome(of: .capture) }
        #expect(await gate.isReached())
        #expect(await outcome(.capture, on: reader) == "failed reader-busy")
        gate.open()
        #expect(word(await first.value) == "done")
    }

    @Test func aReaderWithoutTheFeatureRefuses() async {
        let reader = ScriptedReader(.scripted(features: .verify))
        _ = await reader.outcome(of: .open)
        #expect(await outcome(.identify([]), on: reader) == "failed reader-unsupported")
        #expect(await outcome(.list, on: reader) == "failed reader-unsupported")
        #expect(await outcome(.capture, on: reader) == "failed reader-unsupported")
    }

    // MARK: Scripts

    @Test func aScriptIsPlayedOnceAndInOrder() async {
        let reader = ScriptedReader()
        let print = await anyPrint()
        reader.script(
            .verify, .event(.finger(.needed)), .event(.hint(.tooShort)), .end(.retry(.tooShort)))
        reader.script(.verify, .end(.match(index: 0)))
        #expect(
            await run(.verify(print), on: reader)
                == ["started", "finger 1", "hint too-short", "ended retry too-short"])
        #expect(await outcome(.verify(print), on: reader) == "match 0")
        #expect(await outcome(.verify(print), on: reader) == "failed reader-misused")
        #expect(reader.words == ["verify", "verify", "verify"])
    }

    @Test func aReaderThatFallsSilentGivesNoVerdict() async {
        let reader = ScriptedReader()
        reader.script(.enroll, .event(.reported(match: true)), .fallSilent)
        #expect(await outcome(.enroll, on: reader) == "failed reader-fault")
    }

    @Test func aCancelIsObeyedAtAGate() async {
        let reader = ScriptedReader()
        let gate = ScriptGate()
        reader.script(.enroll, .hold(gate), .end(.done))
        let task = Task { await reader.outcome(of: .enroll) }
        #expect(await gate.isReached())
        await reader.cancel()
        #expect(word(await task.value) == "cancelled")
        #expect(reader.cancels == 1)
    }

    @Test func aDriverThatIgnoresItsCancelKeepsTheReader() async {
        let reader = ScriptedReader()
        let gate = ScriptGate()
        reader.script(.enroll, .ignoreCancel, .hold(gate), .end(.done))
        let task = Task { await reader.outcome(of: .enroll) }
        #expect(await gate.isReached())
        await reader.cancel()
        #expect(word(await task.value) == "failed reader-still-finishing")
        #expect(await outcome(.open, on: reader) == "failed reader-still-finishing")
        gate.open()
        #expect(await becomesFree(reader))
    }

    @Test func anOperationThatNobodyListensToIsCancelled() async {
        let reader = ScriptedReader()
        let gate = ScriptGate()
        reader.script(.enroll, .hold(gate), .end(.done))
        let listening = Task {
            for await _ in await reader.perform(.enroll) {}
        }
        #expect(await gate.isReached())
        listening.cancel()
        #expect(await becomesFree(reader))
    }

    // MARK: The sensor in memory

    @Test func aFingerIsEnrolledStageByStage() async {
        let reader = ScriptedReader(.scripted(enrollStages: 2))
        _ = await reader.outcome(of: .open)
        reader.touch("a")
        reader.touch("b")
        reader.touch(.bad(.notCentred))
        reader.touch("a")
        #expect(
            await run(.enroll, on: reader) == [
                "started", "finger 1", "finger 3", "stage 1/2", "finger 0", "finger 1",
                "finger 3", "hint poor-quality", "finger 0", "finger 1", "finger 3",
                "hint not-centred", "finger 0", "finger 1", "finger 3", "stage 2/2", "finger 0",
                "ended enrolled",
            ])
    }

    @Test func identifyNamesThePrintByItsIndex() async throws {
        let reader = ScriptedReader()
        _ = await reader.outcome(of: .open)
        let prints = [
            try await enrolled("a", on: reader), try await enrolled("b", on: reader),
        ]
        reader.touch("b")
        #expect(await outcome(.identify(prints), on: reader) == "match 1")
        #expect(!prints[0].hasSameBytes(as: try await enrolled("a", on: reader)))
    }

    @Test func aChipKeepsListsAndDeletesPrints() async throws {
        let reader = ScriptedReader(
            .scripted(features: [.verify, .storage, .storageList, .storageDelete, .storageClear]))
        _ = await reader.outcome(of: .open)
        let print = try await enrolled("a", on: reader)
        #expect(print.isStoredOnChip)
        #expect(await outcome(.list, on: reader) == "prints 1")
        #expect(await outcome(.delete(print), on: reader) == "done")
        #expect(await outcome(.delete(print), on: reader) == "failed print-missing")
        _ = try await enrolled("a", on: reader)
        #expect(await outcome(.clearStorage, on: reader) == "done")
        #expect(await outcome(.list, on: reader) == "prints 0")
    }

    @Test func aFaultEndsTheOperation() async throws {
        let reader = ScriptedReader()
        _ = await reader.outcome(of: .open)
        reader.touch(.fault(.readerTooHot(.whorl("hot"))))
        #expect(await outcome(.enroll, on: reader) == "failed reader-too-hot")
    }

    @Test func anUnpluggedReaderSaysSoUntilItIsBackAndOpened() async {
        let reader = ScriptedReader()
        _ = await reader.outcome(of: .open)
        let stream = await reader.perform(.enroll)
        reader.unplug()
        var last = "nothing"
        for await event in stream { last = words([event])[0] }
        #expect(last == "ended failed reader-disconnected")
        #expect(await outcome(.close, on: reader) == "failed reader-disconnected")
        reader.replug()
        #expect(await outcome(.enroll, on: reader) == "failed reader-misused")
        #expect(await outcome(.open, on: reader) == "done")
    }

    @Test func aScriptedReaderCountsForNothingByItself() async {
        let description = await ScriptedReader().description
        #expect(description.isSimulated)
        #expect(description.rating.strength == nil)
    }

    private func anyPrint() async -> Print {
        let reader = ScriptedReader(.scripted(enrollStages: 1))
        reader.script(.enroll, .end(.done))
        _ = await reader.outcome(of: .open)
        _ = await reader.outcome(of: .enroll)
        reader.touch("somebody")
        guard case .enrolled(let print) = await reader.outcome(of: .enroll) else {
            preconditionFailure("the scripted sensor did not enrol")
        }
        return print
    }
}
