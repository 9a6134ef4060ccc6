/// Where an error that we did not raise ourselves came from.
public struct SourceError: Error, Sendable, Hashable {
    /// The domain: libfprint's quark string, `net.reactivated.Fprint.Error`, or `whorl`.
    public let domain: String
    /// The code in that domain.
    public let code: Int
    /// The source's own words, safe to show.
    ///
    /// Empty where it had none.
    public let message: String

    /// Makes a source error; the message is escaped so that it can be shown.
    public init(domain: String, code: Int, message: String) {
        self.domain = domain
        self.code = code
        self.message = DisplayText(message).shown
    }

    /// An error that Whorl itself raised, with the reason in words.
    public static func whorl(_ message: String) -> SourceError {
        SourceError(domain: "whorl", code: 0, message: message)
    }
}

/// Everything that can keep a finger or PIN from opening something: one taxonomy.
///
/// Each case has one row in ``Taxonomy/entries``: a stable identifier, Android's and Apple's code,
/// the exit status, whether it counted as a failed attempt, and a sentence for a person. Cases that
/// a reader raised carry the code that the reader gave.
@nonexhaustive
public enum AuthenticationError: Error, Sendable, Hashable {
    // MARK: The answer was no

    /// Good captures, none of which matched.
    ///
    /// The only entry that counts.
    case noMatch
    /// The PIN or passphrase was wrong.
    case wrongCredential
    /// The recovery key is another one.
    case wrongRecoveryKey
    /// Too many bad captures, and not one good one.
    case tooManyBadCaptures

    // MARK: Ended before an answer

    /// The person cancelled.
    case userCancelled
    /// The person chose the app's fallback.
    case fallbackChosen
    /// The app cancelled.
    case appCancelled
    /// The system cancelled: suspend, seat change, a termination signal.
    case systemCancelled
    /// The session was ended; it answers nothing any more.
    case sessionInvalidated
    /// Nobody touched the sensor in time.
    case timedOut

    // MARK: Not now

    /// Failed attempts locked the finger; `remainingSeconds` until it may be tried again.
    case lockedOut(remainingSeconds: Int)
    /// Failed attempts locked the finger until the credential is given.
    case lockedOutPermanently
    /// Wrong credentials; `remainingSeconds` until one may be tried again.
    case credentialThrottled(remainingSeconds: Int)
    /// The credential must be given once before a finger counts again.
    case stepUpDue
    /// The store was put back from a copy, so the credential must be given once before a finger
    /// counts again.
    case storeRestored(StoreRestoration)
    /// Another request is being answered and this one could not wait.
    case busy

    // MARK: Not set up

    /// No finger is enrolled.
    case notEnrolled
    /// No PIN or passphrase is set.
    case noDeviceCredential
    /// The enrolled fingers changed after what is asked for was made.
    case enrollmentChanged
    /// The print is gone from the reader's chip.
    case printMissing(SourceError)
    /// The stored print cannot be used by this reader.
    case printUnusable(SourceError)

    // MARK: Not permitted

    /// No reader here reaches the strength that is asked for.
    case strengthNotReached
    /// The reader's strength was lowered below what the key asks for.
    case strengthLowered
    /// Fingers are switched off, or consent was not given.
    case disabledByPolicy
    /// The reader is simulated, and simulated readers were not allowed.
    case simulatedNotAllowed
    /// Nobody can be asked: no terminal, no prompter, or the prompter is gone.
    case notInteractive
    /// The request comes from a remote or unknown session.
    case remoteSession
    /// The system does not permit this.
    case notPermitted(SourceError)

    // MARK: The reader

    /// There is no reader.
    case noReader
    /// The reader that was asked for is not there.
    case readerNotFound
    /// The reader's service or library cannot be reached.
    case readerUnavailable(SourceError)
    /// The reader was unplugged.
    case readerDisconnected(SourceError)
    /// The reader must rest, or it gets too hot.
    case readerTooHot(SourceError)
    /// Another program or request uses the reader.
    case readerBusy(SourceError)
    /// An earlier operation ignores its cancellation; the reader is not free yet.
    case readerStillFinishing(SourceError)
    /// The reader does not do this.
    case readerUnsupported(SourceError)
    /// The reader spoke out of turn.
    case readerProtocol(SourceError)
    /// The reader failed, without saying more.
    case readerFault(SourceError)
    /// There is no room for another print on the reader.
    case readerFull(SourceError)
    /// The finger is already enrolled on the reader.
    case duplicateFinger(SourceError)
    /// Another part of this program owns the thread that libfprint needs.
    case mainContextTaken
    /// The reader was used out of order: a mistake of ours.
    case readerMisused(SourceError)

    /// A code that this version does not know: refused, with all that is known of it.
    case vendor(domain: String, code: Int, message: String)
    /// The store could not be read or written.
    case storeFailed(SourceError)
    /// A mistake of ours.
    case internalError(SourceError)

    /// The code that the reader or system gave, where there is one.
    public var source: SourceError? {
        switch self {
        case .printMissing(let source), .printUnusable(let source), .notPermitted(let source),
            .readerUnavailable(let source), .readerDisconnected(let source),
            .readerTooHot(let source), .readerBusy(let source),
            .readerStillFinishing(let source), .readerUnsupported(let source),
            .readerProtocol(let source), .readerFault(let source), .readerFull(let source),
            .duplicateFinger(let source), .readerMisused(let source),
            .storeFailed(let source), .internalError(let source):
            source
        case .vendor(let domain, let code, let message):
            SourceError(domain: domain, code: code, message: message)
        default: nil
        }
    }
}
