package import WhorlBiometrics
package import WhorlCrypto
import WhorlKeys

extension InProcessSession {
    /// Opens the store in a folder, whose new credentials take another amount of work.
    package static func open(
        inFolder folder: String, subject: Subject, parts: Parts, scrypt: ScryptParameters
    ) async throws(VaultError) -> InProcessSession {
        let database = try await StoreDatabase.open(folder: folder, creating: false)
        let opened = try await Vault.open(
            database: database, timekeeper: parts.timekeeper, scrypt: scrypt)
        let ledger = try await DatabaseAttemptLedger.open(database)
        return InProcessSession(
            opened: opened, ledger: ledger, folder: folder, subject: subject, parts: parts)
    }
}
