public import WhorlSecrets

/// Backups of the keys that the recovery key opens.
///
/// A backup holds no print, no credential and no key of this machine: nothing but the recovery key
/// opens anything in it. Nothing in it may be impossible over D-Bus.
public protocol Backups: Sendable {
    /// Copies every secret that the recovery key opens, sealed as it is, at one instant.
    ///
    /// Nobody is asked, since nobody without the recovery key can open what comes out.
    ///
    /// - Returns: The bytes of the backup, and what is in it.
    /// - Throws: ``VaultError/tooLarge(limit:)`` for more than a backup may hold,
    ///   ``VaultError/damaged(_:)`` where a key is not as it was stored.
    func backUp() async throws(VaultError) -> StoreBackup

    /// Opens a backup with its recovery key, and stores its keys as this store's own.
    ///
    /// All of them are there when it returns, or none if it throws. A name that is taken keeps the
    /// key that it has, so that restoring twice is harmless.
    ///
    /// - Parameters:
    ///   - contents: The bytes of the backup.
    ///   - recoveryKey: The recovery key of the store that the backup was made of, in its written form.
    /// - Returns: What became of each key.
    /// - Throws: ``VaultError/unreadableBackup(_:)`` for bytes that are no backup, or a damaged one,
    ///   ``VaultError/newerStore`` for one of a newer version;
    ///   ``VaultError/invalidRecoveryKey(_:)`` for a mistyped key;
    ///   ``VaultError/authentication(_:)`` with `wrongRecoveryKey` for another one.
    func restore(
        _ contents: [UInt8], recoveryKey: HeldSecret
    ) async throws(VaultError) -> KeyRestoration
}

/// A backup that was made.
public struct StoreBackup: Sendable {
    /// The most bytes of a backup: 512 MiB.
    public static let maximumCount = 1 << 29

    /// The bytes of the file.
    public let contents: [UInt8]
    /// The keys in it, by name.
    public let keys: [KeyName]
    /// The keys that are not.
    public let leftOut: [UnrecoverableKey]

    /// Makes a result.
    public init(contents: [UInt8], keys: [KeyName], leftOut: [UnrecoverableKey]) {
        self.contents = contents
        self.keys = keys
        self.leftOut = leftOut
    }
}

/// A key that the recovery key does not open.
public struct UnrecoverableKey: Sendable, Hashable {
    /// Why it does not.
    @nonexhaustive
    public enum Reason: String, Sendable, Hashable {
        /// It was made without recovery, or the recovery key was renewed without it.
        case withoutRecovery = "without-recovery"
        /// It signs: such a key never leaves its store, and is registered anew.
        case signing
        /// Its row is not what was stored.
        case damaged
    }

    /// The name as it is stored.
    public let name: String
    /// Why it does not.
    public let reason: Reason

    /// Makes one.
    public init(name: String, reason: Reason) {
        self.name = name
        self.reason = reason
    }
}

/// What became of the keys of a backup.
public struct KeyRestoration: Sendable, Hashable {
    /// A key that was not restored.
    public struct Failure: Sendable, Hashable {
        /// Its name.
        public let name: KeyName
        /// Why it was not.
        public let error: VaultError

        /// Makes one.
        public init(name: KeyName, error: VaultError) {
            self.name = name
            self.error = error
        }
    }

    /// The keys that are there now, as they are.
    public let restored: [KeyInfo]
    /// Names that were taken; the keys there stayed as they were.
    public let kept: [KeyName]
    /// The keys that this store cannot hold as they were, or that did not open.
    public let failed: [Failure]

    /// Makes a result.
    public init(restored: [KeyInfo], kept: [KeyName], failed: [Failure]) {
        self.restored = restored
        self.kept = kept
        self.failed = failed
    }
}
