internal import Glibc
internal import WhorlBiometrics
internal import WhorlKit

/// One run of the command: from its arguments to its exit status.
struct Program: Sendable {
    let host: any CommandHost
    let console: Console
    let environment: Environment
    let interruptions: Interruptions
    /// Opens the person's terminal; nil where there is none.
    ///
    /// Called once, and only after the descriptors that the caller named were looked at.
    let openTerminal: @Sendable () -> (any Terminal)?

    /// Runs the command that the arguments name, and prints its answer.
    ///
    /// - Parameter arguments: The command line without the program's own name; nil for an argument
    ///   that is no UTF-8.
    /// - Returns: The exit status.
    func run(_ arguments: [String?]) async -> CInt {
        if let index = arguments.firstIndex(of: nil) {
            let error = UsageError(
                "argument \(index + 1) is not UTF-8", advice: "give names and paths that are")
            return refuse(
                CommandFailure(error), command: "", isJSON: arguments.contains("--json"))
        }
        let arguments = arguments.compactMap(\.self)
        let invocation: Invocation
        do throws(ArgumentParser.Refusal) {
            invocation = try ArgumentParser.parse(arguments)
        } catch {
            return refuse(CommandFailure(error.error), command: error.name, isJSON: error.isJSON)
        }
        for input in invocation.credentialInputs {
            do throws(UsageError) {
                try input.check()
            } catch {
                return refuse(
                    CommandFailure(error), command: invocation.name,
                    isJSON: invocation.options.isJSON)
            }
        }
        return await run(invocation)
    }

    private func run(_ invocation: Invocation) async -> CInt {
        var console = console
        console.isQuiet = invocation.options.isQuiet
        let runner = CommandRunner(
            invocation: invocation, host: host, console: console, terminal: openTerminal(),
            style: environment.style(isPlain: invocation.options.isPlain),
            interruptions: interruptions)
        interruptions.hold(true)
        defer { interruptions.hold(false) }
        do throws(CommandFailure) {
            let answer = try await runner.run()
            try print(answer, of: invocation, to: console)
            return 0
        } catch {
            return refuse(
                error, command: invocation.name, isJSON: invocation.options.isJSON,
                isSimulated: runner.watch.isSimulated)
        }
    }

    private func print(
        _ answer: Answer, of invocation: Invocation, to console: Console
    ) throws(CommandFailure) {
        if invocation.options.isJSON {
            try console.answer(
                .envelope(
                    command: invocation.name, exitStatus: 0, isSimulated: answer.isSimulated,
                    failure: nil, members: answer.members))
        } else if answer.isResult || !console.isQuiet {
            try console.answer(answer.lines)
        }
    }

    private func refuse(
        _ failure: CommandFailure, command: String, isJSON: Bool, isSimulated: Bool = false
    ) -> CInt {
        if isJSON {
            // Where nobody reads the answer the line on standard error is all there is.
            try? console.answer(
                .envelope(
                    command: command, exitStatus: failure.exitStatus, isSimulated: isSimulated,
                    failure: failure))
        }
        console.report(failure)
        return CInt(failure.exitStatus)
    }
}
