/// Why an exercise is not begun.
enum ExerciseRefusal: Error, Hashable {
    /// An operation cannot be read; the sentence names it and says what is valid.
    case operations(String)
    /// An operation would change a real sensor, and `--destructive` was not given.
    case destructive(operation: String)
}
