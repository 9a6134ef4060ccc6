import Synchronization
import WhorlBiometrics

/// Clocks that a test turns.
final class ManualClock: Timekeeper {
    private let instant = Mutex(BootInstant(bootID: "boot-1", nanoseconds: 1_000_000_000_000))

    func now() -> BootInstant { instant.withLock { $0 } }

    func unixTime() -> Int64 { 1_800_000_000 }

    func advance(nanoseconds: Int64) {
        instant.withLock {
            $0 = BootInstant(bootID: $0.bootID, nanoseconds: $0.nanoseconds + nanoseconds)
        }
    }

    func reboot() {
        instant.withLock { $0 = BootInstant(bootID: "boot-2", nanoseconds: $0.nanoseconds) }
    }

    func sleep(nanoseconds: Int64) async { await Task.yield() }
}
