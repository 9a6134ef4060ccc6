/// How a signing key is made.
///
/// Nothing is said of recovery, since a signing key has none: it never leaves its store, and whoever
/// trusts it is told of another one instead.
public struct SigningKeyOptions: Sendable {
    /// Who may sign with it.
    public var access: AccessControl
    /// The least strength of a finger; nil for what the reader in use reaches.
    public var minimumStrength: Strength?
    /// Seconds for which a match may be used again, 0 to 300.
    public var reuseSeconds: Int
    /// Whether the finger's way is bound to how the machine booted.
    public var isBootBound: Bool

    /// Makes options; the default is a finger of the current set or the credential.
    public init(
        access: AccessControl = .biometryCurrentSet.or(.deviceCredential),
        minimumStrength: Strength? = nil, reuseSeconds: Int = 0, isBootBound: Bool = false
    ) {
        self.access = access
        self.minimumStrength = minimumStrength
        self.reuseSeconds = reuseSeconds
        self.isBootBound = isBootBound
    }

    /// The same, as keys of every kind have it.
    package var keyOptions: KeyOptions {
        KeyOptions(
            access: access, minimumStrength: minimumStrength, reuseSeconds: reuseSeconds,
            isBootBound: isBootBound, hasRecovery: false)
    }
}

/// P-256 keys that sign after a finger or the credential, and never leave their store.
///
/// They share their names with secrets: of each name there is one key, of one kind.
public protocol SigningKeys: Sendable {
    /// Makes a key under a new name.
    ///
    /// Nobody is asked.
    ///
    /// - Throws: ``VaultError/keyExists`` for a name that is taken, ``VaultError/authentication(_:)``
    ///   with ``AuthenticationError/notEnrolled`` for a finger term where none is enrolled,
    ///   ``VaultError/unenforceable(_:)`` for what the store cannot enforce.
    @discardableResult
    func create(_ name: KeyName, options: SigningKeyOptions) async throws(VaultError) -> KeyInfo

    /// The signing keys of this subject, by name.
    ///
    /// Nobody is asked.
    func list() async throws(VaultError) -> [KeyInfo]

    /// What may be known of a key.
    ///
    /// Nobody is asked.
    ///
    /// - Throws: ``VaultError/noSuchKey``, and ``VaultError/wrongKind(_:)`` for a secret.
    func info(_ name: KeyName) async throws(VaultError) -> KeyInfo

    /// The public half of a key.
    ///
    /// Nobody is asked.
    ///
    /// - Throws: ``VaultError/noSuchKey``, and ``VaultError/wrongKind(_:)`` for a secret.
    func publicKey(_ name: KeyName) async throws(VaultError) -> SigningPublicKey

    /// Asks the person, and signs.
    ///
    /// - Parameters:
    ///   - input: What to sign.
    ///   - name: The key.
    ///   - request: How to ask.
    /// - Returns: The signature, another one each time.
    /// - Throws: ``VaultError/noSuchKey``, and ``VaultError/wrongKind(_:)`` for a secret;
    ///   ``VaultError/keyInvalidated`` where the finger's way is dead and no other is open;
    ///   ``VaultError/authentication(_:)`` where the answer is anything but yes;
    ///   ``VaultError/internalError(_:)`` for a digest that has not 32 bytes.
    func sign(
        _ input: SigningInput, with name: KeyName, request: AuthenticationRequest
    ) async throws(VaultError) -> SigningSignature

    /// Removes a key, which needs what signing needs; of one that nothing opens any more, the
    /// credential.
    ///
    /// - Throws: As ``sign(_:with:request:)``.
    func remove(_ name: KeyName, request: AuthenticationRequest) async throws(VaultError)
}
