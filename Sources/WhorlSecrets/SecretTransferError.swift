/// Why a secret could not be read from or written to a file descriptor.
@nonexhaustive
public enum SecretTransferError: Error, Equatable {
    /// There was more to read than this many bytes. What was read has been wiped.
    case tooLong(limit: Int)
    /// The system refused to read. The payload is the error number.
    case read(errno: CInt)
    /// The system refused to write, `EPIPE` if nobody reads any more; some bytes may be out.
    case write(errno: CInt)
    /// There is no memory fit for a secret.
    case memory(SecretMemoryError)
}

extension SecretTransferError: CustomStringConvertible {
    /// What happened and what to do, in one sentence.
    public var description: String {
        switch self {
        case .tooLong(let limit):
            "the secret is longer than \(limit) bytes; give a shorter one"
        case .read(let errno):
            "the secret could not be read (\(describe(errno: errno))); check where it comes from"
        case .write(let errno):
            "the secret could not be written (\(describe(errno: errno))); check where it goes to"
        case .memory(let error):
            error.description
        }
    }
}
