import WhorlBiometrics

/// The count of one subject's wrong credentials, and the wait that it brings.
///
/// Charged before the check, so that a power cut refunds nothing. Source: AOSP Gatekeeper's
/// `ComputeRetryTimeout`.
struct CredentialThrottle: Sendable, Hashable {
    /// Wrong credentials since the last right one, a charge under way included.
    var failures = 0
    /// When the last one was charged.
    var lastAttempt: BootInstant?

    /// The wait after that many failures, in seconds.
    static func delaySeconds(afterFailures count: Int) -> Int64 {
        switch count {
        case ..<5: 0
        case 5: 30
        case 6...9: 0
        case 10...29: 30
        case 30...139: 30 << Int64((count - 30) / 10)
        default: 86_400
        }
    }

    /// Seconds until the next may be tried; nil where it may be now.
    func remainingSeconds(at now: BootInstant) -> Int? {
        let delay = Self.delaySeconds(afterFailures: failures) * 1_000_000_000
        guard delay > 0, let lastAttempt else { return nil }
        // Time that cannot be measured has not passed.
        let left = delay - (now.nanoseconds(since: lastAttempt) ?? 0)
        guard left > 0 else { return nil }
        return Int((left + 999_999_999) / 1_000_000_000)
    }

    /// Starts a wait anew whose beginning was in another boot, and is no new failure.
    mutating func recover(at now: BootInstant) {
        if let lastAttempt, now.nanoseconds(since: lastAttempt) == nil { self.lastAttempt = now }
    }

    /// Charges an attempt, before the check.
    mutating func charge(at now: BootInstant) {
        failures = min(failures, 999_999) + 1
        lastAttempt = now
    }

    /// The credential was right.
    mutating func clear() {
        self = CredentialThrottle()
    }
}
