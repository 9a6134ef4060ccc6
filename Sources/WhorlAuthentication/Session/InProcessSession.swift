public import WhorlBiometrics
import WhorlKeys

/// Whorl within the app's own process.
///
/// It holds against everything but programs of the same user, which could read the memory of this
/// process or answer its prompts; the service is what holds against those too.
public final class InProcessSession: WhorlSession {
    let authenticator: Authenticator
    let subject: Subject
    /// The name of the account that the subject is; empty where there is none.
    let account: String
    private let vaultView: InProcessVault
    private let fingersView: InProcessFingers

    /// What a session is made of; every part can be another one in a test.
    public struct Parts: Sendable {
        /// Where readers come from.
        public var source: any ReaderSource
        /// Who asks the person.
        public var prompter: any Prompter
        /// Whether the one who asks sits here.
        public var seat: any SeatObserver
        /// The clocks.
        public var timekeeper: any Timekeeper
        /// What is allowed.
        public var policy: AuthenticatorPolicy
        /// The program that asks.
        public var origin: RequestOrigin

        /// Collects the parts.
        public init(
            source: any ReaderSource, prompter: any Prompter, seat: any SeatObserver,
            timekeeper: any Timekeeper, policy: AuthenticatorPolicy, origin: RequestOrigin
        ) {
            self.source = source
            self.prompter = prompter
            self.seat = seat
            self.timekeeper = timekeeper
            self.policy = policy
            self.origin = origin
        }
    }

    /// Opens the store in a folder and makes the session of a subject on it.
    ///
    /// - Parameters:
    ///   - folder: The store's folder.
    ///   - create: Whether to make the folder and the store where they are missing.
    ///   - subject: Whose keys, fingers and counts they are.
    ///   - account: The name of the account that the subject is; empty where there is none.
    ///   - allowsOtherAccount: Whether the subject may have been an account of another name, which
    ///     is good for a reset only.
    ///   - parts: What the session is made of.
    /// - Returns: The session; it holds the vault's only mint.
    /// - Throws: ``VaultError/notSetUp`` where there is no store, ``VaultError/otherAccount(_:)``
    ///   where it was set up by an account of another name, and ``VaultError`` where it cannot be
    ///   opened.
    public static func open(
        inFolder folder: String, create: Bool, subject: Subject, account: String = "",
        allowsOtherAccount: Bool = false, parts: Parts
    ) async throws(VaultError) -> InProcessSession {
        let database = try await StoreDatabase.open(folder: folder, creating: create)
        let opened = try await Vault.open(database: database, timekeeper: parts.timekeeper)
        let ledger = try await DatabaseAttemptLedger.open(database)
        if !allowsOtherAccount {
            try await opened.vault.checkAccount(subject, is: account)
        }
        return InProcessSession(
            opened: opened, ledger: ledger, folder: folder, subject: subject, account: account,
            parts: parts)
    }

    init(
        opened: consuming OpenedVault, ledger: any AttemptLedger, folder: String,
        subject: Subject, account: String = "", parts: Parts
    ) {
        let vault = opened.vault
        let mint = opened.takeMint()
        let gatekeeper = Gatekeeper(
            vault: vault, ledger: ledger, source: parts.source, seat: parts.seat,
            policy: parts.policy, timekeeper: parts.timekeeper)
        authenticator = Authenticator(
            mint: mint, gatekeeper: gatekeeper, prompter: parts.prompter, origin: parts.origin,
            folder: folder)
        self.subject = subject
        self.account = account
        vaultView = InProcessVault(authenticator: authenticator, subject: subject)
        fingersView = InProcessFingers(authenticator: authenticator, subject: subject)
    }

    /// The vault of the subject.
    public var vault: any SecretVault { vaultView }
    /// The signing keys of the subject.
    public var signingKeys: any SigningKeys {
        InProcessSigningKeys(authenticator: authenticator, subject: subject)
    }
    /// The fingers of the subject.
    public var fingers: any Fingers { fingersView }

    /// What only the owner of the store does with it.
    public var ownership: any Ownership {
        InProcessOwnership(authenticator: authenticator, subject: subject)
    }

    /// Backups of the subject's keys.
    public var backups: any Backups {
        InProcessBackups(vault: authenticator.vault, subject: subject)
    }

    /// Whether a request for these authenticators could succeed now.
    public func canAuthenticate(_ authenticators: Authenticators) async -> Availability {
        guard let plan = plan(for: authenticators, action: "") else {
            return .unsupported(.strengthNotReached)
        }
        return await authenticator.gatekeeper.availability(of: plan)
    }

    /// Asks the person to prove who they are.
    public func authenticate(
        _ authenticators: Authenticators, request: AuthenticationRequest
    ) async throws(AuthenticationError) -> AuthenticationResult {
        guard let plan = plan(for: authenticators, action: "confirm that it is you") else {
            throw .strengthNotReached
        }
        do throws(VaultError) {
            return try await authenticator.withGrant(for: plan, request: request) {
                (_, result) throws(VaultError) in result
            }
        } catch {
            throw AuthenticationError(error)
        }
    }

    /// Takes the credential for itself: clears a lockout.
    public func unlock(request: AuthenticationRequest) async throws(AuthenticationError) {
        do throws(VaultError) {
            try await authenticator.unlock(subject, request: request)
        } catch {
            throw AuthenticationError(error)
        }
    }

    /// Ends every reuse window: in one process there is none, so there is nothing to end.
    public func lock() async {}

    /// Cancels the requests of this session, as its app.
    public func cancel() async {
        await authenticator.cancelAll(as: .appCancelled)
    }

    /// Waits until the reader is given back.
    ///
    /// A request that succeeded returns before. A program that ends does well to call this first: the
    /// kernel takes the reader from it in any case, but with no word to the sensor.
    public func close() async {
        await authenticator.settle()
    }

    /// What the session is doing, from now on.
    public func states() async -> AsyncStream<SessionState> {
        await authenticator.states()
    }

    /// What a match on this reader is worth with this store and what is allowed.
    public func rating(of description: ReaderDescription) -> StrengthRating {
        authenticator.gatekeeper.rating(of: description, prints: 1)
    }

    private func plan(for authenticators: Authenticators, action: String) -> RequestPlan? {
        guard authenticators.isWellFormed else { return nil }
        var ways: [RequestPlan.Way] = []
        let strength = authenticators.minimumStrength
        if strength != nil {
            ways.append(.init(needsFinger: true, needsCredential: false))
        }
        if authenticators.contains(.deviceCredential) {
            ways.append(.init(needsFinger: false, needsCredential: true))
        }
        return RequestPlan(
            subject: subject, purpose: .authenticate, action: action, ways: ways,
            minimumStrength: strength)
    }
}
