public import WhorlBiometrics

/// Whether failed attempts keep a subject's fingers out.
@nonexhaustive
public enum LockoutStatus: Sendable, Hashable {
    /// They may try.
    case open
    /// They wait; seconds left, at least 1.
    case timed(remainingSeconds: Int)
    /// The credential must be given.
    case permanent

    /// The refusal that this status is; nil where there is none.
    public var refusal: AuthenticationError? {
        switch self {
        case .open: nil
        case .timed(let seconds): .lockedOut(remainingSeconds: seconds)
        case .permanent: .lockedOutPermanently
        }
    }
}

/// The count of one subject's failed attempts, and what it brings.
///
/// Every fifth failure locks for 30 s, the twentieth until the credential is given. A reboot starts
/// a running wait anew, since the time before it cannot be measured. Expiry does not lower the
/// count; a match or the credential clears it. Source: Android's `LockoutFrameworkImpl` (5, 20,
/// 30 s) and CDD 7.3.10, here kept on disk.
struct LockoutLadder: Sendable, Hashable {
    static let failuresUntilWait = 5
    static let failuresUntilCredential = 20
    static let waitNanoseconds: Int64 = 30_000_000_000

    /// Failed attempts since the last match or credential, an open charge included.
    var failures = 0
    /// When the wait that runs began; nil where none runs.
    var lockedAt: BootInstant?
    /// An attempt was charged and its verdict not yet recorded.
    var hasOpenCharge = false

    /// Charges an attempt, before its verdict is read.
    mutating func charge() {
        guard !hasOpenCharge else { return }
        hasOpenCharge = true
        failures = min(failures, 999_999) + 1
    }

    /// The attempt was a good capture that did not match: the charge stands.
    mutating func settleNoMatch(at now: BootInstant) {
        charge()
        hasOpenCharge = false
        if failures < Self.failuresUntilCredential, failures % Self.failuresUntilWait == 0 {
            lockedAt = now
        }
    }

    /// The attempt had no verdict, or was a match that is yet to be recorded: the charge goes.
    mutating func refund() {
        guard hasOpenCharge else { return }
        hasOpenCharge = false
        failures = max(failures - 1, 0)
    }

    /// A match, or the credential.
    mutating func clear() {
        self = LockoutLadder()
    }

    /// Brings what was read from the disk up to now, when no attempt of anyone's is running.
    ///
    /// A charge that nobody settled counts: its process died between charge and record.
    mutating func recover(at now: BootInstant) {
        if hasOpenCharge { settleNoMatch(at: now) }
        if let lockedAt, now.nanoseconds(since: lockedAt) == nil { self.lockedAt = now }
    }

    func status(at now: BootInstant) -> LockoutStatus {
        if failures >= Self.failuresUntilCredential { return .permanent }
        guard let lockedAt else { return .open }
        // Time that cannot be measured has not passed.
        let elapsed = now.nanoseconds(since: lockedAt) ?? 0
        let left = Self.waitNanoseconds - elapsed
        guard left > 0 else { return .open }
        return .timed(remainingSeconds: Int((left + 999_999_999) / 1_000_000_000))
    }
}
