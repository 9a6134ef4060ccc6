internal import Glibc
internal import WhorlKit
internal import WhorlSecrets

/// A file for what a command gives out: new, and readable by its owner alone.
enum NewFile {
    /// Looks whether the file could be made, before anybody is asked for anything.
    ///
    /// - Throws: ``CommandFailure`` where it exists, or its folder is not there or not to be written.
    static func check(_ path: String) throws(CommandFailure) {
        var status = stat()
        if unsafe lstat(path, &status) == 0 { throw .fileExists(path) }
        guard errno == ENOENT else { throw .file(path, .current) }
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        guard unsafe access(folder, W_OK | X_OK) == 0 else { throw .file(path, .current) }
    }

    /// Makes the file with a secret in it, all of it and on the disk, or leaves nothing behind.
    ///
    /// The corresponding C functions are `open` with `O_EXCL` and `O_NOFOLLOW`, `write` and `fsync`.
    ///
    /// - Throws: ``CommandFailure``.
    static func write(
        _ secret: borrowing SecretBytes, to path: String
    ) throws(CommandFailure) {
        let descriptor = try create(path)
        let failure = secret.withBytes { DescriptorOutput.write($0, to: descriptor) }
        try finish(path, descriptor, failure)
    }

    /// Makes the file with these bytes in it, as ``write(_:to:)`` does with a secret.
    static func write(bytes: [UInt8], to path: String) throws(CommandFailure) {
        let descriptor = try create(path)
        let failure = unsafe DescriptorOutput.write(bytes.span.bytes, to: descriptor)
        try finish(path, descriptor, failure)
    }

    private static func create(_ path: String) throws(CommandFailure) -> CInt {
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        let descriptor = unsafe open(path, flags, mode_t(S_IRUSR | S_IWUSR))
        guard descriptor >= 0 else {
            throw errno == EEXIST ? .fileExists(path) : .file(path, .current)
        }
        return descriptor
    }

    private static func finish(
        _ path: String, _ descriptor: CInt, _ writing: SystemError?
    ) throws(CommandFailure) {
        var failure = writing
        if failure == nil, fsync(descriptor) != 0 { failure = .current }
        if failure == nil { failure = syncFolder(of: path) }
        close(descriptor)
        if let failure {
            remove(path)
            throw .file(path, failure)
        }
    }

    /// Takes the file away again.
    static func remove(_ path: String) { _ = unsafe unlink(path) }

    /// Without it the file's name may be lost with the power.
    static func syncFolder(of path: String) -> SystemError? {
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        let descriptor = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        // A folder that may be written and not read cannot be synced: the file is there all the same.
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        guard fsync(descriptor) != 0, errno != EINVAL else { return nil }
        return .current
    }
}
