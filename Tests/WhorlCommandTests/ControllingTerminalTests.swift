import Glibc
import Testing
import WhorlAuthentication
import WhorlSecrets

@testable import WhorlCommand

struct ControllingTerminalTests {
    private func next(_ inputs: AsyncStream<TerminalInput>) async -> TerminalInput? {
        for await input in inputs { return input }
        return nil
    }

    private func text(_ input: TerminalInput?) -> String? {
        guard case .line(let held) = input, let line = held.take() else { return nil }
        return revealed(line)
    }

    @Test(.timeLimit(.minutes(1)))
    func aLineIsReadWithTheEchoOff() async throws {
        let pty = try PseudoTerminal()
        let terminal = try ControllingTerminal(path: pty.path)
        #expect(pty.echoes)
        let lines = try terminal.beginReading(.hidden)
        #expect(!pty.echoes)
        pty.type("271828\n")
        #expect(text(await next(lines)) == "271828")
        terminal.endReading()
        #expect(pty.echoes)
        terminal.write("shown\n")
        let shown = pty.read(until: "shown")
        #expect(shown.contains("shown") && !shown.contains("271828"))
    }

    @Test(.timeLimit(.minutes(1)))
    func aVisibleLineIsShown() async throws {
        let pty = try PseudoTerminal()
        let terminal = try ControllingTerminal(path: pty.path)
        let lines = try terminal.beginReading(.visible)
        #expect(pty.echoes)
        pty.type("yes\n")
        #expect(text(await next(lines)) == "yes")
        #expect(pty.read(until: "yes").contains("yes"))
    }

    @Test(.timeLimit(.minutes(1)))
    func linesComeOneAfterTheOther() async throws {
        let pty = try PseudoTerminal()
        let terminal = try ControllingTerminal(path: pty.path)
        let lines = try terminal.beginReading(.hidden)
        pty.type("one\n\ntwo\n")
        var all: [String?] = []
        for await line in lines {
            all.append(text(line))
            if all.count == 3 { break }
        }
        #expect(all == ["one", "", "two"])
    }

    @Test(.timeLimit(.minutes(1)))
    func aLineInPiecesIsPutTogether() async throws {
        let pty = try PseudoTerminal()
        let terminal = try ControllingTerminal(path: pty.path)
        let lines = try terminal.beginReading(.hidden)
        // Ctrl-D hands out what is there, without a newline.
        pty.type("on\u{4}")
        try await Task.sleep(for: .milliseconds(20))
        pty.type("e\n")
        #expect(text(await next(lines)) == "one")
    }

    @Test(.timeLimit(.minutes(1)))
    func aPINOfTheGreatestLengthFitsAndALongerLineIsForgotten() async throws {
        let pty = try PseudoTerminal()
        let terminal = try ControllingTerminal(path: pty.path)
        let longest = String(repeating: "7", count: LineReader.limit)
        let lines = try terminal.beginReading(.hidden)
        pty.type("\(longest)\n\(longest)8\nafter\n")
        var all: [TerminalInput] = []
        for await line in lines {
            all.append(line)
            if all.count == 3 { break }
        }
        #expect(text(all.first) == longest)
        guard case .tooLong = all[1] else {
            Issue.record("the long line was taken")
            return
        }
        #expect(text(all.last) == "after")
    }

    @Test(.timeLimit(.minutes(1)))
    func theEndOfTheInputIsTold() async throws {
        let pty = try PseudoTerminal()
        let terminal = try ControllingTerminal(path: pty.path)
        let lines = try terminal.beginReading(.hidden)
        pty.type("\u{4}")
        guard case .ended = await next(lines) else {
            Issue.record("no end came")
            return
        }
    }

    @Test(.timeLimit(.minutes(1)))
    func whatWasTypedBeforeAndAfterIsForgotten() async throws {
        let pty = try PseudoTerminal()
        let terminal = try ControllingTerminal(path: pty.path)
        // What the terminal echoed has arrived.
        pty.type("stray\n")
        #expect(pty.read(until: "stray").contains("stray"))
        let first = try terminal.beginReading(.visible)
        pty.type("meant\n")
        #expect(text(await next(first)) == "meant")
        pty.type("half")
        #expect(pty.read(until: "half").contains("half"))
        terminal.endReading()
        let second = try terminal.beginReading(.hidden)
        pty.type("whole\n")
        #expect(text(await next(second)) == "whole")
    }

    @Test(.timeLimit(.minutes(1)))
    func endingTheReadingEndsTheLinesAtOnce() async throws {
        let pty = try PseudoTerminal()
        let terminal = try ControllingTerminal(path: pty.path)
        let lines = try terminal.beginReading(.hidden)
        terminal.endReading()
        #expect(await next(lines) == nil)
        #expect(pty.echoes)
        terminal.endReading()
    }

    @Test(.timeLimit(.minutes(1)))
    func aTerminalThatGoesAwayPutsTheModesBack() async throws {
        let pty = try PseudoTerminal()
        do {
            let terminal = try ControllingTerminal(path: pty.path)
            _ = try terminal.beginReading(.hidden)
            #expect(!pty.echoes)
        }
        #expect(pty.echoes)
    }

    @Test(.timeLimit(.minutes(1)))
    func modesThatAnotherProgramLeftAreUsableAndComeBack() async throws {
        let pty = try PseudoTerminal()
        let other = unsafe open(pty.path, O_RDWR | O_NOCTTY | O_CLOEXEC)
        defer { close(other) }
        var raw = termios()
        unsafe tcgetattr(other, &raw)
        raw.c_lflag &= ~tcflag_t(ICANON | ISIG | ECHO)
        unsafe tcsetattr(other, TCSANOW, &raw)
        let terminal = try ControllingTerminal(path: pty.path)
        let lines = try terminal.beginReading(.hidden)
        #expect(pty.isInLineMode)
        pty.type("line\n")
        #expect(text(await next(lines)) == "line")
        terminal.endReading()
        #expect(!pty.isInLineMode && !pty.echoes)
    }

    @Test(.timeLimit(.minutes(1)))
    func whileTheProgramIsStoppedTheTerminalIsAsItWas() async throws {
        let pty = try PseudoTerminal()
        let terminal = try ControllingTerminal(path: pty.path)
        terminal.modes.suspend()
        terminal.modes.resume()
        #expect(pty.echoes)
        _ = try terminal.beginReading(.hidden)
        terminal.modes.suspend()
        #expect(pty.echoes)
        terminal.modes.resume()
        #expect(!pty.echoes)
        terminal.endReading()
        #expect(pty.echoes)
    }

    @Test(.timeLimit(.minutes(1)))
    func aTerminalThatIsHeldDoesNotHoldUs() throws {
        let pty = try PseudoTerminal()
        let terminal = try ControllingTerminal(path: pty.path)
        // Nobody reads the other side: its buffer fills.
        for _ in 0..<64 { terminal.write(String(repeating: "x", count: 1024)) }
        #expect(throws: SystemError.self) {
            try terminal.write(secret: secret(String(repeating: "x", count: 100_000)))
        }
    }

    @Test(arguments: [(0, 80), (40, 40), (5, 20), (200, 200)])
    func theWidthIsTheTerminals(columns: Int, expected: Int) throws {
        let pty = try PseudoTerminal()
        let terminal = try ControllingTerminal(path: pty.path)
        var size = winsize()
        size.ws_col = UInt16(columns)
        size.ws_row = 24
        #expect(unsafe ioctl(pty.master, UInt(TIOCSWINSZ), &size) == 0)
        #expect(terminal.columns == expected)
    }

    @Test func whatIsNoTerminalIsRefused() throws {
        #expect(throws: SystemError.noSuchFile) {
            _ = try ControllingTerminal(path: "/nonexistent/tty")
        }
        let file = try ControllingTerminal(path: "/dev/null")
        #expect(throws: SystemError.self) { _ = try file.beginReading(.hidden) }
        #expect(!file.hideTyping(at: -1))
    }

    @Test(.timeLimit(.minutes(1)))
    func typingIsHiddenWhileSomebodyElseReads() async throws {
        let pty = try PseudoTerminal()
        let terminal = try ControllingTerminal(path: pty.path)
        let input = unsafe open(pty.path, O_RDONLY | O_NOCTTY | O_CLOEXEC)
        defer { close(input) }
        #expect(terminal.hideTyping(at: input))
        #expect(!pty.echoes)
        terminal.endReading()
        #expect(pty.echoes)
    }
}
