internal import Glibc
internal import WhorlBiometrics

/// A USB recording of a match-on-chip sensor: where it is, and what is on it.
///
/// The layout is that of libfprint's `tests/` folder: `device` describes the device to umockdev,
/// `custom.pcapng` (or `custom.ioctl`) is the traffic.
struct Tape: Sendable, Hashable {
    /// How umockdev-run is told what to play.
    let playArguments: [String]
    /// The driver that the traffic is for.
    let driver: String
    /// The operations on the tape between open and close, in order, by the words of
    /// ``ReaderCommand/word``.
    let operations: [String]

    /// Looks at a folder.
    ///
    /// - Throws: ``VaultError/storage(_:)`` where it holds no recording of a match-on-chip sensor.
    init(folder: String) throws(VaultError) {
        let device = folder + "/device"
        guard let first = Self.firstLine(of: device), first.hasPrefix("P: ") else {
            throw .storage("\(DisplayText(device)) is no umockdev description of a device")
        }
        var play = ["-d", device]
        let capture = folder + "/custom.pcapng"
        let ioctl = folder + "/custom.ioctl"
        if unsafe access(capture, R_OK) == 0 {
            play += ["-p", "/sys\(first.dropFirst(3))=\(capture)"]
        } else if let line = Self.firstLine(of: ioctl), line.hasPrefix("@DEV ") {
            play += ["-i", "\(line.dropFirst(5))=\(ioctl)"]
        } else {
            throw .storage(
                "\(DisplayText(folder)) holds no traffic of a match-on-chip sensor (custom.pcapng)")
        }
        playArguments = play
        let name = folder.split(separator: "/").last.map(String.init) ?? folder
        // Such folders are named for the driver, with a model behind a hyphen.
        driver = String(name.prefix { $0 != "-" })
        operations = Self.operations(inScript: folder + "/custom.py") ?? Self.known(driver)
    }

    // What libfprint's contributors recorded for these drivers.
    private static func known(_ driver: String) -> [String] {
        driver == "synaptics"
            ? ["clear", "enroll", "verify", "delete"]
            : ["enroll", "list", "verify", "identify", "delete"]
    }

    // A libfprint checkout has the script beside the traffic that was run when it was recorded; the
    // order of its calls is the order on the tape.
    private static func operations(inScript path: String) -> [String]? {
        guard let script = text(of: path, limit: 65_536) else { return nil }
        let calls = [
            ("d.clear_storage", "clear"), ("d.enroll", "enroll"), ("d.list_prints", "list"),
            ("d.verify", "verify"), ("d.identify", "identify"), ("d.delete_print", "delete"),
        ]
        let found = calls.compactMap { call, word in
            script.firstRange(of: call).map {
                (script.distance(from: script.startIndex, to: $0.lowerBound), word)
            }
        }
        let words = found.sorted { $0.0 < $1.0 }.map(\.1)
        return words.contains("enroll") && words.contains("verify") ? words : nil
    }

    private static func firstLine(of path: String) -> String? {
        text(of: path, limit: 4096)?.split(separator: "\n", maxSplits: 1).first.map(String.init)
    }

    private static func text(of path: String, limit: Int) -> String? {
        let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: limit)
        let count = unsafe bytes.withUnsafeMutableBytes {
            unsafe read(file, $0.baseAddress, $0.count)
        }
        guard count > 0 else { return nil }
        return String(decoding: bytes.prefix(count), as: UTF8.self)
    }
}
