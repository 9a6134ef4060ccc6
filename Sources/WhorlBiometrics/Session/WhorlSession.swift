public import WhorlSecrets

/// What an app sees of Whorl, whether it runs in the app's process or behind the bus.
///
/// Nothing in it may be impossible over D-Bus: plain values go in and out, and secrets as
/// `SecretBytes`. Every call returns exactly once.
public protocol WhorlSession: Sendable {
    /// The vault of secrets.
    var vault: any SecretVault { get }
    /// The keys that sign.
    var signingKeys: any SigningKeys { get }
    /// The enrolled fingers.
    var fingers: any Fingers { get }

    /// Whether a request for these authenticators could succeed now.
    ///
    /// Nothing is armed.
    func canAuthenticate(_ authenticators: Authenticators) async -> Availability

    /// Asks the person to prove who they are.
    ///
    /// Opens no key.
    ///
    /// - Throws: ``AuthenticationError`` where the answer is anything but yes.
    func authenticate(
        _ authenticators: Authenticators, request: AuthenticationRequest
    ) async throws(AuthenticationError) -> AuthenticationResult

    /// Gives the credential for itself: clears a lockout.
    ///
    /// - Throws: ``AuthenticationError`` where it is wrong, throttled or not set.
    func unlock(request: AuthenticationRequest) async throws(AuthenticationError)

    /// Ends every reuse window of the subject.
    func lock() async

    /// Cancels the requests of this session, as its app.
    func cancel() async

    /// What the session is doing, from the time of the call on.
    func states() async -> AsyncStream<SessionState>
}

/// What a session is doing.
@nonexhaustive
public enum SessionState: Sendable, Hashable {
    /// Nothing.
    case idle
    /// A request waits; `position` 1 is next.
    case queued(position: Int)
    /// A prompt is shown.
    case prompting
    /// The sensor is armed.
    case armed
}

/// Secrets behind a finger or the credential.
public protocol SecretVault: Sendable {
    /// Stores a secret under a new name.
    ///
    /// Nobody is asked.
    ///
    /// - Throws: ``VaultError/keyExists`` for a name that is taken, ``VaultError/tooLarge(limit:)``
    ///   above 1 MiB, ``VaultError/authentication(_:)`` with
    ///   ``AuthenticationError/notEnrolled`` for a finger term where none is enrolled.
    @discardableResult
    func put(
        _ secret: consuming SecretBytes, as name: KeyName, options: KeyOptions
    ) async throws(VaultError) -> KeyInfo

    /// Replaces a secret, which needs what opening the old one needs.
    ///
    /// - Throws: ``VaultError/wrongKind(_:)`` for a key that signs, and as ``get(_:request:)``.
    @discardableResult
    func replace(
        _ secret: consuming SecretBytes, as name: KeyName, options: KeyOptions,
        request: AuthenticationRequest
    ) async throws(VaultError) -> KeyInfo

    /// Asks the person, and gives out the secret.
    ///
    /// - Throws: ``VaultError/noSuchKey``, and ``VaultError/wrongKind(_:)`` for a key that signs;
    ///   ``VaultError/keyInvalidated`` where the finger's way is dead and no other is open;
    ///   ``VaultError/authentication(_:)`` where the answer is anything but yes.
    func get(
        _ name: KeyName, request: AuthenticationRequest
    ) async throws(VaultError) -> SecretBytes

    /// The keys of this subject, by name; those that sign too.
    ///
    /// Nobody is asked.
    func list() async throws(VaultError) -> [KeyInfo]

    /// What may be known of a key of either kind.
    ///
    /// Nobody is asked.
    func info(_ name: KeyName) async throws(VaultError) -> KeyInfo

    /// Makes keys open again for the fingers that are enrolled now and the credential of now; needs
    /// the credential or the recovery key.
    ///
    /// - Parameters:
    ///   - names: The keys; nil for all that what is given opens.
    ///   - request: How to ask for the credential, or the recovery key.
    /// - Returns: The keys that open again, and those that what was given does not open.
    /// - Throws: ``VaultError/noSuchKey`` for a name that is not there; ``VaultError/authentication(_:)``
    ///   where the answer is anything but yes.
    func rebind(
        _ names: [KeyName]?, request: AuthenticationRequest
    ) async throws(VaultError) -> KeyRenewal

    /// Removes a secret, which needs what opening it needs; of one that nothing opens any more, the
    /// credential.
    ///
    /// - Throws: As ``get(_:request:)``.
    func remove(_ name: KeyName, request: AuthenticationRequest) async throws(VaultError)
}

/// A finger that is enrolled.
public struct EnrolledFinger: Sendable, Hashable {
    /// Which finger.
    public let finger: Finger
    /// The reader that it was enrolled on.
    public let reader: ReaderIdentity
    /// When, in seconds since 1970.
    public let enrolled: Int64
    /// Whether that reader was simulated.
    public let isSimulated: Bool

    /// Makes an enrolled finger.
    public init(finger: Finger, reader: ReaderIdentity, enrolled: Int64, isSimulated: Bool) {
        self.finger = finger
        self.reader = reader
        self.enrolled = enrolled
        self.isSimulated = isSimulated
    }
}

/// What becomes of keys bound to the current enrolment when a finger is added or replaced.
public enum KeyCarry: String, Sendable, Hashable {
    /// They are sealed for the next generation first, under the credential just given.
    case carry
    /// Their finger's way dies.
    case drop
}

/// What an enrolment did.
public struct EnrollmentResult: Sendable, Hashable {
    /// The finger that is enrolled now.
    public let finger: EnrolledFinger
    /// The enrolment generation from now on.
    public let generation: Int64
    /// The keys whose finger's way died with the change.
    public let deadKeys: [KeyName]

    /// Makes a result.
    public init(finger: EnrolledFinger, generation: Int64, deadKeys: [KeyName]) {
        self.finger = finger
        self.generation = generation
        self.deadKeys = deadKeys
    }
}

/// What the removal of a finger did.
public struct RemovalResult: Sendable, Hashable {
    /// The keys whose finger's way died with the change: only with the last finger.
    public let deadKeys: [KeyName]
    /// Why the print could not be deleted from the reader's chip; nil where it was, or is not there.
    ///
    /// It opens nothing any more either way.
    public let leftOnReader: AuthenticationError?

    /// Makes a result.
    public init(deadKeys: [KeyName], leftOnReader: AuthenticationError?) {
        self.deadKeys = deadKeys
        self.leftOnReader = leftOnReader
    }
}

/// The fingers of a subject.
public protocol Fingers: Sendable {
    /// The fingers that are enrolled.
    ///
    /// Nobody is asked.
    func list() async throws(VaultError) -> [EnrolledFinger]

    /// Enrols a finger; needs the credential, and then the reader's stages and, where `confirm` is
    /// set, one more touch that matches.
    ///
    /// A finger that is enrolled already keeps its old print until the new one is confirmed.
    func enroll(
        _ finger: Finger, confirm: Bool, keys: KeyCarry, request: AuthenticationRequest
    ) async throws(VaultError) -> EnrollmentResult

    /// Checks one finger, or any where `finger` is nil.
    ///
    /// Opens nothing; counts, and is refused in lockout.
    func verify(
        _ finger: Finger?, request: AuthenticationRequest
    ) async throws(VaultError) -> AuthenticationResult

    /// Removes a finger; needs the credential.
    func remove(
        _ finger: Finger, request: AuthenticationRequest
    ) async throws(VaultError) -> RemovalResult
}
