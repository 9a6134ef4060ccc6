import Foundation
import Testing

/// Real drivers on the recorded traffic of real readers.
@Suite(
    .serialized, .timeLimit(.minutes(2)),
    .enabled("WHORL_RECORDINGS names no folder") { USBRecording.home != nil })
struct USBRecordingTests {
    @Test(arguments: USBRecording.imaging)
    func capturesThePictureThatWasRecorded(recording: USBRecording) throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("whorl-recording-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("capture.pgm").path
        let answer = try recording.exercise("open,capture:\(file),close")
        #expect(answer.status == 0)
        #expect(answer.operations.count == 3)
        let picture = try #require(recording.picture)
        #expect(FileManager.default.contents(atPath: file) == picture)
    }

    @Test func synapticsRunsItsWholeTape() throws {
        let answer = try USBRecording.synaptics.exercise(
            "open,clear,enroll:right-index-finger,verify:right-index-finger,"
                + "delete:right-index-finger,close")
        #expect(answer.status == 0)
        #expect(answer.operations.count == 6)
        #expect(
            answer.operations.contains(
                #"{"op":"verify","finger":"right-index-finger","outcome":"match"}"#))
        #expect(answer.lines.contains(#"{"event":"stage","op":"enroll","completed":8,"of":8}"#))
    }

    @Test func elanmocRunsItsWholeTape() throws {
        let answer = try USBRecording.elanmoc.exercise(
            "open,enroll:right-index-finger,list,verify:right-index-finger,roundtrip,identify,"
                + "delete:right-index-finger,close")
        #expect(answer.status == 0)
        #expect(answer.operations.count == 8)
        #expect(
            answer.operations.contains(
                #"{"op":"verify","finger":"right-index-finger","outcome":"match"}"#))
        #expect(
            answer.operations.contains(
                #"{"op":"identify","outcome":"match","index":0,"matched":"right-index-finger"}"#))
    }

    // The first asks its sensor who it is before libfprint shows it, the second does not.
    @Test(.bug(id: "37"), arguments: [USBRecording.synaptics, USBRecording.imaging[0]])
    func saysThatTheReaderMayNotBeUsedAndNotThatThereIsNone(recording: USBRecording) throws {
        let answer = try recording.exerciseWithoutPermission("open,close")
        #expect(answer.status == 77)
    }
}
