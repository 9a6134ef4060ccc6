import Foundation
import Testing
import WhorlBiometrics

/// Recordings of readers beyond those that are tested by name, wherever they give a picture.
@Suite(.enabled("WHORL_RECORDINGS names no folder") { Recording.home != nil })
struct RecordingTests {
    // One test and not one a recording: there may be none.
    @Test(.timeLimit(.minutes(5))) func capturesThePictureThatWasRecorded() async throws {
        for recording in Recording.picturesThatNoOtherTestPlays() {
            try await Bench.with { bench in
                let file = bench.path("capture.pgm")
                let run = try await recording.exercise("open,capture:\(file),close", bench)
                // A library that lacks the driver, or cannot play the tape, is no fault of ours.
                guard run.status != 69 else {
                    Issue.record("\(recording.name) was not played: \(run)", severity: .warning)
                    return
                }
                expect(run, 0)
                #expect(try bench.bytes(file) == (try await recording.picture(bench)))
            }
        }
    }

    @Test func everyRecordingIsOfADriverThatIsKnown() {
        for recording in Recording.all where !recording.hasKnownDriver {
            Issue.record(
                "\(recording.name) is of a driver that is not in the catalogue",
                severity: .warning)
        }
        #expect(!Recording.all.isEmpty)
    }
}

/// A folder with USB traffic of a real reader: `device`, a tape, and perhaps a picture.
///
/// The layout is that of the `tests` folder of libfprint, whose pictures are PNG.
struct Recording: Sendable {
    let name: String
    let files: [String]

    static let home: String? = {
        let path = ProcessInfo.processInfo.environment["WHORL_RECORDINGS"]
        return path.flatMap { $0.isEmpty ? nil : $0 }
    }()

    static let all: [Recording] = {
        guard let home else { return [] }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: home)) ?? []
        return names.sorted().compactMap { name in
            let files = try? FileManager.default.contentsOfDirectory(atPath: "\(home)/\(name)")
            guard let files, files.contains("device") else { return nil }
            return Recording(name: name, files: files.sorted())
        }
    }()

    /// Those of known drivers that have a picture, less those that the command's own tests play.
    static func picturesThatNoOtherTestPlays() -> [Recording] {
        let played = ["uru4000-4500", "aes3500", "egis0570", "elan"]
        return all.filter { recording in
            recording.hasPicture && recording.tape != nil && recording.hasKnownDriver
                && !played.contains(recording.name)
        }
    }

    /// The driver, with which the name of the folder begins.
    var driver: String { String(name.prefix { $0 != "-" }) }
    var hasKnownDriver: Bool { StrengthCatalogue.facts(ofDriver: driver) != nil }
    private var hasPicture: Bool {
        files.contains("capture.pgm") || files.contains("capture.png")
    }
    private var tape: String? {
        files.first {
            $0.hasPrefix("capture.") && ($0.hasSuffix("ioctl") || $0.hasSuffix("pcapng"))
        }
    }
    private var path: String { "\(Self.home ?? "")/\(name)" }

    /// Plays the tape to `whorl lab exercise`.
    func exercise(_ operations: String, _ bench: Bench) async throws -> ProgramRun {
        let tape = try #require(tape)
        let traffic: [String]
        if tape.hasSuffix("pcapng") {
            let device = try firstLine(of: "device").dropFirst("P: ".count)
            traffic = ["-p", "/sys\(device)=\(path)/\(tape)"]
        } else {
            let node = try firstLine(of: tape).dropFirst("@DEV ".count)
            traffic = ["-i", "\(node)=\(path)/\(tape)"]
        }
        var environment = bench.environment
        environment[Bench.Reader.device.rawValue] = nil
        environment["FP_DEVICE_EMULATION"] = "1"
        environment["FP_DRIVERS_WHITELIST"] = driver
        let arguments =
            ["umockdev-run", "-d", "\(path)/device"] + traffic
            + ["--", Program.path, "--reader", driver, "lab", "exercise", operations]
        let child = try Child(
            Child.Start(program: "/usr/bin/env", arguments: arguments, environment: environment))
        return await Bench.result(of: child, arguments)
    }

    /// The picture that a capture must give, as a portable grey map.
    func picture(_ bench: Bench) async throws -> [UInt8] {
        if files.contains("capture.pgm") { return try bench.bytes("\(path)/capture.pgm") }
        let child = try Child(
            Child.Start(
                program: "/usr/bin/env", arguments: ["pngtopnm", "\(path)/capture.png"],
                environment: bench.environment))
        let run = await Bench.result(of: child)
        expect(run, 0)
        return run.output
    }

    private func firstLine(of file: String) throws -> String {
        let data = try #require(FileManager.default.contents(atPath: "\(path)/\(file)"))
        let line = data.prefix { $0 != UInt8(ascii: "\n") }
        return String(decoding: line, as: UTF8.self).trimmingCharacters(in: .whitespaces)
    }
}
