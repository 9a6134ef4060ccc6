import WhorlBiometrics
import WhorlCrypto
import WhorlSecrets

/// A print as it is stored: what may be known of it, and the sealed rest.
struct PrintRecord {
    let print: StoredPrint
    let sealed: [UInt8]

    /// Seals a print under the storage key, with all that is known of it authenticated.
    init(
        sealing template: Print, as print: StoredPrint, of subject: Subject, under key: StorageKey
    ) throws(VaultError) {
        let context = print.canonical(vaultID: key.vaultID, subject: subject)
        let sealingKey = try key.key(for: context)
        self.print = print
        sealed = try template.withSerialized { (template) throws(VaultError) in
            do throws(CryptoError) {
                return try AESGCM.seal(template, key: sealingKey, authenticating: context.bytes)
            } catch {
                throw VaultError(error, in: "a print")
            }
        }
    }

    /// A print that was read, which nothing vouches for yet.
    ///
    /// - Throws: ``VaultError/damaged(_:)`` if it is none that this store could have written.
    init(_ row: VaultTables.PrintRow) throws(VaultError) {
        guard let id = PrintID(bytes: row.id), let finger = Finger(rawValue: row.finger),
            let port = row.port.port, (0...1).contains(row.simulated),
            (0...1).contains(row.onChip)
        else { throw .damaged("the list of enrolled fingers was changed") }
        print = StoredPrint(
            id: id, finger: finger,
            reader: ReaderIdentity(driver: row.driver, deviceID: row.device, port: port),
            enrolled: row.enrolled, isSimulated: row.simulated == 1,
            isStoredOnChip: row.onChip == 1)
        sealed = row.sealed
    }

    /// Decrypts the print.
    ///
    /// - Throws: ``VaultError/damaged(_:)`` where it is not the one that was stored under this name.
    func opened(of subject: Subject, under key: StorageKey) throws(VaultError) -> Print {
        let context = print.canonical(vaultID: key.vaultID, subject: subject)
        let sealingKey = try key.key(for: context)
        let template = try crypto("the print of the \(print.finger.words)") {
            () throws(CryptoError) in
            try AESGCM.open(sealed, key: sealingKey, authenticating: context.bytes)
        }
        return Print(serialized: template, isStoredOnChip: print.isStoredOnChip)
    }
}
