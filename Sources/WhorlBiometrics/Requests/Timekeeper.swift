/// A time since boot, together with the boot that it counts from.
///
/// Two instants of different boots cannot be compared: time that cannot be measured counts as
/// elapsed where that is the safe side, and as not elapsed where that is.
public struct BootInstant: Sendable, Hashable {
    /// The boot: the kernel's random id, `/proc/sys/kernel/random/boot_id`.
    public let bootID: String
    /// Nanoseconds since that boot, suspend included: `CLOCK_BOOTTIME`.
    public let nanoseconds: Int64

    /// Makes an instant.
    public init(bootID: String, nanoseconds: Int64) {
        self.bootID = bootID
        self.nanoseconds = nanoseconds
    }

    /// Nanoseconds from an earlier instant to this one; nil where it was another boot, or later.
    public func nanoseconds(since earlier: BootInstant) -> Int64? {
        guard bootID == earlier.bootID, nanoseconds >= earlier.nanoseconds else { return nil }
        return nanoseconds - earlier.nanoseconds
    }
}

/// The clocks, injected so that a test can turn them.
public protocol Timekeeper: Sendable {
    /// The time since boot.
    func now() -> BootInstant

    /// The wall clock, in seconds since 1970.
    ///
    /// Shown and logged, never decided by.
    func unixTime() -> Int64

    /// Sleeps; returns early, without error, when the task is cancelled.
    func sleep(nanoseconds: Int64) async
}
