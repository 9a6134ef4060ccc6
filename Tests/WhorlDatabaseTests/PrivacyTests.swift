import Glibc
import Testing
import WhorlDatabase

struct PrivacyTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func refusal(inFolder path: String? = nil, create: Bool = true) -> DatabaseError? {
        databaseError {
            _ = try Database(inFolder: path ?? folder.path, named: "test.db", create: create)
        }
    }

    @Test func allThatIsMadeIsPrivate() throws {
        let path = folder.path + "/sub"
        defer {
            for name in ["test.db", "test.db-wal", "test.db-shm"] {
                unsafe unlink("\(path)/\(name)")
            }
            unsafe rmdir(path)
        }
        let database = try Database(inFolder: path, named: "test.db", create: true)
        try database.migrate([noteSchema])
        #expect(mode(of: path) == 0o700)
        for suffix in ["", "-wal", "-shm"] {
            #expect(mode(of: path + "/test.db" + suffix) == 0o600, "\(suffix)")
        }
    }

    @Test func aMissingFolderIsNotMadeUnasked() {
        let path = folder.path + "/missing"
        #expect(refusal(inFolder: path, create: false) == .missing(path: path))
        #expect(mode(of: path) == 0)
    }

    @Test func aMissingFileIsNotMadeUnasked() {
        #expect(refusal(create: false) == .missing(path: folder.path + "/test.db"))
        #expect(folder.names() == [])
    }

    @Test func foldersAboveAreNeverMade() {
        let error = refusal(inFolder: folder.path + "/one/two")
        #expect(error == .system(function: "mkdir", errno: ENOENT))
    }

    @Test(arguments: [0o701, 0o710, 0o740, 0o750, 0o755, 0o777, 0o1777, 0o707] as [mode_t])
    func aFolderThatIsOpenToOthersIsRefused(mode: mode_t) {
        unsafe chmod(folder.path, mode)
        #expect(refusal() == .notPrivate(path: folder.path, .tooOpen(mode: mode)))
        unsafe chmod(folder.path, 0o700)
        #expect(folder.names() == [])
    }

    @Test func aFolderBehindASymbolicLinkIsRefused() throws {
        let link = folder.path + "-link"
        try #require(unsafe symlink(folder.path, link) == 0)
        defer { unsafe unlink(link) }
        #expect(refusal(inFolder: link) == .notPrivate(path: link, .symbolicLink))
        #expect(refusal(inFolder: link, create: false) == .notPrivate(path: link, .symbolicLink))
    }

    @Test func aSymbolicLinkAboveTheFolderIsFollowed() throws {
        let above = try TemporaryFolder()
        try #require(unsafe mkdir(folder.path + "/store", 0o700) == 0)
        try #require(unsafe symlink(folder.path, above.path + "/link") == 0)
        let path = above.path + "/link/store"
        #expect(refusal(inFolder: path) == nil)
        for name in ["test.db", "test.db-wal", "test.db-shm"] { unsafe unlink("\(path)/\(name)") }
        unsafe rmdir(path)
    }

    @Test func aFileInPlaceOfTheFolderIsRefused() throws {
        let path = folder.path + "/file"
        try write([], to: path)
        #expect(refusal(inFolder: path) == .notPrivate(path: path, .wrongKind))
    }

    @Test func aPathWithANULCharacterIsRefused() {
        let path = folder.path + "\0/x"
        #expect(refusal(inFolder: path) == .missing(path: path))
    }

    @Test(arguments: ["test.db", "test.db-wal", "test.db-shm", "test.db-journal"])
    func aSymbolicLinkInPlaceOfAFileIsRefused(name: String) throws {
        let elsewhere = try TemporaryFolder()
        try write([], to: elsewhere.path + "/target")
        let path = "\(folder.path)/\(name)"
        try #require(unsafe symlink(elsewhere.path + "/target", path) == 0)
        #expect(refusal() == .notPrivate(path: path, .symbolicLink))
        #expect(try contents(of: elsewhere.path + "/target") == [])
    }

    @Test func aSymbolicLinkToNothingIsRefused() throws {
        let path = folder.path + "/test.db"
        try #require(unsafe symlink(folder.path + "/nothing", path) == 0)
        #expect(refusal() == .notPrivate(path: path, .symbolicLink))
        #expect(folder.names() == ["test.db"])
    }

    @Test(arguments: ["test.db", "test.db-wal", "test.db-shm", "test.db-journal"])
    func aFileWithASecondNameIsRefused(name: String) throws {
        let path = "\(folder.path)/\(name)"
        try write([], to: path)
        try #require(unsafe link(path, folder.path + "/other") == 0)
        #expect(refusal() == .notPrivate(path: path, .hardLinked))
    }

    @Test(arguments: ["test.db", "test.db-wal", "test.db-shm", "test.db-journal"])
    func aFileThatIsOpenToOthersIsRefused(name: String) throws {
        let path = "\(folder.path)/\(name)"
        try write([], to: path)
        for mode in [0o640, 0o604, 0o660, 0o644, 0o700] as [mode_t] {
            unsafe chmod(path, mode)
            #expect(refusal() == .notPrivate(path: path, .tooOpen(mode: mode)))
        }
    }

    @Test func aFolderInPlaceOfTheFileIsRefused() throws {
        let path = folder.path + "/test.db"
        try #require(unsafe mkdir(path, 0o700) == 0)
        #expect(refusal() == .notPrivate(path: path, .wrongKind))
        unsafe rmdir(path)
    }

    @Test func aPipeInPlaceOfTheFileIsRefusedAndNotWaitedFor() throws {
        let path = folder.path + "/test.db"
        try #require(unsafe mkfifo(path, 0o600) == 0)
        #expect(refusal() == .notPrivate(path: path, .wrongKind))
    }

    @Test(.enabled(if: geteuid() == 0, "only root can give a file to another user"))
    func whatBelongsToAnotherUserIsRefused() throws {
        let path = folder.path + "/test.db"
        try write([], to: path)
        unsafe chown(path, 65534, 65534)
        #expect(refusal() == .notPrivate(path: path, .otherOwner(uid: 65534)))
        unsafe unlink(path)
        unsafe chown(folder.path, 65534, 65534)
        #expect(refusal() == .notPrivate(path: folder.path, .otherOwner(uid: 65534)))
    }

    @Test func aFileThatCannotBeWrittenIsRefused() async {
        await #expect(processExitsWith: .success) {
            // Root may write everything.
            if geteuid() == 0 { precondition(setuid(65534) == 0) }
            let folder = try TemporaryFolder()
            _ = try folder.database()
            unsafe chmod(folder.path + "/test.db", 0o400)
            do {
                _ = try folder.database()
                fatalError("opened")
            } catch DatabaseError.readOnly {
            }
        }
    }
}
