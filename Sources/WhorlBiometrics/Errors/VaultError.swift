/// What can keep a secret from being stored, listed or given out.
@nonexhaustive
public enum VaultError: Error, Sendable, Hashable {
    /// No one was authenticated, or could be.
    case authentication(AuthenticationError)
    /// There is no key of that name.
    case noSuchKey
    /// The key is of this kind, which cannot do what was asked.
    case wrongKind(KeyKind)
    /// The recovery key does not open this key.
    case noRecovery
    /// There is a key of that name already.
    case keyExists
    /// The finger's way into the key is dead for good: the enrolment changed after it was made.
    case keyInvalidated
    /// The credential's way into the key is dead for good: it was reset by a recovery key that does
    /// not open this key.
    case credentialWithdrawn
    /// The secret is longer than the limit.
    case tooLarge(limit: Int)
    /// The secret is empty.
    case emptySecret
    /// The name cannot stand.
    case invalidName(NameError)
    /// The reason cannot stand.
    case invalidReason(ReasonError)
    /// The access control cannot be read, or makes no sense.
    case invalidAccessControl(AccessControlError)
    /// What was asked cannot be enforced by this store, so it is refused.
    case unenforceable(String)
    /// The PIN or passphrase breaks a rule.
    case unacceptableCredential(String)
    /// What was given is no recovery key, and where it is not.
    case invalidRecoveryKey(String)
    /// What was given is no backup that can be read, for this reason.
    case unreadableBackup(String)
    /// There is no enrolled finger of that name.
    case noSuchFinger(Finger)
    /// No store is set up here.
    case notSetUp
    /// A store is set up here already.
    case alreadySetUp
    /// A no came where a yes stands, which only a revocation takes back.
    case consentStands
    /// Another process holds the store.
    case storeBusy
    /// The store's files or folder could be touched by others.
    case unsafePermissions(String)
    /// Input or output failed.
    case storage(String)
    /// The store is damaged, or was tampered with.
    case damaged(String)
    /// The store was made on another machine, or without its storage key.
    case otherMachine
    /// The store is of an account of another name that had the same number.
    case otherAccount(String)
    /// The file is not a store of Whorl's.
    case foreignStore
    /// The store was made by a newer version.
    case newerStore
    /// The store's service or TPM is not there.
    case storeUnavailable(String)
    /// The configuration is in error.
    case configuration(String)
    /// A mistake of ours.
    case internalError(String)

    /// The stable identifier used in JSON, logs and documents.
    public var identifier: String {
        switch self {
        case .authentication(let error): error.entry.identifier
        case .noSuchKey: "no-such-key"
        case .wrongKind: "wrong-kind"
        case .noRecovery: "no-recovery"
        case .keyExists: "key-exists"
        case .keyInvalidated: "key-invalidated"
        case .credentialWithdrawn: "credential-withdrawn"
        case .tooLarge: "too-large"
        case .emptySecret: "empty-secret"
        case .invalidName: "invalid-name"
        case .invalidReason: "invalid-reason"
        case .invalidAccessControl: "invalid-access-control"
        case .unenforceable: "unenforceable"
        case .unacceptableCredential: "unacceptable-credential"
        case .invalidRecoveryKey: "invalid-recovery-key"
        case .unreadableBackup: "unreadable-backup"
        case .noSuchFinger: "no-such-finger"
        case .notSetUp: "not-set-up"
        case .alreadySetUp: "already-set-up"
        case .consentStands: "consent-stands"
        case .storeBusy: "store-busy"
        case .unsafePermissions: "unsafe-permissions"
        case .storage: "storage"
        case .damaged: "damaged"
        case .otherMachine: "other-machine"
        case .otherAccount: "other-account"
        case .foreignStore: "foreign-store"
        case .newerStore: "newer-store"
        case .storeUnavailable: "store-unavailable"
        case .configuration: "configuration"
        case .internalError: "internal-error"
        }
    }

    /// The exit status of the command.
    public var exitStatus: Int {
        switch self {
        case .authentication(let error): error.entry.exitStatus
        case .noSuchKey, .noSuchFinger: 66
        case .keyExists: 73
        case .keyInvalidated, .credentialWithdrawn, .noRecovery: 4
        case .wrongKind, .tooLarge, .emptySecret, .invalidName, .invalidReason,
            .invalidAccessControl, .unacceptableCredential, .invalidRecoveryKey,
            .unreadableBackup, .alreadySetUp, .consentStands, .damaged, .otherMachine,
            .foreignStore, .newerStore:
            65
        case .unenforceable, .unsafePermissions, .otherAccount: 77
        case .notSetUp: 3
        case .storeBusy: 75
        case .storage: 74
        case .storeUnavailable: 69
        case .configuration: 78
        case .internalError: 70
        }
    }

    /// What happened and what to do, for a person.
    public var sentence: String {
        switch self {
        case .authentication(let error): error.sentence
        case .noSuchKey: "there is no key of that name; see 'whorl vault list'"
        case .wrongKind(.signing):
            "this key signs and is no secret; use 'whorl key sign' or 'whorl key remove'"
        case .wrongKind(.secret):
            "this key is a secret and does not sign; use 'whorl vault get' or 'whorl vault remove'"
        case .noRecovery:
            "the recovery key does not open this key (it was made without, signs, or lost that way); "
                + "use a finger or the PIN"
        case .keyExists:
            "there is a key of that name already; choose another, or --replace it if it is a secret"
        case .keyInvalidated:
            "the finger's way into this key is dead, because the enrolled fingers changed; "
                + "use the PIN or the recovery key, then put it again"
        case .credentialWithdrawn:
            "the PIN's way into this key is dead, because the PIN was reset; "
                + "use a finger, and put it again"
        case .tooLarge(let limit):
            "the secret is longer than \(limit) bytes; store a key to it instead"
        case .emptySecret: "the secret is empty; give it on standard input"
        case .invalidName(let error): "\(error.message); choose another name"
        case .invalidReason(let error): "\(error.message); say in a few words what it is for"
        case .invalidAccessControl(let error):
            "\(error.message); write for example "
                + "'biometryCurrentSet or deviceCredential'"
        case .unenforceable(let what): "\(what); nothing was stored"
        case .unacceptableCredential(let rule): "\(rule); choose another PIN"
        case .invalidRecoveryKey(let what): what
        case .unreadableBackup(let what): "\(what); use another copy of it"
        case .noSuchFinger(let finger):
            "\(finger.rawValue) is not enrolled; see 'whorl finger list'"
        case .notSetUp: "Whorl is not set up here; run 'whorl setup'"
        case .alreadySetUp: "Whorl is set up here already; see 'whorl status'"
        case .consentStands:
            "you agreed to the use of fingers; 'whorl consent revoke' takes that back"
        case .storeBusy: "another program is using the store; try again when it is done"
        case .unsafePermissions(let what): "\(what); mend that, then try again"
        case .storage(let what): "\(what); nothing was changed"
        case .damaged(let what):
            "the store is damaged (\(what)); restore a backup, or use the "
                + "recovery key"
        case .otherMachine:
            "the store was made on another machine, so no finger or PIN opens it here; "
                + "use 'whorl vault recover' with the recovery key"
        case .otherAccount(let name):
            "the store is of the account \(DisplayText(name).shown), which had this account's "
                + "number; 'whorl reset' deletes it"
        case .foreignStore: "that database is not one of Whorl's; name another folder"
        case .newerStore: "the store was made by a newer Whorl; use that version"
        case .storeUnavailable(let what): "\(what); nothing was opened"
        case .configuration(let what): "\(what); mend the configuration"
        case .internalError(let what):
            "something went wrong inside Whorl (\(what)); please report this"
        }
    }
}
