public import WhorlBiometrics
import WhorlKeys
import WhorlSecrets

/// What a request is for, before it is known which ways are open.
struct RequestPlan: Sendable {
    /// One way in, with what closes it.
    struct Way: Sendable {
        let needsFinger: Bool
        let needsCredential: Bool
        /// Whether it is closed for good.
        var isDead = false
    }

    /// Whose finger or credential.
    let subject: Subject
    /// What the grant will be good for.
    let purpose: GrantPurpose
    /// What will be done, in words.
    let action: DisplayText
    /// The ways in; any one is enough.
    let ways: [Way]
    /// The least strength of a finger.
    let minimumStrength: Strength?
    /// Whether what is asked for was made with a simulated reader.
    let isSimulated: Bool
    /// The only finger that will do; nil for any that is enrolled.
    let onlyFinger: Finger?

    init(
        subject: Subject, purpose: GrantPurpose, action: String, ways: [Way],
        minimumStrength: Strength? = nil, isSimulated: Bool = false, onlyFinger: Finger? = nil
    ) {
        self.subject = subject
        self.purpose = purpose
        self.action = DisplayText(action)
        self.ways = ways
        self.minimumStrength = minimumStrength
        self.isSimulated = isSimulated
        self.onlyFinger = onlyFinger
    }

    /// What opening a key needs.
    init(opening key: KeyRecord, for subject: Subject, action: String) {
        self.init(
            subject: subject, purpose: .openKey(key.id), action: action,
            ways: key.info.access.ways.map {
                Way(
                    needsFinger: $0.needsFinger, needsCredential: $0.needsCredential,
                    isDead: key.deadWays.contains($0))
            },
            minimumStrength: key.info.minimumStrength, isSimulated: key.info.isSimulated)
    }

    /// What removing a key needs: what opening it needs, or, where nothing opens it any more, the
    /// credential.
    init(removing key: KeyRecord, for subject: Subject) {
        let action = "remove \(key.info.name)"
        if key.info.state.isClosed {
            self = .credential(of: subject, for: .openKey(key.id), action: action)
        } else {
            self.init(opening: key, for: subject, action: action)
        }
    }

    /// The credential, and nothing else.
    static func credential(
        of subject: Subject, for purpose: GrantPurpose, action: String
    ) -> RequestPlan {
        RequestPlan(
            subject: subject, purpose: purpose, action: action,
            ways: [Way(needsFinger: false, needsCredential: true)])
    }
}

/// What is allowed here, by options and configuration.
public struct AuthenticatorPolicy: Sendable {
    /// The strength that a simulated reader has in this process; nil where none is allowed.
    public var simulatedStrength: Strength?
    /// Which reader to use; nil for the one that holds the subject's prints.
    public var reader: ReaderSelector?
    /// How long a request waits for another process, in seconds.
    public var waitSeconds: Int

    /// Makes a policy; by default no simulated reader is allowed.
    public init(
        simulatedStrength: Strength? = nil, reader: ReaderSelector? = nil, waitSeconds: Int = 5
    ) {
        self.simulatedStrength = simulatedStrength
        self.reader = reader
        self.waitSeconds = waitSeconds
    }
}
