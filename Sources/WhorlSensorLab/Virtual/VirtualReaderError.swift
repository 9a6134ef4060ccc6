/// Why one of libfprint's virtual readers could not be told something.
@nonexhaustive
public enum VirtualReaderError: Error, Sendable, Hashable {
    /// No socket can have that path: it is empty, holds a NUL, or is longer than 107 bytes.
    case unusablePath(String)
    /// Nobody listens there: the socket exists only while the virtual reader is open.
    case notListening(path: String)
    /// Somebody listens there and took no message in time: the reader's thread is busy or stuck.
    case noAnswer(path: String)
    /// The protocol has no room for this argument.
    case unusableArgument(String)
    /// The system refused; the name of the call and the error number.
    case system(call: String, errno: CInt)
    /// The task was cancelled before the reader had been told.
    case cancelled

    /// What happened and what to do, in one line.
    public var message: String {
        switch self {
        case .unusablePath(let path):
            "'\(path)' cannot be the path of a socket; choose one of 1 to 107 bytes"
        case .notListening(let path):
            "no virtual reader listens at '\(path)'; open the reader first"
        case .noAnswer(let path):
            "the virtual reader at '\(path)' takes no message; its thread is busy or stuck"
        case .unusableArgument(let what): what
        case .system(let call, let errno): "\(call) failed with errno \(errno)"
        case .cancelled: "cancelled before the virtual reader was told"
        }
    }
}
