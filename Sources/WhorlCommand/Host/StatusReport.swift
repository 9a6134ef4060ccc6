public import WhorlBiometrics

/// Everything that `whorl status` shows.
public struct StatusReport: Sendable {
    /// Where keys and verdicts live.
    public var placement: Placement
    /// The store's folder.
    public var storeFolder: String
    /// The kind of key store; nil before setup.
    public var storeKind: StoreKind?
    /// The enrolment generation; nil before setup.
    public var generation: Int64?
    /// Whether a PIN or passphrase is set.
    public var hasCredential: Bool
    /// Whether an enrolment was cut off, so that the PIN is due before a finger counts again.
    public var isCredentialDue: Bool
    /// Whether the store was put back from a copy, and the PIN is due before a finger counts again.
    public var restoration: StoreRestoration?
    /// What the owner said to the use of fingers.
    public var consent: Consent
    /// Whether fingers are switched off.
    public var isDisabled: Bool
    /// How near a lockout is.
    public var lockout: LockoutReport
    /// The readers, best first, and those that failed.
    public var readers: ReaderListing
    /// The enrolled fingers.
    public var fingers: [EnrolledFinger]
    /// The keys, by name.
    public var keys: [KeyInfo]
    /// The settings that are in force, each with where it comes from.
    public var settings: [Setting]

    /// Whether a store is set up here.
    public var isSetUp: Bool { storeKind != nil }

    /// Whether consent was given once and revoked.
    public var isRevoked: Bool {
        if case .revoked = consent { true } else { false }
    }

    /// Makes a report; what is not given is as it is before setup.
    public init(
        placement: Placement, storeFolder: String, storeKind: StoreKind? = nil,
        generation: Int64? = nil, hasCredential: Bool = false,
        isCredentialDue: Bool = false, restoration: StoreRestoration? = nil,
        consent: Consent = .notAsked, isDisabled: Bool = false,
        lockout: LockoutReport = LockoutReport(failures: 0), readers: ReaderListing,
        fingers: [EnrolledFinger] = [], keys: [KeyInfo] = [], settings: [Setting] = []
    ) {
        self.placement = placement
        self.storeFolder = storeFolder
        self.storeKind = storeKind
        self.generation = generation
        self.hasCredential = hasCredential
        self.isCredentialDue = isCredentialDue
        self.restoration = restoration
        self.consent = consent
        self.isDisabled = isDisabled
        self.lockout = lockout
        self.readers = readers
        self.fingers = fingers
        self.keys = keys
        self.settings = settings
    }
}

/// How near a lockout is.
public struct LockoutReport: Sendable, Hashable {
    /// Failed attempts since the last success or credential.
    public let failures: Int
    /// Seconds until a finger may be tried again; 0 where it may be now, or never by waiting.
    public let remainingSeconds: Int
    /// Whether only the credential ends it.
    public let isPermanent: Bool

    /// Makes a status; by itself there is no lockout.
    public init(failures: Int, remainingSeconds: Int = 0, isPermanent: Bool = false) {
        self.failures = failures
        self.remainingSeconds = remainingSeconds
        self.isPermanent = isPermanent
    }
}

/// One setting that is in force.
public struct Setting: Sendable, Hashable {
    /// Its name, with its group: `lockout.failures`.
    public let name: String
    /// Its value as it is written in a file.
    public let value: String
    /// Where it comes from: `default`, an option, or a file and its line.
    public let source: String

    /// Makes a setting.
    public init(name: String, value: String, source: String) {
        self.name = name
        self.value = value
        self.source = source
    }
}
