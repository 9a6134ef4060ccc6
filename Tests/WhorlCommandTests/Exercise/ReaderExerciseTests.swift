import Foundation
import Synchronization
import Testing
import WhorlBiometrics
import WhorlSecrets
import WhorlSensorLab

@testable import WhorlCommand

@Suite(.timeLimit(.minutes(1)))
struct ReaderExerciseTests {
    private static let everything = ReaderDescription.scripted(
        features: [
            .capture, .verify, .identify, .storage, .storageList, .storageDelete, .storageClear,
        ])

    private final class Lines: Sendable {
        private let lines = Mutex<[String]>([])
        var all: [String] { lines.withLock { $0 } }
        var operations: [String] { all.filter { $0.hasPrefix(#"{"op":"#) } }
        func append(_ line: JSON) { lines.withLock { $0.append(line.description) } }
    }

    private func run(
        _ operations: String, on reader: ScriptedReader, allowsDestruction: Bool = false,
        patience: Duration = .seconds(20),
        isInterrupted: @escaping @Sendable () -> Bool = { false }
    ) async throws -> (failure: CommandFailure?, lines: Lines) {
        let lines = Lines()
        let failure = try await ReaderExercise().run(
            operations, on: reader, allowsDestruction: allowsDestruction,
            limits: ExerciseLimits(patience: patience, isInterrupted: isInterrupted)
        ) { lines.append($0) }
        return (failure, lines)
    }

    @Test func saysWhatEachOperationCameTo() async throws {
        let reader = ScriptedReader(Self.everything)
        for _ in 0..<3 { reader.touch("whorl") }
        reader.touch("whorl")
        reader.touch("arch")
        reader.touch(.bad(.tooShort))
        reader.touch("whorl")
        let (failure, lines) = try await run(
            "open,enroll:right-thumb,verify:right-thumb,verify:right-thumb,verify:right-thumb,"
                + "list,roundtrip,identify,delete:right-thumb,clear,suspend,resume,wait:1,close",
            on: reader)
        #expect(failure == nil)
        #expect(
            lines.operations == [
                #"{"op":"open","outcome":"done"}"#,
                #"{"op":"enroll","finger":"right-thumb","outcome":"done","onChip":true,"bytes":22}"#,
                #"{"op":"verify","finger":"right-thumb","outcome":"match"}"#,
                #"{"op":"verify","finger":"right-thumb","outcome":"no-match"}"#,
                #"{"op":"verify","finger":"right-thumb","outcome":"retry","hint":"too-short","acquired":1}"#,
                #"{"op":"list","outcome":"done","prints":1}"#,
                #"{"op":"roundtrip","outcome":"done","prints":2}"#,
                #"{"op":"identify","outcome":"match","index":0,"matched":"right-thumb"}"#,
                #"{"op":"delete","finger":"right-thumb","outcome":"done"}"#,
                #"{"op":"clear","outcome":"done"}"#,
                #"{"op":"suspend","outcome":"done"}"#,
                #"{"op":"resume","outcome":"done"}"#,
                #"{"op":"wait","outcome":"done","milliseconds":1}"#,
                #"{"op":"close","outcome":"done"}"#,
            ])
    }

    @Test func writesOneLineAnEvent() async throws {
        let reader = ScriptedReader()
        reader.script(
            .enroll, .event(.finger(.needed)), .event(.enrollStage(completed: 1, of: 2)),
            .event(.hint(.notCentred)), .event(.temperature(.warm)),
            .event(.reported(match: false)), .end(.cancelled))
        let (_, lines) = try await run("enroll:left-thumb", on: reader)
        #expect(
            lines.all.dropLast() == [
                #"{"event":"started","op":"enroll"}"#,
                #"{"event":"finger","op":"enroll","needed":true,"present":false}"#,
                #"{"event":"stage","op":"enroll","completed":1,"of":2}"#,
                #"{"event":"hint","op":"enroll","hint":"not-centred","acquired":1}"#,
                #"{"event":"temperature","op":"enroll","temperature":"warm"}"#,
                #"{"event":"reported","op":"enroll","match":false}"#,
            ])
    }

    @Test func goesOnAfterAnErrorAndGivesTheFirstOne() async throws {
        let reader = ScriptedReader()
        reader.script(.open, .end(.failed(.readerTooHot(.whorl("")))))
        reader.script(.close, .end(.failed(.readerFault(.whorl("")))))
        let (failure, lines) = try await run("open,close", on: reader)
        #expect(failure?.identifier == "reader-too-hot")
        #expect(lines.operations.count == 2)
        #expect(lines.operations[0].hasPrefix(#"{"op":"open","outcome":"error","error":{"case":"#))
    }

    @Test(arguments: ["clear", "enroll:left-thumb", "delete:left-thumb"])
    func refusesToChangeARealSensorBeforeItTouchesIt(operation: String) async throws {
        let real = Self.everything
        let reader = ScriptedReader(
            ReaderDescription(
                identity: real.identity, name: real.name, reality: .real, features: real.features,
                scanType: real.scanType, enrollStages: real.enrollStages, matchesOnChip: true,
                rating: real.rating))
        await #expect(throws: ExerciseRefusal.self) {
            try await run("open,\(operation),close", on: reader)
        }
        #expect(reader.words.isEmpty)
        for _ in 0..<3 { reader.touch("whorl") }
        _ = try await run("open,\(operation),close", on: reader, allowsDestruction: true)
        #expect(reader.words.first == "open")
    }

    @Test func runsNothingOfAPlanThatItCannotRead() async throws {
        let reader = ScriptedReader()
        await #expect(throws: ExerciseRefusal.operations("'erase' is no operation")) {
            try await run("open,erase", on: reader)
        }
        #expect(reader.words.isEmpty)
    }

    @Test(arguments: ["verify:left-thumb", "identify", "delete:left-thumb"])
    func failsOnAPrintThatWasNeverEnrolled(operation: String) async throws {
        let reader = ScriptedReader(Self.everything)
        let (failure, _) = try await run("open,\(operation),close", on: reader)
        #expect(failure?.identifier == "not-enrolled")
        #expect(failure?.exitStatus == 3)
        #expect(reader.words == ["open", "close"])
    }

    @Test func givesUpOnAFingerThatNeverComes() async throws {
        let reader = ScriptedReader(Self.everything)
        let (failure, lines) = try await run(
            "open,enroll:left-thumb,close", on: reader, patience: .milliseconds(50))
        #expect(failure?.identifier == "timed-out")
        #expect(failure?.exitStatus == 5)
        #expect(lines.operations.last == #"{"op":"close","outcome":"done"}"#)
    }

    @Test func waitsForAReaderThatIsSlowToOpen() async throws {
        let reader = ScriptedReader(Self.everything)
        let gate = ScriptGate()
        reader.script(.open, .hold(gate), .end(.done))
        async let run = run("open,close", on: reader, patience: .milliseconds(1))
        try await Task.sleep(for: .milliseconds(50))
        gate.open()
        #expect(try await run.lines.operations.first == #"{"op":"open","outcome":"done"}"#)
    }

    @Test func runsOnlyCloseOnceItWasInterrupted() async throws {
        let reader = ScriptedReader(Self.everything)
        let (failure, lines) = try await run(
            "open,wait:600000,enroll:left-thumb,list,close", on: reader,
            isInterrupted: { reader.words.contains("open") })
        #expect(failure?.identifier == "user-cancelled")
        #expect(failure?.exitStatus == 5)
        #expect(reader.words == ["open", "close"])
        #expect(lines.operations.count == 5)
    }

    @Test func takesNoIndexFromAReaderThatIsNotInTheGallery() async throws {
        let reader = ScriptedReader(Self.everything)
        for _ in 0..<3 { reader.touch("whorl") }
        reader.script(.identify, .end(.match(index: 1)))
        let (failure, _) = try await run("open,enroll:left-thumb,identify", on: reader)
        #expect(failure?.identifier == "reader-protocol")
    }

    @Test func takesNoAnswerToAnotherQuestion() async throws {
        let reader = ScriptedReader(Self.everything)
        for _ in 0..<3 { reader.touch("whorl") }
        reader.script(.verify, .end(.done))
        let (failure, _) = try await run("open,enroll:left-thumb,verify:left-thumb", on: reader)
        #expect(failure?.identifier == "reader-protocol")
    }

    @Test func takesNoSilenceForAnAnswer() async throws {
        let reader = ScriptedReader(Self.everything)
        reader.script(.open, .fallSilent)
        let (failure, _) = try await run("open", on: reader)
        #expect(failure?.identifier == "reader-fault")
    }

    // MARK: Pictures

    private func inNewFolder(_ body: (String) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("whorl-exercise-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await body(folder)
    }

    @Test func writesAPictureForItsOwnerAlone() async throws {
        try await inNewFolder { folder in
            let grey: [UInt8] = [1, 2, 3, 250, 251, 252]
            let pixels = try unsafe SecretBytes(copying: grey.span.bytes)
            let captured = CapturedImage(width: 3, height: 2, pixels: pixels)
            let image = try #require(captured)
            let reader = ScriptedReader(Self.everything)
            reader.script(.capture, .end(.captured(image)))
            let file = "\(folder)/finger.pgm"
            let (failure, lines) = try await run("open,capture:\(file),close", on: reader)
            #expect(failure == nil)
            #expect(lines.operations[1].contains(#""width":3,"height":2"#))
            let contents = try #require(FileManager.default.contents(atPath: file))
            #expect(contents == Data("P5\n3 2\n255\n".utf8) + Data(grey))
            let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions]
            #expect(mode as? Int == 0o600)
        }
    }

    @Test func writesOverNoFileAndAsksForNoFingerThen() async throws {
        try await inNewFolder { folder in
            let file = "\(folder)/finger.pgm"
            try Data("mine".utf8).write(to: URL(fileURLWithPath: file))
            let reader = ScriptedReader(Self.everything)
            let (failure, _) = try await run("open,capture:\(file),close", on: reader)
            #expect(failure?.exitStatus == 73)
            #expect(reader.words == ["open", "close"])
            #expect(FileManager.default.contents(atPath: file) == Data("mine".utf8))
        }
    }

    @Test func leavesNoFileBehindWithoutAPicture() async throws {
        try await inNewFolder { folder in
            let reader = ScriptedReader(Self.everything)
            reader.script(.capture, .end(.retry(.poorQuality)))
            let (failure, lines) = try await run("open,capture:\(folder)/x.pgm,close", on: reader)
            #expect(failure == nil)
            #expect(lines.operations[1].hasPrefix(#"{"op":"capture","outcome":"retry""#))
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
        }
    }
}
