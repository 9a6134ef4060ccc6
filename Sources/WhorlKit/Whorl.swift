import Glibc
public import WhorlAuthentication
import WhorlLibfprint

/// Where sessions come from: the composition root within a program's own process.
public enum Whorl {
    /// What a session may be told to do otherwise than by default.
    public struct Options: Sendable {
        /// The folder of the store; nil for the user's own.
        public var storeFolder: String?
        /// Which reader to use; nil for the one that holds the subject's prints.
        public var reader: ReaderSelector?
        /// The strength that a simulated reader has in this process; nil where none is allowed.
        public var simulatedStrength: Strength?

        /// Makes options.
        public init(
            storeFolder: String? = nil, reader: ReaderSelector? = nil,
            simulatedStrength: Strength? = nil
        ) {
            self.storeFolder = storeFolder
            self.reader = reader
            self.simulatedStrength = simulatedStrength
        }
    }

    /// The readers that libfprint finds in this process.
    ///
    /// One value a process: libfprint has one thread, which starts when readers are first asked for.
    public static let libfprint: any ReaderSource = LibfprintSource()

    /// Keeps what the libraries below log from standard error, for a program that draws there.
    ///
    /// To be called first thing; `G_MESSAGES_DEBUG` brings the log back.
    public static func hushLibraries() { LibfprintSource.hushLibraries() }

    /// Opens a session for the user of this process.
    ///
    /// - Parameters:
    ///   - app: The name under which the program asks; shown in every prompt.
    ///   - prompter: What asks the person.
    ///   - options: What is to be otherwise than by default.
    /// - Returns: A session on the user's own store, in this process.
    /// - Throws: `VaultError.notSetUp` where nobody ran `whorl setup`, and `VaultError` where
    ///   the store cannot be opened.
    public static func session(
        for app: String, prompter: any Prompter, options: Options = Options()
    ) async throws(VaultError) -> any WhorlSession {
        let session = try await inProcess(for: app, prompter: prompter, options: options)
        guard try await session.report().isSetUp else { throw .notSetUp }
        return session
    }

    /// Opens a session that also sets up and reports, for programs that administer.
    ///
    /// - Parameters:
    ///   - app: The name under which the program asks; shown in every prompt.
    ///   - prompter: What asks the person.
    ///   - options: What is to be otherwise than by default.
    ///   - create: Whether to make the store where there is none.
    ///   - allowsOtherAccount: Whether the store may be one of an account of another name that had
    ///     this one's number, which is good for a reset only.
    ///   - source: Where readers come from; nil for ``libfprint``.
    /// - Returns: A session on the user's own store, in this process.
    /// - Throws: `VaultError.otherAccount` where the store was set up by an account of another name,
    ///   and `VaultError` where it cannot be opened.
    public static func inProcess(
        for app: String, prompter: any Prompter, options: Options, create: Bool = false,
        allowsOtherAccount: Bool = false, source: (any ReaderSource)? = nil
    ) async throws(VaultError) -> InProcessSession {
        let folder: String
        if let named = options.storeFolder {
            folder = named
        } else {
            folder = try StoreFolder.ofThisUser()
            if create { try StoreFolder.makeParents(of: folder) }
        }
        return try await InProcessSession.open(
            inFolder: folder, create: create, subject: Subject(uid: getuid()),
            account: Account.ofThisUser()?.name ?? "", allowsOtherAccount: allowsOtherAccount,
            parts: InProcessSession.Parts(
                source: source ?? libfprint, prompter: prompter, seat: EnvironmentSeat(),
                timekeeper: SystemTimekeeper(),
                policy: AuthenticatorPolicy(
                    simulatedStrength: options.simulatedStrength, reader: options.reader),
                origin: RequestOrigin(program: app, processID: getpid())))
    }
}
