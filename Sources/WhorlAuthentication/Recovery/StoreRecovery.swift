public import WhorlBiometrics
import WhorlKeys
public import WhorlSecrets

/// What a recovery key opens in a file: no store, reader, PIN or TPM takes part.
///
/// The file is a store's database, a copy of one from anywhere, or a backup. It was read when this was
/// made, and stays as it was.
public struct StoreRecovery: Sendable {
    /// A key that the recovery key opens.
    public struct Key: Sendable, Hashable {
        /// Its name.
        public let name: KeyName
        /// Whether it was made with a simulated reader.
        public let isSimulated: Bool
    }

    /// What a recovery key was found to open.
    public struct Findings: Sendable, Hashable {
        /// The keys that it opens, by name.
        public let keys: [Key]
        /// The keys that it does not.
        public let leftOut: [UnrecoverableKey]
    }

    /// The subjects in the file, by name.
    public var subjects: [Subject] { all.map(\.subject) }

    private let all: [RecoverableKeys]

    /// Reads a file.
    ///
    /// - Parameter file: The path of the file, which may have any mode.
    /// - Returns: What can be recovered from it.
    /// - Throws: ``VaultError/notSetUp`` for a database that nobody was set up in;
    ///   ``VaultError/unreadableBackup(_:)``, ``VaultError/foreignStore``, ``VaultError/newerStore``,
    ///   ``VaultError/damaged(_:)``, ``VaultError/storeBusy``, ``VaultError/storage(_:)``.
    public static func read(_ file: String) async throws(VaultError) -> StoreRecovery {
        StoreRecovery(all: try await RecoveryFile.read(file))
    }

    /// Reads the database of a store.
    ///
    /// - Parameter folder: The path of the store's folder, of which nothing else is needed.
    /// - Returns: What can be recovered from it.
    /// - Throws: As ``read(_:)``, and ``VaultError/notSetUp`` where there is no database.
    public static func read(ofStore folder: String) async throws(VaultError) -> StoreRecovery {
        StoreRecovery(all: try await RecoveryFile.read(ofStore: folder))
    }

    /// Finds what the recovery key opens.
    ///
    /// - Parameters:
    ///   - recoveryKey: The recovery key in its written form.
    ///   - subject: Whose keys, of ``subjects``.
    /// - Returns: The keys, each of which was tried.
    /// - Throws: ``VaultError/notSetUp`` for a subject who is not there;
    ///   ``VaultError/invalidRecoveryKey(_:)`` for a mistyped recovery key;
    ///   ``VaultError/authentication(_:)`` with `wrongRecoveryKey` for another one;
    ///   ``VaultError/storage(_:)``.
    public func check(
        _ recoveryKey: HeldSecret, of subject: Subject
    ) throws(VaultError) -> Findings {
        let findings = try keys(of: subject).check(recoveryKey)
        return Findings(
            keys: findings.opened.map {
                Key(name: $0.attributes.name, isSimulated: $0.attributes.isSimulated)
            }, leftOut: findings.leftOut)
    }

    /// A key, before any recovery key is asked for.
    ///
    /// - Parameters:
    ///   - name: Its name.
    ///   - subject: Whose, of ``subjects``.
    /// - Returns: What may be known of it.
    /// - Throws: ``VaultError/notSetUp`` for a subject who is not there; ``VaultError/noSuchKey``;
    ///   ``VaultError/noRecovery`` for one that was made without recovery or signs,
    ///   ``VaultError/damaged(_:)`` for one that is not as it was stored.
    public func key(_ name: KeyName, of subject: Subject) throws(VaultError) -> Key {
        let attributes = try keys(of: subject).key(name).attributes
        return Key(name: name, isSimulated: attributes.isSimulated)
    }

    /// Opens a key.
    ///
    /// - Parameters:
    ///   - name: Its name.
    ///   - subject: Whose, of ``subjects``.
    ///   - recoveryKey: The recovery key in its written form.
    ///   - allowsSimulated: Whether a key that was made with a simulated reader may be opened.
    /// - Returns: The secret.
    /// - Throws: As ``key(_:of:)``; ``VaultError/invalidRecoveryKey(_:)`` for a mistyped recovery key;
    ///   ``VaultError/authentication(_:)`` with `wrongRecoveryKey` for another one,
    ///   `simulatedNotAllowed`; ``VaultError/storage(_:)``.
    public func open(
        _ name: KeyName, of subject: Subject, with recoveryKey: HeldSecret, allowsSimulated: Bool
    ) throws(VaultError) -> SecretBytes {
        let keys = try keys(of: subject)
        if try keys.key(name).attributes.isSimulated, !allowsSimulated {
            throw .authentication(.simulatedNotAllowed)
        }
        return try keys.open(name, with: recoveryKey)
    }

    private func keys(of subject: Subject) throws(VaultError) -> RecoverableKeys {
        guard let keys = all.first(where: { $0.subject == subject }) else { throw .notSetUp }
        return keys
    }
}
