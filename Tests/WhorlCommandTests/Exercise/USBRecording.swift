import Foundation
import Testing

/// A USB recording of a real reader, and how it is played to a program.
///
/// `WHORL_RECORDINGS` names a folder that holds one folder a recording: `device`, the traffic, and
/// for readers that give pictures `capture.pgm` or `capture.png`.
struct USBRecording: Sendable, CustomTestStringConvertible {
    let folder: String
    let driver: String

    static let synaptics = USBRecording(folder: "synaptics", driver: "synaptics")
    static let elanmoc = USBRecording(folder: "elanmoc", driver: "elanmoc")
    static let imaging = [
        USBRecording(folder: "uru4000-4500", driver: "uru4000"),
        USBRecording(folder: "aes3500", driver: "aes3500"),
        USBRecording(folder: "egis0570", driver: "egis0570"),
        USBRecording(folder: "elan", driver: "elan"),
    ]

    static let home: String? = {
        let path = ProcessInfo.processInfo.environment["WHORL_RECORDINGS"]
        return path.flatMap { $0.isEmpty ? nil : $0 }
    }()

    var testDescription: String { folder }

    private var path: String { "\(Self.home ?? "")/\(folder)" }
    /// What a capture must give; a folder of libfprint's own has it as PNG.
    var picture: Data? {
        FileManager.default.contents(atPath: "\(path)/capture.pgm") ?? convertedPicture
    }

    private var convertedPicture: Data? {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["pngtopnm", "\(path)/capture.png"]
        let output = Pipe()
        process.standardOutput = output
        guard (try? process.run()) != nil else { return nil }
        let picture = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return process.terminationStatus == 0 ? picture : nil
    }

    /// What one run of `whorl lab exercise` on the recording printed.
    struct Answer {
        let lines: [String]
        let status: Int32

        var operations: [String] { lines.filter { $0.hasPrefix(#"{"op":"#) } }
    }

    /// Plays the recording to `whorl lab exercise`, in a process of its own.
    func exercise(_ operations: String) throws -> Answer {
        try run(
            ["umockdev-run"] + (try arguments(in: path)) + ["--", try Self.program()]
                + ["lab", "exercise", operations, "--reader", driver])
    }

    /// Does the same as an ordinary user who may not open the reader's device node.
    func exerciseWithoutPermission(_ operations: String) throws -> Answer {
        // Where that user can read it: neither a home folder nor a build folder need be.
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("whorl-recording-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.copyItem(atPath: path, toPath: folder)
        try FileManager.default.copyItem(atPath: try Self.program(), toPath: "\(folder)/whorl")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder)
        let shut = #"find "$UMOCKDEV_DIR/dev/bus" -type f -exec chmod 000 {} +; exec "$@""#
        let ordinary =
            geteuid() == 0
            ? ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"] : []
        return try run(
            ordinary + ["umockdev-run"] + (try arguments(in: folder))
                + ["--", "sh", "-c", shut, "sh", "\(folder)/whorl"]
                + ["lab", "exercise", operations, "--reader", driver])
    }

    private func run(_ arguments: [String]) throws -> Answer {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["timeout", "60"] + arguments
        var environment = ProcessInfo.processInfo.environment
        environment["FP_DEVICE_EMULATION"] = "1"
        environment["FP_DRIVERS_WHITELIST"] = driver
        process.environment = environment
        let output = Pipe()
        process.standardOutput = output
        // libusb complains of umockdev's device nodes there, a thousand lines long.
        process.standardError = FileHandle.nullDevice
        try process.run()
        let text = String(
            decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return Answer(
            lines: text.split(separator: "\n").map(String.init),
            status: process.terminationStatus)
    }

    private func arguments(in folder: String) throws -> [String] {
        let files = try FileManager.default.contentsOfDirectory(atPath: folder)
        if let tape = files.first(where: { $0.hasSuffix(".pcapng") }) {
            let first = try firstLine(of: "\(folder)/device")
            return [
                "-d", "\(folder)/device", "-p",
                "/sys\(first.dropFirst("P: ".count))=\(folder)/\(tape)",
            ]
        }
        let tape = try #require(files.first { $0.hasSuffix(".ioctl") })
        let first = try firstLine(of: "\(folder)/\(tape)")
        return [
            "-d", "\(folder)/device", "-i",
            "\(first.dropFirst("@DEV ".count))=\(folder)/\(tape)",
        ]
    }

    private func firstLine(of file: String) throws -> String {
        let data = try #require(FileManager.default.contents(atPath: file))
        let line = data.prefix { $0 != UInt8(ascii: "\n") }
        return String(decoding: line, as: UTF8.self).trimmingCharacters(in: .whitespaces)
    }

    // Built beside the tests.
    private static func program() throws -> String {
        let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        var folder = URL(fileURLWithPath: tests).deletingLastPathComponent()
        for _ in 0..<4 {
            let program = folder.appendingPathComponent("whorl").path
            if FileManager.default.isExecutableFile(atPath: program) { return program }
            folder.deleteLastPathComponent()
        }
        throw CocoaError(.fileNoSuchFile)
    }
}
