internal import WhorlBiometrics

extension VaultError {
    /// The entry of the taxonomy that says the same; nil where none does.
    private var entry: TaxonomyEntry? {
        switch self {
        case .authentication(let error): error.entry
        case .internalError: Self.internalEntry
        default: nil
        }
    }

    private static let internalEntry = AuthenticationError.internalError(.whorl("")).entry

    /// The stable number of the error in the domain `whorl`: that of its entry in the taxonomy where
    /// it has one, else from 101 on.
    var number: Int {
        switch self {
        case .authentication(let error): error.entry.number
        case .internalError: Self.internalEntry.number
        case .noSuchKey: 101
        case .keyExists: 102
        case .keyInvalidated: 103
        case .tooLarge: 104
        case .emptySecret: 105
        case .invalidName: 106
        case .invalidReason: 107
        case .invalidAccessControl: 108
        case .unenforceable: 109
        case .unacceptableCredential: 110
        case .noSuchFinger: 111
        case .notSetUp: 112
        case .alreadySetUp: 113
        case .storeBusy: 114
        case .unsafePermissions: 115
        case .storage: 116
        case .damaged: 117
        case .foreignStore: 118
        case .newerStore: 119
        case .storeUnavailable: 120
        case .configuration: 121
        case .invalidRecoveryKey: 122
        case .otherMachine: 123
        case .otherAccount: 124
        case .wrongKind: 125
        case .noRecovery: 126
        case .consentStands: 127
        case .unreadableBackup: 128
        case .credentialWithdrawn: 129
        }
    }

    /// Android's code; nil where it has none for this.
    var android: Int? { entry?.android }

    /// The code of Apple's `LAError`; nil where it has none for this.
    var laError: Int? { entry?.laError }

    /// One of each case that has no entry in the taxonomy, by number, for the documents.
    static let samples: [VaultError] = [
        .noSuchKey, .keyExists, .keyInvalidated, .tooLarge(limit: 1 << 20), .emptySecret,
        .invalidName(.empty), .invalidReason(.empty), .invalidAccessControl(.empty),
        .unenforceable("this store cannot enforce that"),
        .unacceptableCredential("the PIN is too short"), .noSuchFinger(.leftThumb), .notSetUp,
        .alreadySetUp, .storeBusy, .unsafePermissions("the store's folder is open to others"),
        .storage("the disk is full"), .damaged("a page is torn"), .foreignStore, .newerStore,
        .storeUnavailable("the TPM does not answer"), .configuration("line 3 has no value"),
        .invalidRecoveryKey("group 3 of the recovery key is mistyped; look at it again"),
        .otherMachine, .otherAccount("former"), .wrongKind(.signing), .noRecovery,
        .credentialWithdrawn, .consentStands, .unreadableBackup("the backup was cut short"),
    ]
}
