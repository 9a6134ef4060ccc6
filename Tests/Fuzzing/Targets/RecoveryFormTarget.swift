import WhorlKeys
import WhorlSecrets

/// The recovery key as somebody types it.
enum RecoveryFormTarget {
    static func examine(_ bytes: [UInt8]) -> Bool {
        guard let typed = try? SecretBytes(copying: bytes.span),
            let key = try? RecoveryKeyForm.read(typed)
        else { return false }
        precondition(key.count == RecoveryKeyForm.keyCount, "a key of another size")
        guard let written = try? RecoveryKeyForm.write(key),
            let again = try? RecoveryKeyForm.read(written)
        else { preconditionFailure("what was read cannot be written") }
        precondition(key.isEqual(to: again), "it reads as another key")
        return true
    }
}
