import WhorlBiometrics
import WhorlCrypto

@testable import WhorlKeys

/// A backup, which comes from wherever somebody kept it.
enum BackupFileTarget {
    static func examine(_ bytes: [UInt8]) -> Bool {
        // No fuzzer finds a digest, so what it makes is also tried with the right one.
        let body = BackupFile.isBackup(bytes) ? bytes : BackupFile.magic + bytes
        let isTaken = isTaken(bytes)
        guard let digest = try? SHA256.digest(of: body) else { return isTaken }
        return self.isTaken(body + digest) || isTaken
    }

    private static func isTaken(_ bytes: [UInt8]) -> Bool {
        let content: RecoverableKeys
        do throws(VaultError) {
            content = try BackupFile.read(bytes)
        } catch {
            let isTyped = ["unreadable-backup", "newer-store"].contains(error.identifier)
            precondition(isTyped, "bytes are called \(error.identifier)")
            return false
        }
        precondition(content.keys.count <= BackupFile.maximumKeyCount, "keys without bound")
        let again = try? BackupFile.write(content)
        precondition(again == bytes, "a backup is written as other bytes")
        return true
    }
}
