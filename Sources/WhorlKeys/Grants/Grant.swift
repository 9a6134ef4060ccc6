public import WhorlBiometrics

// Grant, its mint and what yields the mint share this file, since only within one file can
// initialisers be kept from all other code of this module too.

/// The right to do one thing once: what a vault wants to see before it opens anything.
///
/// It cannot be copied, made from parts or kept: it is consumed by its use, and the vault refuses
/// one that is older than ``lifetimeSeconds``. That keeps this program's own code honest; it is no
/// wall against other code in the same process.
public struct Grant: ~Copyable, Sendable {
    /// How long a grant is good for, in seconds.
    public static let lifetimeSeconds: Int64 = 10

    /// The vault that it is for.
    public let vaultID: [UInt8]
    /// The request that it came from.
    public let request: RequestID
    /// What it is good for.
    public let purpose: GrantPurpose
    /// Whose factors were given.
    public let subject: Subject
    /// What was given.
    public let factors: Set<AuthenticationFactor>
    /// What the finger's match is worth; nil where no finger was given.
    public let strength: Strength?
    /// Whether the finger was given on a simulated reader.
    public let isSimulated: Bool
    /// Whether simulated readers were allowed for this process.
    public let allowsSimulated: Bool
    /// The enrolment generation that the finger was compared with.
    public let generation: Int64
    /// When it was minted.
    public let minted: BootInstant

    package let credential: CredentialProof?
    let recovery: RecoveryProof?

    fileprivate init(
        vaultID: [UInt8], request: RequestID, purpose: GrantPurpose, subject: Subject,
        factors: Set<AuthenticationFactor>, strength: Strength?, isSimulated: Bool,
        allowsSimulated: Bool, generation: Int64, minted: BootInstant,
        credential: consuming CredentialProof?, recovery: consuming RecoveryProof?
    ) {
        self.vaultID = vaultID
        self.request = request
        self.purpose = purpose
        self.subject = subject
        self.factors = factors
        self.strength = strength
        self.isSimulated = isSimulated
        self.allowsSimulated = allowsSimulated
        self.generation = generation
        self.minted = minted
        self.credential = credential
        self.recovery = recovery
    }
}

/// What makes the grants of one vault.
///
/// Opening a vault yields it once. Whoever holds it decides who is let in, so the composition root
/// moves it into the authenticator at once.
public struct GrantMint: ~Copyable, Sendable {
    private let vaultID: [UInt8]

    fileprivate init(vaultID: [UInt8]) {
        self.vaultID = vaultID
    }

    /// Mints a grant.
    ///
    /// - Parameters:
    ///   - purpose: What it is good for.
    ///   - subject: Whose factors were given.
    ///   - request: The request that it came from.
    ///   - factors: What was given.
    ///   - credential: The proof of the credential, where one was checked.
    ///   - strength: What the finger's match is worth; nil where no finger was given.
    ///   - isSimulated: Whether the finger was given on a simulated reader.
    ///   - allowsSimulated: Whether simulated readers were allowed for this process.
    ///   - generation: The enrolment generation that the finger was compared with.
    ///   - minted: Now.
    /// - Returns: A grant that this mint's vault accepts, for ``Grant/lifetimeSeconds``.
    public func mint(
        purpose: GrantPurpose, subject: Subject, request: RequestID,
        factors: Set<AuthenticationFactor>, credential: consuming CredentialProof?,
        strength: Strength?, isSimulated: Bool, allowsSimulated: Bool, generation: Int64,
        at minted: BootInstant
    ) -> Grant {
        Grant(
            vaultID: vaultID, request: request, purpose: purpose, subject: subject,
            factors: factors, strength: strength, isSimulated: isSimulated,
            allowsSimulated: allowsSimulated, generation: generation, minted: minted,
            credential: credential, recovery: nil)
    }

    /// Mints a grant for the recovery key.
    ///
    /// - Parameters:
    ///   - purpose: What it is good for.
    ///   - recovery: The proof of the recovery key; its subject is the grant's.
    ///   - request: The request that it came from.
    ///   - allowsSimulated: Whether simulated readers were allowed for this process.
    ///   - minted: Now.
    /// - Returns: A grant that this mint's vault accepts, for ``Grant/lifetimeSeconds``.
    public func mint(
        purpose: GrantPurpose, recovery: consuming RecoveryProof, request: RequestID,
        allowsSimulated: Bool, at minted: BootInstant
    ) -> Grant {
        Grant(
            vaultID: vaultID, request: request, purpose: purpose, subject: recovery.subject,
            factors: [.recoveryKey], strength: nil, isSimulated: false,
            allowsSimulated: allowsSimulated, generation: 0, minted: minted, credential: nil,
            recovery: recovery)
    }
}

/// A vault that was just opened, with the only mint of its grants.
public struct OpenedVault: ~Copyable, Sendable {
    /// The vault.
    public let vault: Vault

    private let mint: GrantMint

    init(_ vault: Vault) {
        self.vault = vault
        mint = GrantMint(vaultID: vault.id)
    }

    /// Gives up this value for the vault's mint.
    ///
    /// - Returns: The one mint of this opening.
    public consuming func takeMint() -> GrantMint { mint }
}
