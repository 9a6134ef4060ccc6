import Glibc
import WhorlBiometrics

/// A copy of a database in a private folder of its own, which goes with this object.
///
/// The original may be anybody's, have any mode and lie on read-only media: it is read and nothing
/// else, and nothing is made beside it. What SQLite wrote to the log beside it is copied too.
final class DatabaseCopy: Sendable {
    /// How often it is tried to find the original at rest.
    private static let attempts = 10
    /// How long a file must have rested: more than the clock of the file system takes to move on.
    private static let rest: Int64 = 50_000_000

    /// The folder with the copy in it, under the name that a store has.
    let folder: String

    /// Copies a database.
    ///
    /// - Throws: ``VaultError/storage(_:)`` where it cannot be read or the copy not be written,
    ///   ``VaultError/storeBusy`` where another process writes it all the time.
    init(of path: String) throws(VaultError) {
        let parent = Self.temporaryFolder
        var template = Array("\(parent)/whorl-copy-XXXXXX".utf8CString)
        guard unsafe mkdtemp(&template) != nil else {
            throw .storage("no temporary folder can be made in \(DisplayText(parent))")
        }
        folder = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        for _ in 0..<Self.attempts {
            guard let before = try Self.state(of: path) else {
                usleep(useconds_t(Self.rest / 1000))
                continue
            }
            for suffix in Self.suffixes {
                try Self.copy(path + suffix, to: "\(folder)/\(StoreDatabase.fileName)\(suffix)")
            }
            if try Self.state(of: path) == before { return }
        }
        throw .storeBusy
    }

    deinit { Self.remove(folder) }

    private static let suffixes = ["", "-wal"]

    private static var temporaryFolder: String {
        if let named = unsafe getenv("TMPDIR"), unsafe named.pointee == 0x2F {
            return unsafe String(cString: named)
        }
        return "/tmp"
    }

    private static func remove(_ folder: String) {
        for suffix in suffixes + ["-shm", "-journal"] {
            unsafe unlink("\(folder)/\(StoreDatabase.fileName)\(suffix)")
        }
        unsafe rmdir(folder)
    }

    // MARK: The original

    private struct FileState: Equatable {
        let inode: UInt
        let size: Int64
        let changed: Int64
    }

    // Nil where something was changed so lately that the next change might show the same time.
    private static func state(of path: String) throws(VaultError) -> [FileState?]? {
        var now = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &now)
        var states: [FileState?] = []
        for suffix in suffixes {
            var status = stat()
            guard unsafe stat(path + suffix, &status) == 0 else {
                guard errno == ENOENT else { throw failure(of: "stat", path, errno) }
                states.append(nil)
                continue
            }
            let changed = nanoseconds(status.st_ctim)
            // A time in the future says nothing, as on media from elsewhere.
            if (0..<rest).contains(nanoseconds(now) - changed) { return nil }
            states.append(
                FileState(inode: status.st_ino, size: Int64(status.st_size), changed: changed))
        }
        return states
    }

    private static func nanoseconds(_ time: timespec) -> Int64 {
        Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }

    private static func copy(_ path: String, to copy: String) throws(VaultError) {
        let source = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard source >= 0 else {
            // Without a log the database is all there is.
            if errno == ENOENT, path.hasSuffix("-wal") {
                unsafe unlink(copy)
                return
            }
            throw failure(of: "open", path, errno)
        }
        defer { close(source) }
        var status = stat()
        guard unsafe fstat(source, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw .storage("\(DisplayText(path)) is no file")
        }
        let flags = O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC
        let target = unsafe open(copy, flags, 0o600)
        guard target >= 0 else { throw failure(of: "open", copy, errno) }
        defer { close(target) }
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        while true {
            let count = unsafe read(source, &buffer, buffer.count)
            if count == 0 { return }
            guard count > 0 else { throw failure(of: "read", path, errno) }
            guard unsafe write(target, buffer, count) == count else {
                throw failure(of: "write", copy, errno)
            }
        }
    }

    private static func failure(
        of function: String, _ path: String, _ code: CInt
    ) -> VaultError {
        .storage("\(DisplayText(path)): \(function) failed (errno \(code))")
    }
}
