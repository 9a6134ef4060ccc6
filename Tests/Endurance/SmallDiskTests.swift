import Foundation
import Glibc
import Testing
import WhorlBiometrics
import WhorlStoreLoad

extension Endurance {
    /// The store is on a real file system that has no room, or cannot be written.
    @Suite(
        .serialized,
        .enabled(if: SmallDisk.isPossible, "only root can mount a file system"))
    struct SmallDiskTests {
        @Test func aFullDiskLosesNothingHoweverMuchRoomIsLeft() async throws {
            let template = try await StoreTemplate.prepared()
            let found = await complaints(in: 0..<48) { number in
                let disk = try SmallDisk(bytes: 1 << 20)
                let folder = try template.copied(in: disk.path)
                try disk.fill(leaving: number * 4096)
                var transcript = Transcript(from: template.world)
                var isFull = false
                do {
                    let session = try await StoreSession.open(folder.path, folder.owner)
                    for operation in MixedLoad.round(1) where !isFull {
                        let outcome = await session.perform(operation)
                        let expected = transcript.acknowledged.outcome(of: operation)
                        // Whether a wrong finger was refused as such or for the disk, it may be counted.
                        if case .refused(let identifier) = outcome, identifier == "storage" {
                            transcript.note(operation, outcome, undisturbed: expected)
                            isFull = true
                        } else {
                            transcript.note(operation, outcome)
                        }
                    }
                    transcript.deliveredKeys = session.deliveredKeys
                } catch VaultError.storage {
                    isFull = true
                }
                disk.empty()
                return try await Aftermath(
                    folder: folder, transcript: transcript
                ).complaints() + (number > 0 || isFull ? [] : ["the disk was not full"])
            }
            #expect(found == [])
        }

        @Test func aFileSystemThatCannotBeWrittenIsToldAndNothingChanges() async throws {
            let template = try await StoreTemplate.prepared()
            let disk = try SmallDisk(bytes: 1 << 20)
            let folder = try template.copied(in: disk.path)
            try disk.remount(readOnly: true)
            await #expect {
                _ = try await StoreSession.open(folder.path, folder.owner)
            } throws: { error in
                if case .storage = error as? VaultError { true } else { false }
            }
            try disk.remount(readOnly: false)
            let found = try await Aftermath(
                folder: folder, transcript: Transcript(from: template.world)
            ).complaints()
            #expect(found == [])
        }
    }
}

/// A file system of its own in memory, unmounted with this value.
final class SmallDisk: Sendable {
    let path: String
    private let bytes: Int
    private let mountPoint: StoreFolder

    private var filler: String { path + "/filler" }

    /// Whether this process may mount one, which root in a container often may not.
    static let isPossible = geteuid() == 0 && (try? SmallDisk(bytes: 1 << 16)) != nil

    init(bytes: Int) throws {
        mountPoint = try StoreFolder()
        path = mountPoint.path
        self.bytes = bytes
        try Self.check(
            unsafe mount("tmpfs", path, "tmpfs", 0, "size=\(bytes),mode=0700"))
    }

    deinit {
        unsafe umount2(path, CInt(MNT_DETACH))
    }

    /// Takes all room but so many bytes.
    func fill(leaving room: Int) throws {
        let block = [UInt8](repeating: 1, count: 4096)
        let descriptor = unsafe open(filler, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        try Self.check(min(descriptor, 0))
        defer { close(descriptor) }
        var count = 0
        while unsafe write(descriptor, block, block.count) == block.count { count += block.count }
        try Self.check(ftruncate(descriptor, max(count - room, 0)))
    }

    /// Gives the room back.
    func empty() {
        unsafe unlink(filler)
    }

    func remount(readOnly: Bool) throws {
        let flags = UInt(MS_REMOUNT) | (readOnly ? UInt(MS_RDONLY) : 0)
        try Self.check(unsafe mount("tmpfs", path, "tmpfs", flags, "size=\(bytes),mode=0700"))
    }

    private static func check(_ result: CInt) throws {
        guard result == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    }
}
