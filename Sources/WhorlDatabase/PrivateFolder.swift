internal import Glibc

/// A folder that only its owner can look into, open for as long as this value lives.
///
/// Whoever can write to a folder can put a link or a file of their own where ours should be, so
/// everything is checked before SQLite sees it. The folders above are not checked: whoever can
/// change those is trusted, as with every file of the owner.
struct PrivateFolder: ~Copyable {
    /// Its path without any symbolic link, as SQLite wants it.
    let path: String

    private let descriptor: CInt

    init(path: String, create: Bool) throws(DatabaseError) {
        guard !path.utf8.contains(0) else { throw .missing(path: path) }
        if create, unsafe mkdir(path, 0o700) != 0, errno != EEXIST {
            throw Self.failure(of: "mkdir")
        }
        let descriptor = unsafe open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else {
            switch errno {
            case ENOENT: throw .missing(path: path)
            case ELOOP: throw .notPrivate(path: path, .symbolicLink)
            case ENOTDIR: throw Self.notAFolder(path)
            default: throw Self.failure(of: "open")
            }
        }
        do throws(DatabaseError) {
            var status = stat()
            guard unsafe fstat(descriptor, &status) == 0 else { throw Self.failure(of: "fstat") }
            try Self.check(status, path: path, forbiddenMode: 0o077)
            self.path = try Self.resolve(path, sameAs: status)
        } catch {
            close(descriptor)
            throw error
        }
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    /// Checks a file of the folder, and tells whether it is there.
    func containsPrivateFile(named name: String) throws(DatabaseError) -> Bool {
        var status = stat()
        guard unsafe fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
            if errno == ENOENT { return false }
            throw Self.failure(of: "fstatat")
        }
        let path = "\(path)/\(name)"
        switch status.st_mode & S_IFMT {
        case S_IFREG: break
        case S_IFLNK: throw .notPrivate(path: path, .symbolicLink)
        default: throw .notPrivate(path: path, .wrongKind)
        }
        try Self.check(status, path: path, forbiddenMode: 0o177)
        guard status.st_nlink == 1 else { throw .notPrivate(path: path, .hardLinked) }
        return true
    }

    /// Makes an empty file with mode 0600; does nothing if there is one of that name.
    ///
    /// No descriptor is opened: closing one would take away the locks that SQLite holds on the file
    /// elsewhere in this process, as POSIX has it.
    func createPrivateFile(named name: String) throws(DatabaseError) {
        guard unsafe mknodat(descriptor, name, S_IFREG | 0o600, 0) != 0 else { return }
        guard errno == EEXIST else { throw Self.failure(of: "mknodat") }
    }

    private static func check(
        _ status: stat, path: String, forbiddenMode: mode_t
    ) throws(DatabaseError) {
        guard status.st_uid == geteuid() else {
            throw .notPrivate(path: path, .otherOwner(uid: status.st_uid))
        }
        guard status.st_mode & forbiddenMode == 0 else {
            throw .notPrivate(path: path, .tooOpen(mode: status.st_mode & 0o7777))
        }
    }

    private static func resolve(
        _ path: String, sameAs status: stat
    ) throws(DatabaseError) -> String {
        guard let resolved = unsafe realpath(path, nil) else { throw failure(of: "realpath") }
        defer { unsafe free(resolved) }
        var now = stat()
        guard unsafe lstat(resolved, &now) == 0 else { throw failure(of: "lstat") }
        guard now.st_dev == status.st_dev, now.st_ino == status.st_ino else {
            throw .notPrivate(path: path, .symbolicLink)
        }
        return unsafe String(cString: resolved)
    }

    /// `O_DIRECTORY` with `O_NOFOLLOW` says "not a folder" of a symbolic link too.
    private static func notAFolder(_ path: String) -> DatabaseError {
        var status = stat()
        let isLink =
            unsafe lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
        return .notPrivate(path: path, isLink ? .symbolicLink : .wrongKind)
    }

    private static func failure(of function: String) -> DatabaseError {
        .system(function: function, errno: errno)
    }
}
