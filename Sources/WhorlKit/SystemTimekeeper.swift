import Glibc
public import WhorlBiometrics

/// The clocks of this machine.
public struct SystemTimekeeper: Timekeeper {
    private let bootID: String

    /// Reads which boot this is.
    public init() {
        // A boot that cannot be named is one of its own: no time of another process counts then.
        bootID = Self.readBootID() ?? "unknown-\(UInt64.random(in: .min ... .max))"
    }

    /// The time since boot, suspend included.
    ///
    /// The corresponding C function is `clock_gettime` with `CLOCK_BOOTTIME`.
    public func now() -> BootInstant {
        BootInstant(bootID: bootID, nanoseconds: Self.time(of: CLOCK_BOOTTIME))
    }

    /// The wall clock, in seconds since 1970.
    ///
    /// The corresponding C function is `clock_gettime` with `CLOCK_REALTIME`.
    public func unixTime() -> Int64 {
        Self.time(of: CLOCK_REALTIME) / 1_000_000_000
    }

    /// Sleeps; returns early when the task is cancelled.
    public func sleep(nanoseconds: Int64) async {
        try? await Task.sleep(for: .nanoseconds(nanoseconds))
    }

    private static func time(of clock: clockid_t) -> Int64 {
        var time = timespec()
        // Both clocks exist since Linux 2.6.39, and the pointer is good: it cannot fail.
        guard unsafe clock_gettime(clock, &time) == 0 else { return 0 }
        return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }

    private static func readBootID() -> String? {
        let file = unsafe open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 36)
        let count = unsafe bytes.withUnsafeMutableBytes {
            unsafe Glibc.read(file, $0.baseAddress, $0.count)
        }
        guard count == 36 else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }
}
