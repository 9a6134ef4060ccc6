import Foundation
import Glibc

/// Files of a bench, as a test looks at them and spoils them.
extension Bench {
    var storageKey: String { "\(store)/storage.key" }

    // MARK: Looking

    func exists(_ path: String) -> Bool {
        var status = stat()
        return unsafe lstat(path, &status) == 0
    }

    func read(_ path: String) throws -> String {
        String(decoding: try bytes(path), as: UTF8.self)
    }

    func bytes(_ path: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(filePath: path)))
    }

    func status(of path: String) throws -> stat {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else {
            throw ChildPipes.Failure(call: "lstat", number: errno)
        }
        return status
    }

    func mode(_ path: String) throws -> mode_t { try status(of: path).st_mode & 0o7777 }
    func size(_ path: String) throws -> Int { try status(of: path).st_size }

    /// Every name below the folder, with what it is and holds.
    ///
    /// Left out are sockets, the lock, and what SQLite keeps beside a database while it is open.
    func fingerprint() throws -> [String: [UInt8]] {
        var found: [String: [UInt8]] = [:]
        for name in FileManager.default.enumerator(atPath: folder)?.allObjects as? [String] ?? [] {
            let status = try status(of: path(name))
            let kind = status.st_mode & S_IFMT
            if kind == S_IFSOCK || name.hasSuffix("request.lock") { continue }
            if name.hasSuffix("-shm") || name.hasSuffix("-wal") && status.st_size == 0 { continue }
            found[name] = kind == S_IFREG ? try bytes(path(name)) : [UInt8(kind >> 12)]
        }
        return found
    }

    // MARK: Spoiling

    func write(_ text: String, to path: String) throws {
        try Data(text.utf8).write(to: URL(filePath: path))
    }

    func setMode(_ mode: mode_t, _ path: String) throws {
        try check("chmod", unsafe chmod(path, mode))
    }

    func makeFolder(_ path: String) throws { try check("mkdir", unsafe mkdir(path, 0o700)) }
    func makePipe(_ path: String) throws { try check("mkfifo", unsafe mkfifo(path, 0o600)) }
    func move(_ path: String, to other: String) throws {
        try check("rename", unsafe rename(path, other))
    }
    func remove(_ path: String) throws { try check("unlink", unsafe unlink(path)) }
    func link(_ path: String, to target: String) throws {
        try check("symlink", unsafe symlink(target, path))
    }
    func cut(_ path: String, to size: Int) throws {
        try check("truncate", unsafe truncate(path, size))
    }

    func overwrite(_ path: String, at offset: Int, with bytes: [UInt8]) throws {
        let file = try FileHandle(forUpdating: URL(filePath: path))
        defer { try? file.close() }
        try file.seek(toOffset: UInt64(offset))
        try file.write(contentsOf: bytes)
    }

    func flip(_ path: String, at offset: Int) throws {
        try overwrite(path, at: offset, with: [try bytes(path)[offset] ^ 0xff])
    }

    private func check(_ call: String, _ result: CInt) throws {
        guard result == 0 else { throw ChildPipes.Failure(call: call, number: errno) }
    }
}

extension Bench {
    /// Puts the store that an earlier version wrote in the place of the bench's own, with the modes
    /// that a checkout loses.
    ///
    /// - Returns: The store's folder.
    @discardableResult
    func copyStore(ofVersion version: Int) throws -> String {
        let root = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let original = root.appending(path: "Fixtures/stores/\(version)").path()
        try? FileManager.default.removeItem(atPath: store)
        try makeFolder(store)
        for name in ["whorl.db", "storage.key"] {
            try FileManager.default.copyItem(
                atPath: "\(original)/\(name)", toPath: "\(store)/\(name)")
            try setMode(0o600, "\(store)/\(name)")
        }
        return store
    }
}
