internal import Glibc
internal import WhorlKit
internal import WhorlSecrets

/// The program `whorl`.
public enum WhorlProgram {
    /// Runs the command that this process was started for, and ends the process.
    ///
    /// To be called first thing, before anything is opened.
    ///
    /// - Parameter host: What the command works on.
    public static func main(host: any CommandHost) async -> Never {
        StandardDescriptors.fill()
        // libfprint has prints in memory of its own, which a core would hold.
        if !Environment.current.allowsCoreDumps { ClosedProcess.close() }
        // A reader that has gone is an error of the write, and no signal.
        _ = signal(SIGPIPE, SIG_IGN)
        let interruptions = Interruptions()
        let program = Program(
            host: host,
            console: Console(
                output: DescriptorSink(descriptor: STDOUT_FILENO),
                // A log that nobody reads must not hold up a request.
                errors: DescriptorSink(descriptor: STDERR_FILENO, patience: 1000),
                input: STDIN_FILENO),
            environment: .current, interruptions: interruptions,
            openTerminal: {
                let terminal = try? ControllingTerminal()
                SignalWatch.start(interruptions, modes: terminal?.modes)
                return terminal
            })
        let status = await program.run(arguments)
        if let signal = interruptions.received { SignalWatch.die(of: signal) }
        // Nothing of ours is buffered, and destructors that run at an ordinary exit would race the
        // threads of libfprint, the database and the pool.
        _exit(status)
    }

    // The standard library's own array has repaired what was no UTF-8: another name, another path.
    private static var arguments: [String?] {
        let count = Int(CommandLine.argc)
        guard count > 1 else { return [] }
        return (1..<count).map { index in
            unsafe CommandLine.unsafeArgv[index].flatMap { unsafe String(validatingCString: $0) }
        }
    }
}
