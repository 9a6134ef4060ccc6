/// What kind of key it is.
public enum KeyKind: String, Sendable, Hashable {
    /// A secret of up to 1 MiB under AES-256-GCM.
    case secret
    /// A P-256 key that signs and never leaves its store.
    case signing
}

/// Where keys are wrapped.
public enum StoreKind: String, Sendable, Hashable {
    /// A TPM 2.0.
    case tpm
    /// Files of this machine.
    case software
}

/// Whether the ways into a key are open.
@nonexhaustive
public enum KeyState: String, Sendable, Hashable {
    /// Every way that the key has is open.
    case open
    /// The finger's way is dead for good; another is open.
    case fingerDead = "finger-dead"
    /// The credential's way is dead for good; a finger's is open.
    case credentialDead = "credential-dead"
    /// No way is left but the recovery key.
    case recoveryOnly = "recovery-only"
    /// Nothing opens it any more.
    case dead

    /// Whether neither a finger nor the credential opens it.
    package var isClosed: Bool { self == .recoveryOnly || self == .dead }
}

/// What may be known of a key without opening it.
public struct KeyInfo: Sendable, Hashable {
    /// The name.
    public let name: KeyName
    /// The kind.
    public let kind: KeyKind
    /// Where it is wrapped.
    public let store: StoreKind
    /// Who may open it.
    public let access: AccessControl
    /// The least strength of a finger; nil where no finger opens it.
    public let minimumStrength: Strength?
    /// Seconds for which a match may be used again by the same program; 0 for never.
    public let reuseSeconds: Int
    /// Whether the finger's way is bound to how the machine booted.
    public let isBootBound: Bool
    /// Whether the recovery key opens it.
    public let hasRecovery: Bool
    /// When it was made, in seconds since 1970.
    public let created: Int64
    /// The enrolment generation it was made in.
    public let generation: Int64
    /// Whether its ways in are open.
    public let state: KeyState
    /// Whether it was made with a simulated reader: it opens with one only where that is allowed.
    public let isSimulated: Bool

    /// Whether the credential alone opens it, as long as its way is not dead.
    public var isOpenedByCredential: Bool {
        access.ways.contains { $0.needsCredential && !$0.needsFinger }
    }

    /// Makes a description of a key.
    public init(
        name: KeyName, kind: KeyKind, store: StoreKind, access: AccessControl,
        minimumStrength: Strength?, reuseSeconds: Int, isBootBound: Bool, hasRecovery: Bool,
        created: Int64, generation: Int64, state: KeyState, isSimulated: Bool
    ) {
        self.name = name
        self.kind = kind
        self.store = store
        self.access = access
        self.minimumStrength = minimumStrength
        self.reuseSeconds = reuseSeconds
        self.isBootBound = isBootBound
        self.hasRecovery = hasRecovery
        self.created = created
        self.generation = generation
        self.state = state
        self.isSimulated = isSimulated
    }
}

/// How a key is made.
public struct KeyOptions: Sendable {
    /// Who may open it.
    public var access: AccessControl
    /// The least strength of a finger; nil for what the reader in use reaches.
    public var minimumStrength: Strength?
    /// Seconds for which a match may be used again, 0 to 300.
    public var reuseSeconds: Int
    /// Whether the finger's way is bound to how the machine booted.
    public var isBootBound: Bool
    /// Whether the recovery key opens it too.
    public var hasRecovery: Bool

    /// Makes options; the default is a finger of the current set or the credential, with recovery.
    public init(
        access: AccessControl = .biometryCurrentSet.or(.deviceCredential),
        minimumStrength: Strength? = nil, reuseSeconds: Int = 0, isBootBound: Bool = false,
        hasRecovery: Bool = true
    ) {
        self.access = access
        self.minimumStrength = minimumStrength
        self.reuseSeconds = reuseSeconds
        self.isBootBound = isBootBound
        self.hasRecovery = hasRecovery
    }
}
