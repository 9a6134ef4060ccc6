import Synchronization

/// A secret on its way from one task to another, taken out at most once.
///
/// A noncopyable value cannot cross a continuation, a stream or a task group; a reference to this
/// box can. What is never taken is wiped with the box.
public final class HeldSecret: Sendable {
    private let content: Mutex<SecretBytes?>

    /// Holds a secret until it is taken.
    public init(_ secret: consuming SecretBytes) {
        content = Mutex(secret)
    }

    /// Takes the secret out; nil if it was taken before.
    public func take() -> SecretBytes? {
        content.withLock { $0.take() }
    }
}
