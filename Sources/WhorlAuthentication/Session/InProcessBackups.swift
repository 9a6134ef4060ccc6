import WhorlBiometrics
import WhorlKeys
import WhorlSecrets

/// Backups, in a session of this process.
struct InProcessBackups: Backups {
    let vault: Vault
    let subject: Subject

    func backUp() async throws(VaultError) -> StoreBackup {
        try await vault.backUp(subject)
    }

    func restore(
        _ contents: [UInt8], recoveryKey: HeldSecret
    ) async throws(VaultError) -> KeyRestoration {
        try await vault.restore(
            try BackupFile.read(contents), with: recoveryKey, for: subject)
    }
}
