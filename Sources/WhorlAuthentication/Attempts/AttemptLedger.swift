import WhorlBiometrics
import WhorlDatabase

/// The durable record of attempts: what was charged, what that brought.
///
/// Every call that counts something returns when it is on disk. What takes a count back need only
/// outlast the process: a power cut that undoes it leaves the count standing, which is the safe side.
/// A protocol, so that a test can make each call fail: a request whose attempt cannot be recorded is
/// refused.
protocol AttemptLedger: Sendable {
    /// Counts a charge that a dead process left, and restarts a wait that was of another boot.
    ///
    /// The caller holds the ``RequestLock``, so no attempt of anyone's is running.
    func recover(_ subject: Subject, at now: BootInstant) async throws(VaultError)

    /// Whether failed attempts keep the subject's fingers out.
    func lockout(of subject: Subject, at now: BootInstant) async throws(VaultError) -> LockoutStatus

    /// The failed attempts since the last match or credential.
    func failures(of subject: Subject) async throws(VaultError) -> Int

    /// Charges an attempt of a finger, before its verdict is read.
    func charge(_ subject: Subject) async throws(VaultError)

    /// Records that the charged attempt did not match, and says what that brought.
    func settleNoMatch(
        _ subject: Subject, at now: BootInstant
    ) async throws(VaultError) -> LockoutStatus

    /// Takes back the charge of an attempt that had no verdict.
    func refund(_ subject: Subject) async throws(VaultError)

    /// Clears the count: a match, or the credential.
    func clear(_ subject: Subject) async throws(VaultError)

    /// Seconds until a credential may be tried; nil where it may be now.
    func credentialWait(
        of subject: Subject, at now: BootInstant
    ) async throws(VaultError) -> Int?

    /// Charges a credential, before it is checked.
    func chargeCredential(_ subject: Subject, at now: BootInstant) async throws(VaultError)

    /// Clears the count of wrong credentials: a right one.
    func clearCredential(_ subject: Subject) async throws(VaultError)

    /// The keys of the ports on which a subject's credential was given with that reader plugged in.
    func approvedPorts(
        of subject: Subject, driver: String, deviceID: String
    ) async throws(VaultError) -> Set<String>

    /// Remembers that the subject's credential was given with the reader on this port.
    func approve(_ reader: ReaderIdentity, for subject: Subject) async throws(VaultError)

    /// Deletes everything about a subject, within the transaction of whoever deletes the rest.
    ///
    /// - Parameters:
    ///   - subject: Whose.
    ///   - database: The store's database, on its thread.
    /// - Throws: `DatabaseError` where it cannot be; the caller then deletes nothing.
    func forget(_ subject: Subject, in database: Database) throws(DatabaseError)
}
