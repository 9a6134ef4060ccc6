import Glibc
import Testing
import WhorlBiometrics

@testable import WhorlAuthentication

struct RequestLockTests {
    // What happens to the lock's file while it is waited for.
    private struct Meanwhile: Timekeeper {
        let body: @Sendable () -> Void
        func now() -> BootInstant { BootInstant(bootID: "boot", nanoseconds: 1) }
        func unixTime() -> Int64 { 0 }
        func sleep(nanoseconds: Int64) async { body() }
    }

    @Test func aLockWhoseFileWasReplacedIsNotHeld() async throws {
        let folder = try newFolder()
        defer { removeFolder(folder) }
        let held = try await RequestLock.acquire(
            inFolder: folder, waitingSeconds: 0, timekeeper: Meanwhile {})
        await #expect(throws: VaultError.authentication(.busy)) {
            _ = try await RequestLock.acquire(
                inFolder: folder, waitingSeconds: 5,
                timekeeper: Meanwhile {
                    _ = unsafe unlink(folder + "/request.lock")
                    held.release()
                })
        }
    }

    @Test func aWaitThatIsCancelledSaysSo() async throws {
        let folder = try newFolder()
        defer { removeFolder(folder) }
        let held = try await RequestLock.acquire(
            inFolder: folder, waitingSeconds: 0, timekeeper: Meanwhile {})
        let task = Task {
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            _ = try await RequestLock.acquire(
                inFolder: folder, waitingSeconds: 5, timekeeper: Meanwhile {})
        }
        await #expect(throws: VaultError.authentication(.appCancelled)) { try await task.value }
        held.release()
    }

    @Test(arguments: ["symbolic link", "open to others", "no regular file"])
    func aFileThatOthersCouldHoldIsNoLock(what: String) async throws {
        let folder = try newFolder()
        defer { removeFolder(folder) }
        let path = folder + "/request.lock"
        switch what {
        case "symbolic link": try #require(unsafe symlink("/dev/null", path) == 0)
        case "no regular file": try #require(unsafe mkfifo(path, 0o600) == 0)
        default:
            try #require(unsafe mknod(path, S_IFREG | 0o600, 0) == 0)
            try #require(unsafe chmod(path, 0o666) == 0)
        }
        let error = await #expect(throws: VaultError.self) {
            _ = try await RequestLock.acquire(
                inFolder: folder, waitingSeconds: 0, timekeeper: Meanwhile {})
        }
        #expect(error?.identifier == "unsafe-permissions")
        #expect(error?.sentence.contains(what) == true)
    }
}
