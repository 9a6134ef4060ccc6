import Foundation
import Glibc
import WhorlStoreLoad

/// A folder of its own with a store in it, gone with this value.
final class StoreFolder: Sendable {
    let path: String
    /// What the owner of the store in it knows at first.
    let owner: OwnerSecrets

    var recoveryKey: String { String(decoding: owner.recoveryKey, as: UTF8.self) }

    /// Where folders are made: in memory where there is some, since no test here is about the disk
    /// itself, and tens of thousands of stores would wait for it.
    private static let place =
        unsafe access("/dev/shm", W_OK | X_OK) == 0 ? "/dev/shm" : NSTemporaryDirectory()

    /// Makes an empty folder below another one.
    init(
        in parent: String = place,
        owner: OwnerSecrets = OwnerSecrets(recoveryKey: [])
    ) throws {
        self.owner = owner
        // The storage knows files by their path without any symbolic link.
        let parent = URL(filePath: parent).resolvingSymlinksInPath().path
        var template = Array("\(parent)/whorl-endurance-XXXXXX".utf8CString)
        guard unsafe mkdtemp(&template) != nil else {
            throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
        }
        path = String(
            decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
        FaultPlan.disarm(path)
        try? FileManager.default.removeItem(atPath: path)
    }

    func write(_ bytes: [UInt8], to name: String) throws {
        let file = "\(path)/\(name)"
        let descriptor = unsafe open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        defer { close(descriptor) }
        guard unsafe Glibc.write(descriptor, bytes, bytes.count) == bytes.count else {
            throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
        }
    }

    /// The bytes of a file; nil where there is none.
    func contents(of name: String) -> [UInt8]? {
        FileManager.default.contents(atPath: "\(path)/\(name)").map { [UInt8]($0) }
    }

    func remove(_ name: String) {
        unsafe unlink("\(path)/\(name)")
    }
}

/// A store that was closed, to be copied again and again.
struct StoreTemplate: Sendable {
    let files: [String: [UInt8]]
    let recoveryKey: [UInt8]
    let world: World

    static let database = "whorl.db"
    static let log = "whorl.db-wal"

    /// Prepares a store with keys of some kinds.
    static func prepared(
        keys: [StoreOperation.KeyWays] = StoreOperation.KeyWays.allCases
    ) async throws -> StoreTemplate {
        let folder = try StoreFolder()
        try FaultPlan(.all).arm(folder.path)
        let store = try await PreparedStore(in: folder.path, keys: keys)
        return try await StoreTemplate(
            closed: folder, recoveryKey: store.recoveryKey, world: store.world)
    }

    /// Takes the files of a store whose connections are about to be closed.
    init(closed folder: StoreFolder, recoveryKey: [UInt8], world: World) async throws {
        let bound = ContinuousClock.now + .seconds(20)
        while folder.contents(of: Self.log) != nil {
            guard ContinuousClock.now < bound else { throw NotClosed() }
            try await Task.sleep(for: .milliseconds(1))
        }
        self.init(files: try Self.files(of: folder), recoveryKey: recoveryKey, world: world)
    }

    private init(files: [String: [UInt8]], recoveryKey: [UInt8], world: World) {
        self.files = files
        self.recoveryKey = recoveryKey
        self.world = world
    }

    /// The same with the files as they are in a folder now, whoever has them open.
    func withFiles(of folder: StoreFolder, world: World) throws -> StoreTemplate {
        StoreTemplate(
            files: try Self.files(of: folder), recoveryKey: recoveryKey, world: world)
    }

    private static func files(of folder: StoreFolder) throws -> [String: [UInt8]] {
        var files: [String: [UInt8]] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path)
        where !name.hasSuffix("-shm") {
            files[name] = folder.contents(of: name)
        }
        return files
    }

    /// Copies the store into a folder of its own, whose syncs return at once.
    func copied(in parent: String = NSTemporaryDirectory()) throws -> StoreFolder {
        let owner = OwnerSecrets(pin: world.pin, recoveryKey: recoveryKey)
        let folder = try StoreFolder(in: parent, owner: owner)
        for (name, bytes) in files { try folder.write(bytes, to: name) }
        try FaultPlan(.all).arm(folder.path)
        return folder
    }

    struct NotClosed: Error {}
}
