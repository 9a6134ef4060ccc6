internal import WhorlBiometrics

/// Runs `lab exercise` on whatever reader it is given.
///
/// It opens nothing that is protected, so it needs no setup, no store, and no permission for a
/// simulated reader.
struct ReaderExercise: Sendable {
    /// Reads the plan, refuses what may not be done here, and runs the rest to its end.
    ///
    /// An operation that ends in an error does not keep the next ones from being tried: a plan that
    /// ends in `close` always gives the reader back.
    ///
    /// - Parameters:
    ///   - operations: The OPS argument as given.
    ///   - reader: Not yet opened.
    ///   - allowsDestruction: Whether `clear`, `enroll` and `delete` may be run on a real sensor.
    ///   - limits: How long an operation waits, and what ends the exercise early.
    ///   - emit: Takes one object for an event or an operation, to be printed as one line.
    /// - Returns: The error of the first operation that ended in one; nil where none did.
    /// - Throws: ``ExerciseRefusal`` before anything is run.
    func run(
        _ operations: String, on reader: any FingerprintReader, allowsDestruction: Bool,
        limits: ExerciseLimits, emit: @Sendable (JSON) async -> Void
    ) async throws(ExerciseRefusal) -> CommandFailure? {
        let plan: ExercisePlan
        do throws(ExercisePlanError) {
            plan = try ExercisePlan(parsing: operations)
        } catch {
            throw .operations(error.message)
        }
        if !allowsDestruction, await reader.description.reality == .real,
            let operation = plan.operations.first(where: \.isDestructive)
        {
            throw .destructive(operation: operation.word)
        }
        var session = ExerciseSession(reader: reader, limits: limits)
        var first: CommandFailure?
        for operation in plan.operations {
            let result = await session.run(operation, emit: emit)
            await emit(ExerciseLine.operation(operation, result))
            if case .error(let failure) = result, first == nil { first = failure }
        }
        return first
    }
}
