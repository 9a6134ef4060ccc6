import Synchronization
import Testing
import WhorlAuthentication
import WhorlBiometrics
import WhorlSensorLab

@testable import WhorlCommand

struct LabCommandTests {
    @Test func anExerciseNeedsNoStoreAndTouchesNone() async {
        let host = ScriptedHost { $0.isSetUp = false }
        let run = await CommandRun("lab", "exercise", "open,close", on: host)
        #expect(run.status == 0)
        #expect(host.calls == ["reader"])
        let lines = run.output.split(separator: "\n")
        #expect(
            lines.filter { $0.hasPrefix(#"{"op":"#) } == [
                #"{"op":"open","outcome":"done"}"#, #"{"op":"close","outcome":"done"}"#,
            ])
        #expect(run.errors == "")
    }

    @Test func anOperationThatCannotBeReadIsAWrongCommandLineBeforeTheReaderIsLookedFor() async {
        let host = ScriptedHost { $0.readersError = .authentication(.noReader) }
        let run = await CommandRun("lab", "exercise", "open,dance", on: host)
        #expect(run.status == 64)
        #expect(run.errors.contains("'dance' is no operation"))
        #expect(host.calls.isEmpty)
    }

    @Test func aReaderThatIsNotThereIsSaidSo() async {
        let host = ScriptedHost { $0.readersError = .authentication(.readerNotFound) }
        let run = await CommandRun("lab", "exercise", "open", on: host)
        #expect(run.status == 69)
    }

    @Test func theFirstErrorIsTheExitStatusAndTheRestIsRun() async {
        let run = await CommandRun(
            "lab", "exercise", "open,verify:left-thumb,close", "--json", on: ScriptedHost())
        #expect(run.status == 3)
        #expect(run.output.contains(#"{"op":"close","outcome":"done"}"#))
        #expect(run.output.contains(#""simulated":true,"error":{"case":"not-enrolled""#))
    }

    @Test func outputThatNobodyReadsIsAnError() async {
        let run = await CommandRun(
            "lab", "exercise", "open,close", on: ScriptedHost(),
            output: MemorySink(failingWith: .brokenPipe))
        #expect(run.status == 74)
    }

    @Test(.timeLimit(.minutes(1)))
    func aSignalCancelsWhatRunsAndTheReaderIsGivenBack() async {
        let interruptions = Interruptions()
        let host = ScriptedHost()
        let sink = MemorySink()
        let running = Task {
            await CommandRun(
                "lab", "exercise", "open,wait:60000,close", on: host, interruptions: interruptions,
                output: sink)
        }
        // A signal before the reader is open would leave nothing to give back.
        while !sink.written.contains(#"{"op":"open","outcome":"done"}"#), !Task.isCancelled {
            try? await Task.sleep(for: .milliseconds(1))
        }
        while !interruptions.receive(15, .system), !running.isCancelled { await Task.yield() }
        let run = await running.value
        #expect(run.status == 5)
        #expect(run.output.contains(#"{"op":"wait","outcome":"error""#))
        #expect(run.output.contains(#"{"op":"close","outcome":"done"}"#))
    }

    // MARK: The demonstration

    @Test(.timeLimit(.minutes(1)))
    func aSignalEndsTheStoryAndItIsPutAway() async {
        let interruptions = Interruptions()
        let host = ScriptedHost(enrolled: []) { $0.person = [.types] }
        let running = Task {
            await CommandRun("demo", on: host, interruptions: interruptions)
        }
        while !host.calls.contains("touch owner"), !running.isCancelled { await Task.yield() }
        #expect(interruptions.receive(2, .person))
        let run = await running.value
        #expect(run.status == 5)
        #expect(host.calls.last == "finish")
        #expect(host.openSessions == 0)
    }

    @Test func theStoryIsToldOnASimulatedReader() async throws {
        let host = ScriptedHost(enrolled: []) { $0.person = ScriptedDemonstration.people }
        let run = await CommandRun("demo", on: host)
        #expect(run.status == 0, "\(run.errors)")
        try Golden.expect(run.output, isIn: "Fixtures/cli/demo.txt")
        #expect(host.calls.first == "demonstration simulated")
        #expect(host.calls.last == "finish")
        #expect(host.calls.contains("enroll confirm true drop"))
        #expect(host.openSessions == 0)
    }

    @Test func onARecordingOnlyItsTouchIsAskedFor() async {
        let host = ScriptedHost(enrolled: []) { state in
            state.person = [.touches, .isNotAsked(.enrollmentChanged)]
        }
        let run = await CommandRun("demo", "--recording", "tape", on: host)
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.output.contains("recorded USB traffic of a real sensor (tape)"))
        #expect(host.calls.contains("enroll confirm false drop"))
        #expect(host.calls.filter { $0 == "touch owner" }.count == 1)
        #expect(!host.calls.contains("touch stranger"))
    }

    @Test func aStoryThatGoesOtherwiseIsAnErrorAndIsPutAway() async {
        // The stranger's finger opens the secret.
        let host = ScriptedHost(enrolled: []) { $0.person = [.touches, .touches] }
        let run = await CommandRun("demo", on: host)
        #expect(run.status == 70)
        #expect(host.calls.last == "finish")
        #expect(host.openSessions == 0)
    }
}
