internal import CWhorlSQLite

/// Why the database cannot be used, or did not do what was asked.
///
/// `code` is always SQLite's extended result code; https://www.sqlite.org/rescode.html lists them.
/// No case carries a value that is stored.
@nonexhaustive
public enum DatabaseError: Error, Equatable {
    /// What makes a file or folder unfit to hold what nobody else may read or change.
    public enum Privacy: Equatable, Sendable {
        /// It is a symbolic link.
        case symbolicLink
        /// It is a folder where a file should be, a file where a folder should be, or a device.
        case wrongKind
        /// It belongs to another user.
        case otherOwner(uid: UInt32)
        /// Its mode lets the group or others in.
        case tooOpen(mode: UInt32)
        /// It has a second name, perhaps in a folder where others can read it.
        case hardLinked
    }

    /// A file or folder is not private.
    case notPrivate(path: String, Privacy)
    /// There is no database here, and none was to be made.
    case missing(path: String)
    /// This is another program's database.
    case notOurs(path: String)
    /// A newer version of this software wrote here; nothing was changed.
    case newerSchema(module: String, found: Int, known: Int)
    /// The file is damaged, or a stored value has another type than it must have.
    case damaged(code: Int32)
    /// Another process holds the database, and did so until the wait was over.
    case busy(code: Int32)
    /// The disk is full; nothing was changed.
    case full(code: Int32)
    /// The database cannot be written.
    case readOnly(code: Int32)
    /// The disk or the file system failed.
    case inputOutput(code: Int32)
    /// A uniqueness, foreign key, type or other rule of a table was broken; nothing was changed.
    case constraint(code: Int32)
    /// A system call failed.
    case system(function: String, errno: Int32)
    /// SQLite refused something else.
    case library(code: Int32)

    init(code: Int32) {
        switch code & 0xFF {
        case SQLITE_BUSY, SQLITE_LOCKED: self = .busy(code: code)
        case SQLITE_READONLY, SQLITE_PERM: self = .readOnly(code: code)
        case SQLITE_IOERR, SQLITE_CANTOPEN, SQLITE_PROTOCOL: self = .inputOutput(code: code)
        case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_FORMAT: self = .damaged(code: code)
        case SQLITE_FULL: self = .full(code: code)
        case SQLITE_CONSTRAINT: self = .constraint(code: code)
        default: self = .library(code: code)
        }
    }

    /// A stored value has another type than it must have.
    static var wrongType: DatabaseError { .damaged(code: SQLITE_MISMATCH) }
}

extension DatabaseError: CustomStringConvertible {
    /// What happened and what to do, in one sentence.
    public var description: String { "\(cause); \(advice)" }

    /// What happened, for those who have an advice of their own.
    public var cause: String {
        switch self {
        case .notPrivate(let path, let privacy): "\(path) \(privacy.cause)"
        case .missing(let path): "there is no \(path)"
        case .notOurs(let path): "\(path) is another program's database"
        case .newerSchema(let module, let found, let known):
            "the database has \(module) version \(found) and this program knows \(known)"
        case .damaged(let code): "the database is damaged (SQLite \(code))"
        case .busy(let code): "another process is using the database (SQLite \(code))"
        case .full(let code): "the disk is full (SQLite \(code))"
        case .readOnly(let code): "the database cannot be written (SQLite \(code))"
        case .inputOutput(let code): "the disk or file system failed (SQLite \(code))"
        case .constraint(let code): "a rule of the database was broken (SQLite \(code))"
        case .system(let function, let errno): "\(function) failed (errno \(errno))"
        case .library(let code): "SQLite refused (SQLite \(code))"
        }
    }

    private var advice: String {
        switch self {
        case .notPrivate(_, let privacy): privacy.advice
        case .missing: "run setup first"
        case .notOurs: "name another folder"
        case .newerSchema: "use the newer program"
        case .damaged: "restore it from a backup"
        case .busy: "try again"
        case .full: "make room"
        case .readOnly: "check its modes and the file system"
        case .inputOutput: "see the kernel's log"
        case .system: "check the folder and the file system"
        case .constraint, .library: "please report it"
        }
    }
}

extension DatabaseError.Privacy: CustomStringConvertible {
    /// What is wrong and what to do, as the end of a sentence that begins with the path.
    public var description: String { "\(cause); \(advice)" }

    var cause: String {
        switch self {
        case .symbolicLink: "is a symbolic link"
        case .wrongKind: "is not what it should be"
        case .otherOwner(let uid): "belongs to uid \(uid)"
        case .tooOpen(let mode): "is open to others (mode 0\(String(mode, radix: 8)))"
        case .hardLinked: "has a second name"
        }
    }

    var advice: String {
        switch self {
        case .symbolicLink: "put the real one there"
        case .wrongKind: "move it away"
        case .otherOwner: "change its owner or run as that user"
        case .tooOpen: "close it"
        case .hardLinked: "remove one of them"
        }
    }
}
