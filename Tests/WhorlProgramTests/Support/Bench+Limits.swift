import Glibc

extension Bench {
    /// Starts the program where the kernel lets no file grow beyond a size.
    ///
    /// A write past it ends the program at that very write, or fails in a sandbox whose kernel does not
    /// send SIGXFSZ: see ``Child/Ending/isCutOff``.
    func start(writingAtMost size: Int, _ arguments: [String]) throws -> Child {
        try Child(
            Child.Start(
                program: "/usr/bin/env",
                arguments: [
                    "--default-signal=XFSZ", "/usr/bin/prlimit", "--fsize=\(size)", Program.path,
                ] + arguments,
                environment: environment, input: .bytes([]), output: .kept, descriptors: [:],
                bound: .seconds(60)))
    }
}

extension Child.Ending {
    /// Whether a write that was too long ended the program.
    var isCutOff: Bool { self == .signalled(SIGXFSZ) || self == .exited(74) }
}
