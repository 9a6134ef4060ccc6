public import WhorlBiometrics
public import WhorlKit

/// What the command needs from the machine: readers, a store, a session.
///
/// The command parses, asks and prints; everything else it does through this. Every error is a
/// ``VaultError``, so that its exit status and its sentence are those of the taxonomy.
public protocol CommandHost: Sendable {
    /// The readers that are there now, with those that failed named.
    ///
    /// Needs no store. An empty listing is an answer.
    ///
    /// - Throws: ``VaultError/authentication(_:)`` where it cannot be found out.
    func readers(_ options: HostOptions) async throws(VaultError) -> ReaderListing

    /// The one reader that the options choose, not yet opened.
    ///
    /// Needs no store, opens nothing, and asks for no permission to use a simulated reader.
    ///
    /// - Throws: ``VaultError/authentication(_:)`` with ``AuthenticationError/noReader`` or
    ///   ``AuthenticationError/readerNotFound``.
    func reader(_ options: HostOptions) async throws(VaultError) -> any FingerprintReader

    /// What there is and what state it is in, also before anything is set up.
    ///
    /// Changes nothing and asks nobody.
    func status(_ options: HostOptions) async throws(VaultError) -> StatusReport

    /// Sets up a store: credential, consent, recovery key.
    ///
    /// Works without a reader. The recovery key goes to `recipient` exactly once, when nothing but
    /// the last commit is left to do: if the recipient throws, nothing is set up.
    ///
    /// - Throws: ``VaultError/alreadySetUp``, ``VaultError/unacceptableCredential(_:)``, what the
    ///   recipient throws, and what keeps a store from being made.
    func setUp(
        _ request: SetupRequest, options: HostOptions, recipient: any RecoveryKeyRecipient
    ) async throws(VaultError) -> StatusReport

    /// Opens a session on the store.
    ///
    /// Nothing is armed and nobody asked before a call on the session.
    ///
    /// - Throws: ``VaultError/notSetUp``, and what keeps the store from being opened, in the order
    ///   of the command's contract.
    func open(
        _ options: HostOptions, prompter: any Prompter
    ) async throws(VaultError) -> any CommandSession

    /// Opens a session of which all that is wanted is its end: also on a store of an account that had
    /// this one's number, or one that is damaged.
    ///
    /// - Throws: ``VaultError/notSetUp`` where there is no store, and what keeps it from being opened.
    func openForReset(
        _ options: HostOptions, prompter: any Prompter
    ) async throws(VaultError) -> any CommandSession

    /// Records that the person said no to the use of fingers, also before anything is set up.
    ///
    /// - Returns: The answer that stands.
    /// - Throws: ``VaultError/consentStands`` where it was yes, and what keeps it from being
    ///   recorded.
    func declineConsent(_ options: HostOptions) async throws(VaultError) -> Consent

    /// Reads a file from which the recovery key opens keys; neither it nor a store is changed.
    ///
    /// - Parameters:
    ///   - file: A database or a backup; nil for the database of the store that the options choose.
    ///   - options: Which store.
    /// - Returns: What can be recovered from it.
    /// - Throws: ``VaultError/notSetUp`` where there is no store, and what keeps the file from being
    ///   read.
    func recovery(
        from file: String?, options: HostOptions
    ) async throws(VaultError) -> StoreRecovery

    /// Prepares a store and a reader that `whorl demo` may play with.
    ///
    /// - Parameter recording: A folder with a USB recording; nil for libfprint's simulated reader.
    /// - Returns: The demonstration, whose options are for the other calls of this host.
    /// - Throws: ``VaultError`` where the reader or the recording is not there.
    func demonstration(recording: String?) async throws(VaultError) -> any Demonstration
}

/// A session of one command.
public protocol CommandSession: Sendable {
    /// Where keys and verdicts live.
    var placement: Placement { get }
    /// What apps see; the command uses the same.
    var session: any WhorlSession { get }
    /// What only the owner of the store does with it.
    var ownership: any Ownership { get }
    /// Backups of the store's keys.
    var backups: any Backups { get }

    /// Gives the reader and the store back.
    func close() async
}

/// Where keys and verdicts live.
public enum Placement: String, Sendable, Hashable {
    /// In this process, open to programs of the same user.
    case inProcess = "in-process"
    /// In the system service.
    case service
}
