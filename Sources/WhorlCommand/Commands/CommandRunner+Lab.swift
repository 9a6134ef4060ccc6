internal import WhorlBiometrics
internal import WhorlKit

extension CommandRunner {
    func exercise(
        _ operations: String, allowsDestruction: Bool
    ) async throws(CommandFailure) -> Answer {
        do throws(ExercisePlanError) {
            _ = try ExercisePlan(parsing: operations)
        } catch {
            throw CommandFailure(Self.usageError(for: .operations(error.message)))
        }
        let reader = try await call { () async throws(VaultError) in
            try await host.reader(options.host)
        }
        watch.note(await reader.description)
        let output = LineStream(console: console)
        let registration = interruptions.onInterruption { _ in Task { await reader.cancel() } }
        defer { interruptions.remove(registration) }
        let limits = ExerciseLimits(
            patience: .seconds(options.limits.timeoutSeconds),
            isInterrupted: { [interruptions] in interruptions.received != nil })
        let failure: CommandFailure?
        do throws(ExerciseRefusal) {
            failure = try await ReaderExercise().run(
                operations, on: reader, allowsDestruction: allowsDestruction, limits: limits
            ) { object in output.emit(object) }
        } catch {
            throw CommandFailure(Self.usageError(for: error))
        }
        if let failure = output.failure ?? failure { throw failure }
        var answer = Answer()
        answer.isSimulated = watch.isSimulated
        return answer
    }

    private static func usageError(for refusal: ExerciseRefusal) -> UsageError {
        switch refusal {
        case .operations(let sentence):
            UsageError(sentence, advice: "see 'whorl lab exercise --help'")
        case .destructive(let operation):
            UsageError(
                "'\(operation)' changes what a real sensor holds",
                advice: "add --destructive if that is what you want")
        }
    }
}
