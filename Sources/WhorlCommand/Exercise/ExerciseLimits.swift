/// When an exercise stops by itself.
struct ExerciseLimits: Sendable {
    /// How long an operation waits for a finger.
    let patience: Duration
    /// Asked before each operation; after a yes only `close` is run.
    let isInterrupted: @Sendable () -> Bool
}
