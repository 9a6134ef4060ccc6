/// How long libfprint and its drivers may take before a caller is told that they are stuck.
///
/// None of these bounds a wait for a finger: who asks for a finger also decides how long it waits,
/// and cancels.
public struct LibfprintBounds: Sendable, Hashable {
    /// From a cancel to the last event, whatever the driver does: 2 s unless said otherwise.
    public var cancellation: Duration
    /// For an operation that waits for no finger (open, close, suspend, resume, list, delete, clear)
    /// until it is cancelled: 15 s unless said otherwise.
    public var answer: Duration
    /// For finding the readers: 15 s unless said otherwise.
    public var enumeration: Duration

    /// Makes bounds.
    public init(
        cancellation: Duration = .seconds(2), answer: Duration = .seconds(15),
        enumeration: Duration = .seconds(15)
    ) {
        self.cancellation = cancellation
        self.answer = answer
        self.enumeration = enumeration
    }
}
