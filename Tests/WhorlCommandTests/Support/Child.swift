import Glibc

/// The built program as a process of its own.
struct Child {
    let output: String
    let errors: String
    let ending: Ending

    /// Runs the program without a terminal, for ten seconds at most.
    ///
    /// It is started by a shell, whose words may say otherwise: `$0` is the program.
    init(
        _ arguments: [String], shell prelude: String = #"exec "$0" "$@""#,
        environment: [String] = ["PATH=/usr/bin:/bin"]
    ) throws {
        let output = try Processes.pipe()
        let errors = try Processes.pipe()
        defer {
            close(output.read)
            close(errors.read)
        }
        let words =
            ["/usr/bin/setsid", "/bin/sh", "-c", prelude, try Processes.program] + arguments
        let pid = try Processes.spawn(
            words, environment, input: "/dev/null", output: output.write, errors: errors.write)
        close(output.write)
        close(errors.write)
        let texts = Processes.readAll([output.read, errors.read])
        self.output = texts[0]
        self.errors = texts[1]
        ending = Processes.wait(for: pid)
    }
}
