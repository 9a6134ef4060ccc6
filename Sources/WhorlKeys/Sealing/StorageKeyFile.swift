import Glibc
import WhorlBiometrics
import WhorlSecrets

/// The file that keeps the storage key: 32 random bytes that only their owner may read.
///
/// It is made once, whole or not at all, and never made again while there is something under it:
/// a new key would open nothing of the old.
struct StorageKeyFile {
    static let name = "storage.key"

    let folder: String

    private var path: String { "\(folder)/\(Self.name)" }
    private var draft: String { path + ".new" }
    private var discarded: String { path + ".old" }

    /// Reads the key.
    ///
    /// - Returns: The key; nil where there is no file.
    /// - Throws: ``VaultError/unsafePermissions(_:)`` where others could touch the file,
    ///   ``VaultError/damaged(_:)`` where it holds no key, ``VaultError/storage(_:)``.
    func read() throws(VaultError) -> SecretBytes? {
        // Non-blocking, lest a pipe of that name keeps us waiting.
        let descriptor = unsafe open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            switch errno {
            case ENOENT: return nil
            case ELOOP: throw .unsafePermissions("\(path) is a symbolic link")
            case let code: throw failure(of: "open", code)
            }
        }
        defer { close(descriptor) }
        try check(descriptor)
        let secret: SecretBytes
        do throws(SecretTransferError) {
            secret = try SecretBytes(readingFrom: descriptor, atMost: StorageKey.count)
        } catch .tooLong {
            throw .damaged("\(Self.name) holds more than a key")
        } catch {
            throw .storage("\(path): \(error)")
        }
        guard secret.count == StorageKey.count else {
            throw .damaged("\(Self.name) was cut short")
        }
        return secret
    }

    /// The key of a store that has nothing under one yet.
    ///
    /// Takes the file of a process that was killed when it had made it and not yet used it.
    ///
    /// - Throws: As ``read()`` and ``create()``.
    func readOrCreate() throws(VaultError) -> SecretBytes {
        // Killed between the two names that the file has for a moment, it would be refused for ever.
        unsafe unlink(draft)
        unsafe unlink(discarded)
        guard let left = try read() else { return try create() }
        try syncFolder()
        return left
    }

    /// Makes a key and its file, and returns when both would outlive a power cut.
    ///
    /// - Throws: ``VaultError/storage(_:)``, also where there is such a file already.
    func create() throws(VaultError) -> SecretBytes {
        let secret = try memory { () throws(SecretMemoryError) in
            try SecretBytes(randomCount: StorageKey.count)
        }
        let descriptor = unsafe open(
            draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw failure(of: "open", errno) }
        defer {
            close(descriptor)
            unsafe unlink(draft)
        }
        do throws(SecretTransferError) {
            try secret.write(to: descriptor)
        } catch {
            throw .storage("\(path): \(error)")
        }
        guard fsync(descriptor) == 0 else { throw failure(of: "fsync", errno) }
        // A link and not a rename, which would replace a key that is there.
        guard unsafe link(draft, path) == 0 else { throw failure(of: "link", errno) }
        guard unsafe unlink(draft) == 0 else { throw failure(of: "unlink", errno) }
        try syncFolder()
        return secret
    }

    /// Takes the key away for good, with nothing under it any more.
    ///
    /// It is overwritten first, under another name, lest a crash leave a file of zeros as the key.
    /// What a solid-state disk or a snapshot keeps of it nobody reaches from here.
    ///
    /// - Throws: ``VaultError/storage(_:)`` where it is still there, or might be after a power cut.
    func remove() throws(VaultError) {
        guard unsafe rename(path, discarded) == 0 else {
            if errno == ENOENT { return }
            throw failure(of: "rename", errno)
        }
        let descriptor = unsafe open(discarded, O_WRONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
        if descriptor >= 0 {
            let zeros = [UInt8](repeating: 0, count: StorageKey.count)
            _ = unsafe write(descriptor, zeros, zeros.count)
            fsync(descriptor)
            close(descriptor)
        }
        guard unsafe unlink(discarded) == 0 else { throw failure(of: "unlink", errno) }
        try syncFolder()
    }

    private func syncFolder() throws(VaultError) {
        let descriptor = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure(of: "open", errno) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw failure(of: "fsync", errno) }
    }

    private func check(_ descriptor: CInt) throws(VaultError) {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw failure(of: "fstat", errno) }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw .unsafePermissions("\(path) is no regular file")
        }
        guard status.st_uid == geteuid() else {
            throw .unsafePermissions("\(path) belongs to uid \(status.st_uid)")
        }
        guard status.st_mode & 0o177 == 0 else {
            let mode = String(status.st_mode & 0o7777, radix: 8)
            throw .unsafePermissions("\(path) is open to others (mode 0\(mode))")
        }
        guard status.st_nlink == 1 else {
            throw .unsafePermissions("\(path) has a second name")
        }
    }

    private func failure(of function: String, _ code: CInt) -> VaultError {
        .storage("\(path): \(function) failed (errno \(code))")
    }
}
