internal import CWhorlPlatform

/// A process that its user's other processes cannot look into.
public enum ClosedProcess {
    /// Forbids, for good, that this process is dumped by the kernel, traced, or read by other
    /// processes of the same user.
    ///
    /// For a program that is all about secrets: pages of ``SecretBytes`` are in no core anyway, but
    /// libraries keep copies in memory of their own. Root may still do all of that. It is lost when
    /// another program is executed. The corresponding C function is `prctl` with `PR_SET_DUMPABLE`.
    ///
    /// - Returns: Whether it is so now.
    @discardableResult
    public static func close() -> Bool { cwhorl_close_process() == 0 }
}
