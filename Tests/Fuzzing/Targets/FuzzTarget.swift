/// One thing of ours that reads bytes which anybody may have written.
///
/// A target may refuse bytes and may take them; it may not stop the program, and what it takes must
/// mean the same when it is written and read again. ``examine(_:)`` traps where that does not hold, so
/// that libFuzzer and the tests see it.
enum FuzzTarget: String, CaseIterable, Sendable {
    case accessControl = "access-control"
    case backupFile = "backup-file"
    case recoveryForm = "recovery-form"
    case databaseBlobs = "database-blobs"
    case fp3Prints = "fp3-prints"

    /// Gives bytes to the target.
    ///
    /// - Parameter bytes: What somebody wrote.
    /// - Returns: Whether the target took them.
    @discardableResult
    func examine(_ bytes: [UInt8]) -> Bool {
        switch self {
        case .accessControl: AccessControlTarget.examine(bytes)
        case .backupFile: BackupFileTarget.examine(bytes)
        case .recoveryForm: RecoveryFormTarget.examine(bytes)
        case .databaseBlobs: DatabaseBlobTarget.examine(bytes)
        case .fp3Prints: PrintTarget.examine(bytes)
        }
    }
}
