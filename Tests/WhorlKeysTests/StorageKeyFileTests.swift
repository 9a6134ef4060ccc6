import Glibc
import Testing
import WhorlBiometrics

@testable import WhorlKeys

struct StorageKeyFileTests {
    private let folder: TemporaryFolder
    private let file: StorageKeyFile

    init() throws {
        folder = try TemporaryFolder()
        file = StorageKeyFile(folder: folder.path)
    }

    private func refusal() -> VaultError? {
        do throws(VaultError) {
            _ = try file.read()
            return nil
        } catch { return error }
    }

    private func stored() throws -> [UInt8]? {
        if let key = try file.read() { revealed(key) } else { nil }
    }

    private var isUnsafe: Bool {
        if case .unsafePermissions = refusal() { true } else { false }
    }

    @Test func aNewKeyIsThirtyTwoBytesThatOnlyItsOwnerMayRead() throws {
        let made = try file.create()
        #expect(revealed(made).count == 32)
        #expect(folder.contents(of: "storage.key") == revealed(made))
        var status = stat()
        #expect(unsafe lstat("\(folder.path)/storage.key", &status) == 0)
        #expect(status.st_mode & 0o7777 == 0o600)
        #expect(status.st_nlink == 1)
        #expect(folder.names() == ["storage.key"])
        #expect(try stored() == revealed(made))
    }

    @Test func noFileIsNoKey() throws {
        #expect(try stored() == nil)
    }

    @Test func aKeyThatIsThereIsNeverReplaced() throws {
        let first = revealed(try file.create())
        #expect(throws: VaultError.self) { _ = try file.create() }
        #expect(folder.contents(of: "storage.key") == first)
        #expect(folder.names() == ["storage.key"])
    }

    @Test func whatAKilledProcessLeftIsNoObstacle() throws {
        try folder.write([1, 2, 3], to: "storage.key.new")
        let made = revealed(try file.readOrCreate())
        #expect(try stored() == made)
        #expect(folder.names() == ["storage.key"])
        #expect(revealed(try file.readOrCreate()) == made)
    }

    @Test func aProcessKilledBetweenTheTwoNamesOfTheFileIsNoObstacle() throws {
        let made = revealed(try file.create())
        let both = ("\(folder.path)/storage.key", "\(folder.path)/storage.key.new")
        #expect(unsafe link(both.0, both.1) == 0)
        #expect(isUnsafe)
        #expect(revealed(try file.readOrCreate()) == made)
        #expect(folder.names() == ["storage.key"])
    }

    @Test(arguments: [0o640, 0o604, 0o620, 0o700, 0o660, 0o4600] as [mode_t])
    func aFileThatIsOpenToOthersIsRefused(mode: mode_t) throws {
        try folder.write([UInt8](repeating: 7, count: 32), to: "storage.key", mode: mode)
        // Setuid and the like change nothing about who may read.
        #expect(isUnsafe == (mode & 0o177 != 0))
    }

    @Test func aSymbolicLinkIsRefused() throws {
        try folder.write([UInt8](repeating: 7, count: 32), to: "elsewhere")
        #expect(unsafe symlink("elsewhere", "\(folder.path)/storage.key") == 0)
        #expect(isUnsafe)
    }

    @Test func aFileWithASecondNameIsRefused() throws {
        try folder.write([UInt8](repeating: 7, count: 32), to: "storage.key")
        #expect(unsafe link("\(folder.path)/storage.key", "\(folder.path)/other") == 0)
        #expect(isUnsafe)
    }

    @Test func aPipeOrFolderOfThatNameIsRefusedAndKeepsNobodyWaiting() throws {
        #expect(unsafe mkfifo("\(folder.path)/storage.key", 0o600) == 0)
        #expect(isUnsafe)
        folder.remove("storage.key")
        #expect(unsafe mkdir("\(folder.path)/storage.key", 0o700) == 0)
        #expect(isUnsafe)
        unsafe rmdir("\(folder.path)/storage.key")
    }

    @Test(.enabled(if: geteuid() == 0, "only root can give a file away"))
    func aFileOfAnotherUserIsRefused() throws {
        try folder.write([UInt8](repeating: 7, count: 32), to: "storage.key")
        #expect(unsafe chown("\(folder.path)/storage.key", 65534, 65534) == 0)
        #expect(isUnsafe)
    }

    @Test(arguments: [0, 31, 33, 5000])
    func aFileOfAnotherSizeIsDamaged(count: Int) throws {
        try folder.write([UInt8](repeating: 7, count: count), to: "storage.key")
        guard case .damaged = refusal() else {
            Issue.record("\(count) bytes are no key")
            return
        }
    }
}
