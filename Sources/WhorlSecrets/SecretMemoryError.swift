internal import CWhorlPlatform

/// Why memory for a secret could not be had.
///
/// A secret is never kept in memory with less protection than asked: there is no fallback.
public struct SecretMemoryError: Error, Equatable {
    /// What the system refused.
    public enum Operation: Equatable, Sendable {
        /// The count is negative, or too large for the address space.
        case count
        /// Reserving pages. The corresponding C function is `mmap`.
        case map
        /// Keeping the pages out of swap. The corresponding C function is `mlock`.
        case lock
        /// Keeping the pages out of core dumps.
        /// The corresponding C function is `madvise` with `MADV_DONTDUMP`.
        case excludeFromCoreDumps
        /// Keeping the pages from forked children.
        /// The corresponding C function is `madvise` with `MADV_WIPEONFORK`.
        case wipeOnFork
        /// Random bytes. The corresponding C function is `getrandom`.
        case random
    }

    /// What the system refused.
    public let operation: Operation

    /// The system's error number.
    public let errno: CInt

    /// How many bytes were asked for.
    public let byteCount: Int

    /// The limit on locked memory of this process (`RLIMIT_MEMLOCK`) in bytes, or nil for none.
    public let lockedMemoryLimit: UInt64?

    init(_ operation: Operation, errno: CInt, byteCount: Int) {
        self.operation = operation
        self.errno = errno
        self.byteCount = byteCount
        let limit = cwhorl_locked_memory_limit()
        lockedMemoryLimit = limit == .max ? nil : limit
    }
}

extension SecretMemoryError: CustomStringConvertible {
    /// What happened and what to do, in one sentence.
    public var description: String {
        let reason = describe(errno: errno)
        switch operation {
        case .count:
            return "a secret of \(byteCount) bytes cannot exist; the size is wrong"
        case .map:
            return "no memory for a secret of \(byteCount) bytes (\(reason)); end other programs"
        case .lock:
            let limit = lockedMemoryLimit.map { "\($0) bytes" } ?? "unlimited"
            return "a secret of \(byteCount) bytes cannot be locked in memory (\(reason)); "
                + "the limit on locked memory (RLIMIT_MEMLOCK) is \(limit) for all secrets of "
                + "this process together, one page or more each: raise it with `ulimit -l`, "
                + "limits.conf or LimitMEMLOCK= in the systemd unit"
        case .excludeFromCoreDumps, .wipeOnFork:
            return "the kernel cannot keep a secret out of core dumps and child processes "
                + "(\(reason)); Linux 4.14 or newer is needed"
        case .random:
            return "the kernel gave no random bytes (\(reason)); getrandom must be allowed"
        }
    }
}

func describe(errno: CInt) -> String {
    let name = unsafe String(cString: cwhorl_errno_name(errno))
    let text = unsafe String(cString: cwhorl_errno_description(errno))
    return "\(name), \(text)"
}
