import Glibc
import WhorlBiometrics

/// The machine's clock since its start, in a boot that never ends.
struct LoadTimekeeper: Timekeeper {
    /// Whether the pauses between two looks are real, as they must be where two processes wait for
    /// each other.
    let isPatient: Bool

    /// A pause up to this long is over at once for the hasty.
    private static let short: Int64 = 6_000_000_000

    func now() -> BootInstant {
        var time = timespec()
        guard unsafe clock_gettime(CLOCK_BOOTTIME, &time) == 0 else {
            preconditionFailure("there is no clock")
        }
        return BootInstant(
            bootID: "the only one",
            nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    func unixTime() -> Int64 { 1_800_000_000 }

    func sleep(nanoseconds: Int64) async {
        guard isPatient || nanoseconds > Self.short else { return await Task.yield() }
        try? await Task.sleep(nanoseconds: UInt64(max(nanoseconds, 0)))
    }
}
