import Glibc
import Testing
import WhorlAuthentication

@testable import WhorlCommand

/// One run of the command in this process, on a scripted host.
struct CommandRun {
    let status: CInt
    let output: String
    let errors: String

    /// Runs a command line; `input` is what standard input gives.
    init(
        _ arguments: String..., on host: any CommandHost = NoHost(), input: CInt = -1,
        terminal: (any Terminal)? = nil, environment: Environment = Environment(),
        interruptions: Interruptions = Interruptions(), output: MemorySink = MemorySink()
    ) async {
        await self.init(
            arguments, on: host, input: input, terminal: terminal, environment: environment,
            interruptions: interruptions, output: output)
    }

    init(
        _ arguments: [String], on host: any CommandHost = NoHost(), input: CInt = -1,
        terminal: (any Terminal)? = nil, environment: Environment = Environment(),
        interruptions: Interruptions = Interruptions(), output sink: MemorySink = MemorySink()
    ) async {
        let errorSink = MemorySink()
        let program = Program(
            host: host, console: Console(output: sink, errors: errorSink, input: input),
            environment: environment, interruptions: interruptions,
            openTerminal: { terminal })
        status = await program.run(arguments)
        output = sink.written
        errors = errorSink.written
    }
}
