import Glibc
package import WhorlBiometrics

/// A file that the recovery key opens keys from: a database, or a backup.
package enum RecoveryFile {
    /// Reads a file, which is left as it is.
    ///
    /// - Parameter path: A store's database, a copy of one, or a backup; of any mode, anywhere.
    /// - Returns: The keys of every subject in it.
    /// - Throws: ``VaultError/notSetUp`` for a database that nobody was set up in;
    ///   ``VaultError/unreadableBackup(_:)``, ``VaultError/foreignStore``, ``VaultError/newerStore``,
    ///   ``VaultError/damaged(_:)``, ``VaultError/storeBusy``, ``VaultError/storage(_:)``.
    package static func read(_ path: String) async throws(VaultError) -> [RecoverableKeys] {
        if let backup = try backup(path) { return [try BackupFile.read(backup)] }
        let copy = try DatabaseCopy(of: path)
        let database = try await StoreDatabase.open(folder: copy.folder, creating: false)
        return try await Recovery(database: database).read()
    }

    /// Reads the database of a store.
    ///
    /// - Parameter folder: The path of the store's folder.
    /// - Returns: As ``read(_:)``.
    /// - Throws: As ``read(_:)``, and ``VaultError/notSetUp`` where there is no database.
    package static func read(
        ofStore folder: String
    ) async throws(VaultError) -> [RecoverableKeys] {
        let path = "\(folder)/\(StoreDatabase.fileName)"
        guard unsafe access(path, F_OK) == 0 || errno != ENOENT else { throw .notSetUp }
        return try await read(path)
    }

    // The bytes of a backup; nil where it is something else.
    private static func backup(_ path: String) throws(VaultError) -> [UInt8]? {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { throw failure(path, errno) }
        defer { close(descriptor) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw failure(path, errno) }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw .storage("\(DisplayText(path)) is no file")
        }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = unsafe Glibc.read(descriptor, &buffer, buffer.count)
            guard count >= 0 else { throw failure(path, errno) }
            bytes += buffer.prefix(count)
            guard BackupFile.isBackup(bytes) else { return nil }
            // One that is too long is told by the one who reads it.
            if count == 0 || bytes.count > StoreBackup.maximumCount { return bytes }
        }
    }

    private static func failure(_ path: String, _ code: CInt) -> VaultError {
        .storage("\(DisplayText(path)) cannot be read (errno \(code))")
    }
}
