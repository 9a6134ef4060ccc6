import Glibc
import WhorlBiometrics

/// The lock between processes on one store: only its holder arms a reader for it.
///
/// It is an advisory lock of the kernel's on a file in the store's folder, so it goes with its
/// process however that dies: a charge that is open while the lock is free is a dead process's.
/// The corresponding C function is `flock`.
final class RequestLock: Sendable {
    private let descriptor: CInt

    private init(descriptor: CInt) { self.descriptor = descriptor }

    deinit {
        close(descriptor)
    }

    /// Gives the lock to the next, before the last reference goes.
    func release() {
        flock(descriptor, LOCK_UN)
    }

    /// Waits for the lock.
    ///
    /// - Parameters:
    ///   - folder: The store's folder, checked before.
    ///   - seconds: How long to wait for another process.
    ///   - timekeeper: The clock to wait by.
    /// - Returns: The lock, held until it is released.
    /// - Throws: ``AuthenticationError/busy`` in a ``VaultError`` after that time,
    ///   ``AuthenticationError/appCancelled`` where the task was cancelled meanwhile;
    ///   ``VaultError/unsafePermissions(_:)`` where others could hold it too, which would keep this
    ///   user's requests waiting; ``VaultError/storage(_:)`` where the file cannot be opened.
    static func acquire(
        inFolder folder: String, waitingSeconds seconds: Int, timekeeper: any Timekeeper
    ) async throws(VaultError) -> RequestLock {
        let path = folder + "/request.lock"
        let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else {
            if errno == ELOOP { throw .unsafePermissions("\(path) is a symbolic link") }
            throw .storage("the lock file in the store cannot be opened (errno \(errno))")
        }
        let lock = RequestLock(descriptor: descriptor)
        try check(descriptor, path)
        let step: Int64 = 50_000_000
        var left = Int64(min(max(seconds, 0), 3600)) * 1_000_000_000
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            guard errno == EWOULDBLOCK || errno == EINTR else {
                throw .storage("the lock of the store cannot be taken (errno \(errno))")
            }
            if Task.isCancelled { throw .authentication(.appCancelled) }
            guard left > 0 else { throw .authentication(.busy) }
            await timekeeper.sleep(nanoseconds: step)
            left -= step
        }
        // A file that was put in its place while this one was waited for is the lock of others.
        var held = stat()
        var there = stat()
        guard unsafe fstat(descriptor, &held) == 0, unsafe lstat(path, &there) == 0,
            held.st_ino == there.st_ino, held.st_dev == there.st_dev
        else { throw .authentication(.busy) }
        return lock
    }

    private static func check(_ descriptor: CInt, _ path: String) throws(VaultError) {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else {
            throw .storage("the lock file in the store cannot be looked at (errno \(errno))")
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw .unsafePermissions("\(path) is no regular file")
        }
        guard status.st_uid == geteuid(), status.st_mode & 0o077 == 0 else {
            let mode = String(status.st_mode & 0o7777, radix: 8)
            throw .unsafePermissions(
                "\(path) is open to others (uid \(status.st_uid), mode 0\(mode))")
        }
    }
}
