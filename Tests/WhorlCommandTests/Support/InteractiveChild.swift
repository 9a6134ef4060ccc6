import Glibc
import Testing

/// The built program at a terminal of its own.
final class InteractiveChild {
    let terminal: PseudoTerminal
    private let pid: pid_t
    private let output: CInt
    private let errors: CInt

    /// Starts the program with a pseudo-terminal that controls it; standard output and standard error
    /// are pipes.
    ///
    /// It is started by a shell, whose words may say otherwise: `$0` is the program.
    init(
        _ arguments: [String], shell prelude: String = #"exec "$0" "$@" </dev/null"#,
        environment: [String] = []
    ) throws {
        terminal = try PseudoTerminal()
        let output = try Processes.pipe()
        let errors = try Processes.pipe()
        let words =
            ["/usr/bin/setsid", "--ctty", "/bin/sh", "-c", "ulimit -c 0; \(prelude)"]
            + [try Processes.program] + arguments
        pid = try Processes.spawn(
            words, ["PATH=/usr/bin:/bin", "TERM=dumb"] + environment, input: terminal.path,
            output: output.write, errors: errors.write)
        close(output.write)
        close(errors.write)
        self.output = output.read
        self.errors = errors.read
    }

    deinit {
        close(output)
        close(errors)
    }

    /// Whether what is typed is hidden, within five seconds.
    func hidesTyping() -> Bool {
        for _ in 0..<500 {
            if !terminal.echoes { return true }
            usleep(10_000)
        }
        return false
    }

    func signal(_ number: CInt) { kill(pid, number) }

    /// Waits until the program is stopped, for ten seconds at most.
    func waitForStop() -> Ending { Processes.wait(for: pid, orStop: true) }

    /// Waits for the end, for ten seconds at most.
    func finish() -> (ending: Ending, output: String, errors: String) {
        let texts = Processes.readAll([output, errors])
        return (Processes.wait(for: pid), texts[0], texts[1])
    }
}
