import Glibc
import Testing

/// A pseudo-terminal: what a terminal emulator holds, and the path that a program opens.
final class PseudoTerminal: Sendable {
    let master: CInt
    let path: String

    init() throws {
        // What posix_openpt, unlockpt and ptsname do; Glibc's module does not show them.
        let opened = unsafe open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var locked: CInt = 0
        var number: CInt = -1
        let isUnlocked = unsafe ioctl(opened, Self.setLock, &locked) == 0
        let isNumbered = unsafe ioctl(opened, Self.getNumber, &number) == 0
        master = opened
        path = "/dev/pts/\(number)"
        try #require(opened >= 0 && isUnlocked && isNumbered)
    }

    // TIOCSPTLCK and TIOCGPTN of asm-generic/ioctls.h.
    private static let setLock: UInt = 0x4004_5431
    private static let getNumber: UInt = 0x8004_5430

    deinit { close(master) }

    /// Types, as a person at the keyboard.
    func type(_ text: String) {
        let bytes = [UInt8](text.utf8)
        _ = unsafe write(master, bytes, bytes.count)
    }

    /// What came on the screen since the last call, up to a text or for ten seconds at most.
    func read(until text: String) -> String {
        var shown: [UInt8] = []
        for _ in 0..<1000 where !Self.contains(shown, [UInt8](text.utf8)) {
            shown += readOnce(waiting: 10)
        }
        return String(decoding: shown, as: UTF8.self)
    }

    /// What is on the screen and was not read yet.
    func drain() -> String {
        var shown: [UInt8] = []
        while true {
            let more = readOnce(waiting: 0)
            if more.isEmpty { return String(decoding: shown, as: UTF8.self) }
            shown += more
        }
    }

    private func readOnce(waiting milliseconds: CInt) -> [UInt8] {
        var ready = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
        guard unsafe poll(&ready, 1, milliseconds) > 0 else { return [] }
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = unsafe Glibc.read(master, &buffer, buffer.count)
        if count <= 0 { usleep(1000) }
        return count > 0 ? Array(buffer[..<count]) : []
    }

    private static func contains(_ shown: [UInt8], _ wanted: [UInt8]) -> Bool {
        guard shown.count >= wanted.count else { return false }
        return (0...(shown.count - wanted.count)).contains { start in
            shown[start..<(start + wanted.count)].elementsEqual(wanted)
        }
    }

    /// Whether what is typed is shown.
    var echoes: Bool {
        var modes = termios()
        unsafe tcgetattr(master, &modes)
        return modes.c_lflag & tcflag_t(ECHO) != 0
    }

    /// Whether lines are handed out whole.
    var isInLineMode: Bool {
        var modes = termios()
        unsafe tcgetattr(master, &modes)
        return modes.c_lflag & tcflag_t(ICANON) != 0
    }
}
