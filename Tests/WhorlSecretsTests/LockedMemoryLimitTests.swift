import Glibc
import Testing
import WhorlSecrets

/// Each test runs in a child process, which gives up root (root is above the limit) and lowers it.
struct LockedMemoryLimitTests {
    @Test func aSecretThatCannotBeLockedIsRefused() async {
        await #expect(processExitsWith: .success) {
            limitLockedMemory(toBytes: 0)
            do throws(SecretMemoryError) {
                _ = try SecretBytes(zeroedCount: 16)
                fatalError("a secret was made without locked memory")
            } catch {
                precondition(error.operation == .lock)
                precondition(error.errno == EPERM || error.errno == ENOMEM)
                precondition(error.byteCount == 16)
                precondition(error.lockedMemoryLimit == 0)
                precondition(error.description.contains("RLIMIT_MEMLOCK"))
                precondition(error.description.contains("ulimit -l"))
            }
        }
    }

    @Test func theLimitCountsAllSecretsAndIsGivenBack() async {
        await #expect(processExitsWith: .success) {
            let page = sysconf(CInt(_SC_PAGESIZE))
            limitLockedMemory(toBytes: 2 * page)
            let first = try SecretBytes(zeroedCount: 1)
            do {
                let second = try SecretBytes(zeroedCount: 1)
                precondition(second.count == 1)
                do throws(SecretMemoryError) {
                    _ = try SecretBytes(zeroedCount: 1)
                    fatalError("three pages were locked where two are allowed")
                } catch {
                    precondition(error.operation == .lock)
                    precondition(error.errno == ENOMEM)
                }
            }
            _ = try SecretBytes(zeroedCount: 1)
            precondition(first.count == 1)
        }
    }

    @Test func anEmptySecretNeedsNoLockedMemory() async {
        await #expect(processExitsWith: .success) {
            limitLockedMemory(toBytes: 0)
            let secret = try SecretBytes(zeroedCount: 0)
            precondition(secret.isEmpty)
        }
    }
}

private func limitLockedMemory(toBytes count: Int) {
    var limit = rlimit(rlim_cur: rlim_t(count), rlim_max: rlim_t(count))
    precondition(unsafe setrlimit(__rlimit_resource_t(__RLIMIT_MEMLOCK.rawValue), &limit) == 0)
    if geteuid() == 0 { precondition(setuid(65534) == 0) }
}
