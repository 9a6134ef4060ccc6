package import WhorlBiometrics
import WhorlCrypto

/// A backup as bytes: the one canonical form of the keys that the recovery key opens.
///
/// A field is its length as 8 big-endian bytes, then so many bytes; a number is a field of 8 bytes,
/// big-endian. In order:
///
/// | what | form |
/// |---|---|
/// | `WHORL BACKUP\r\n\u{1A}\n` | 16 bytes |
/// | `whorl/backup/1`; the number is the version of all that follows | a field of UTF-8 |
/// | the vault's id | a field of 16 bytes |
/// | the subject's name | a field of UTF-8 |
/// | the public half of the recovery key | a field of 65 bytes |
/// | the number of keys | a number |
/// | of each key, by name in the order of its bytes: | |
/// | its id | a field of 16 bytes |
/// | its name, store and access control | a field of UTF-8 each |
/// | the least strength (0 for no finger), seconds of reuse, whether it is bound to the boot, whether it is simulated (0 or 1), when it was made, the generation | a number each |
/// | its payload key, sealed to the public half | a field of 125 bytes |
/// | its secret, sealed under the payload key | a field |
/// | SHA-256 of all before it | 32 bytes |
///
/// Every key is a secret with recovery. The digest shows damage and nothing else: who can write the
/// file can put keys of their own into it, and read none. What opens, opens as what it says it is.
package enum BackupFile {
    private static let maximumCount = StoreBackup.maximumCount
    /// The most keys in one.
    package static let maximumKeyCount = 1 << 16

    static let magic: [UInt8] = Array("WHORL BACKUP\r\n\u{1A}\n".utf8)
    private static let purpose = "whorl/backup/"
    private static let version = 1
    private static let branchCount = P256PublicKey.sealingOverheadCount + AESGCM.keyCount

    /// Whether bytes begin as a backup does.
    package static func isBackup(_ bytes: some Collection<UInt8>) -> Bool {
        bytes.starts(with: magic)
    }

    // MARK: Writing

    /// Writes a backup.
    ///
    /// - Throws: ``VaultError/tooLarge(limit:)``.
    static func write(_ content: RecoverableKeys) throws(VaultError) -> [UInt8] {
        let size = content.keys.reduce(0) { $0 + $1.payload.count + 4096 }
        guard content.keys.count <= maximumKeyCount, size <= maximumCount else {
            throw .tooLarge(limit: maximumCount)
        }
        var bytes = CanonicalBytes("\(purpose)\(version)")
        bytes.append(content.vaultID)
        bytes.append(content.subject.name)
        bytes.append(content.publicHalf.uncompressed)
        bytes.append(Int64(content.keys.count))
        for key in content.keys {
            let attributes = key.attributes
            bytes.append(attributes.id.bytes)
            bytes.append(attributes.name.text)
            bytes.append(attributes.store.rawValue)
            bytes.append(attributes.access.description)
            bytes.append(Int64(attributes.minimumStrength?.rawValue ?? 0))
            bytes.append(Int64(attributes.reuseSeconds))
            bytes.append(attributes.isBootBound)
            bytes.append(attributes.isSimulated)
            bytes.append(attributes.created)
            bytes.append(attributes.generation)
            bytes.append(key.branch)
            bytes.append(key.payload)
        }
        let all = magic + bytes.bytes
        return all + (try digest(all))
    }

    // MARK: Reading

    /// Reads a backup.
    ///
    /// - Throws: ``VaultError/unreadableBackup(_:)`` for anything that ``write(_:)`` did not make,
    ///   ``VaultError/newerStore`` for a version to come.
    package static func read(_ bytes: [UInt8]) throws(VaultError) -> RecoverableKeys {
        guard isBackup(bytes) else { throw .unreadableBackup("this is no backup of Whorl's") }
        guard bytes.count <= maximumCount else {
            throw .unreadableBackup("the backup is longer than \(maximumCount) bytes")
        }
        guard bytes.count >= magic.count + SHA256.digestCount else { throw cutShort }
        var reader = FieldReader(bytes[magic.count...].dropLast(SHA256.digestCount))
        try checkVersion(reader.text(atMost: purpose.utf8.count + 8))
        // A file that was cut short has no digest at its end, and so is told as well.
        guard try digest(bytes.dropLast(SHA256.digestCount)) == bytes.suffix(SHA256.digestCount)
        else { throw .unreadableBackup("the backup was changed or cut short") }
        return try content(&reader)
    }

    private static func checkVersion(_ text: String) throws(VaultError) {
        guard text.hasPrefix(purpose), let found = Int(text.dropFirst(purpose.count)) else {
            throw changed
        }
        guard found <= version else { throw .newerStore }
        guard text == "\(purpose)\(version)" else { throw changed }
    }

    private static func content(_ reader: inout FieldReader) throws(VaultError) -> RecoverableKeys {
        let vaultID = try reader.field(exactly: identifierCount)
        guard let subject = try? Subject(name: reader.text(atMost: Subject.maximumNameLength))
        else { throw changed }
        let point = try reader.field(exactly: P256PublicKey.uncompressedCount)
        guard let publicHalf = try? P256PublicKey(uncompressed: point) else { throw changed }
        let count = try reader.integer()
        guard (0...Int64(maximumKeyCount)).contains(count) else { throw changed }
        var keys: [RecoverableKey] = []
        for _ in 0..<count {
            let key = try key(&reader, of: subject, vaultID: vaultID)
            if let last = keys.last?.attributes.name.text.utf8 {
                guard last.lexicographicallyPrecedes(key.attributes.name.text.utf8) else {
                    throw changed
                }
            }
            keys.append(key)
        }
        guard reader.isAtEnd else { throw changed }
        return RecoverableKeys(
            vaultID: vaultID, subject: subject, publicHalf: publicHalf, keys: keys, leftOut: [])
    }

    private static func key(
        _ reader: inout FieldReader, of subject: Subject, vaultID: [UInt8]
    ) throws(VaultError) -> RecoverableKey {
        // As a row, so that what a key may be is decided in one place.
        let row = VaultTables.KeyRow(
            id: try reader.field(exactly: identifierCount),
            name: try reader.text(atMost: KeyName.maximumLength), kind: KeyKind.secret.rawValue,
            store: try reader.text(atMost: 16), access: try reader.text(atMost: 1024),
            strength: try reader.integer(), reuse: try reader.integer(),
            bootBound: try reader.integer(), simulated: try reader.integer(),
            created: try reader.integer(), generation: try reader.integer(), wrapped: [],
            recovery: [], withdrawn: 0, publicHalf: nil, code: [])
        guard
            let attributes = try? StoredKey.attributes(row, of: subject, vaultID: vaultID)
        else { throw changed }
        let branch = try reader.field(exactly: branchCount)
        let payload = try reader.field(
            atMost: AESGCM.maximumPlaintextCount + AESGCM.overheadCount)
        return RecoverableKey(attributes: attributes, branch: branch, payload: payload)
    }

    private static func digest(
        _ bytes: some Collection<UInt8>
    ) throws(VaultError) -> [UInt8] {
        do throws(CryptoError) {
            return try SHA256.digest(of: Array(bytes))
        } catch {
            throw VaultError(error, in: "the backup")
        }
    }

    static var cutShort: VaultError { .unreadableBackup("the backup was cut short") }
    static var changed: VaultError { .unreadableBackup("the backup holds what no backup holds") }
}
