/// One row of the taxonomy: what an error is called everywhere.
public struct TaxonomyEntry: Sendable, Hashable {
    /// The stable identifier used in JSON, logs and documents.
    ///
    /// Never changes its meaning.
    public let identifier: String
    /// The stable number of the entry in the domain `whorl`.
    public let number: Int
    /// The code of Android's `BiometricPrompt`, nil where it has none.
    public let android: Int?
    /// The code of Apple's `LAError`, nil where it has none.
    public let laError: Int?
    /// The exit status of the command.
    public let exitStatus: Int
    /// Whether it counted as a failed attempt of the finger.
    public let countsAsFailure: Bool
    /// What happened, for a person; no full stop.
    public let happened: String
    /// What to do about it, for a person; no full stop.
    public let advice: String

    /// What happened and what to do, as one line.
    public var sentence: String { "\(happened); \(advice)" }

    // One row a line below reads as the table that it is.
    fileprivate init(
        _ number: Int, _ identifier: String, _ android: Int?, _ laError: Int?, _ exit: Int,
        counts: Bool = false, _ happened: String, _ advice: String
    ) {
        self.number = number
        self.identifier = identifier
        self.android = android
        self.laError = laError
        exitStatus = exit
        countsAsFailure = counts
        self.happened = happened
        self.advice = advice
    }
}

extension AuthenticationError {
    /// The row of this error.
    public var entry: TaxonomyEntry {
        switch self {
        case .noMatch: Taxonomy.noMatch
        case .wrongCredential: Taxonomy.wrongCredential
        case .wrongRecoveryKey: Taxonomy.wrongRecoveryKey
        case .storeFailed: Taxonomy.storeFailed
        case .tooManyBadCaptures: Taxonomy.tooManyBadCaptures
        case .userCancelled: Taxonomy.userCancelled
        case .fallbackChosen: Taxonomy.fallbackChosen
        case .appCancelled: Taxonomy.appCancelled
        case .systemCancelled: Taxonomy.systemCancelled
        case .sessionInvalidated: Taxonomy.sessionInvalidated
        case .timedOut: Taxonomy.timedOut
        case .lockedOut: Taxonomy.lockedOut
        case .lockedOutPermanently: Taxonomy.lockedOutPermanently
        case .credentialThrottled: Taxonomy.credentialThrottled
        case .stepUpDue, .storeRestored: Taxonomy.stepUpDue
        case .busy: Taxonomy.busy
        case .notEnrolled: Taxonomy.notEnrolled
        case .noDeviceCredential: Taxonomy.noDeviceCredential
        case .enrollmentChanged: Taxonomy.enrollmentChanged
        case .printMissing: Taxonomy.printMissing
        case .printUnusable: Taxonomy.printUnusable
        case .strengthNotReached: Taxonomy.strengthNotReached
        case .strengthLowered: Taxonomy.strengthLowered
        case .disabledByPolicy: Taxonomy.disabledByPolicy
        case .simulatedNotAllowed: Taxonomy.simulatedNotAllowed
        case .notInteractive: Taxonomy.notInteractive
        case .remoteSession: Taxonomy.remoteSession
        case .notPermitted: Taxonomy.notPermitted
        case .noReader: Taxonomy.noReader
        case .readerNotFound: Taxonomy.readerNotFound
        case .readerUnavailable: Taxonomy.readerUnavailable
        case .readerDisconnected: Taxonomy.readerDisconnected
        case .readerTooHot: Taxonomy.readerTooHot
        case .readerBusy: Taxonomy.readerBusy
        case .readerStillFinishing: Taxonomy.readerStillFinishing
        case .readerUnsupported: Taxonomy.readerUnsupported
        case .readerProtocol: Taxonomy.readerProtocol
        case .readerFault: Taxonomy.readerFault
        case .readerFull: Taxonomy.readerFull
        case .duplicateFinger: Taxonomy.duplicateFinger
        case .mainContextTaken: Taxonomy.mainContextTaken
        case .readerMisused: Taxonomy.readerMisused
        case .vendor: Taxonomy.vendor
        case .internalError: Taxonomy.internalError
        }
    }

    /// What happened and what to do, for a person, with what this very error knows.
    public var sentence: String {
        switch self {
        case .lockedOut(let seconds):
            "too many fingers that did not match; wait \(seconds) s, or use the PIN"
        case .credentialThrottled(let seconds):
            "too many wrong PINs; wait \(seconds) s, then try again"
        case .storeRestored(let restoration): restoration.sentence
        case .storeFailed(let source): "\(source.message); \(entry.advice)"
        case .vendor(let domain, let code, let message):
            "\(entry.happened) (\(domain) \(code): \(message)); \(entry.advice)"
        case .notPermitted(let source) where !source.message.isEmpty:
            "\(entry.happened) (\(source.message)); \(entry.advice)"
        default:
            if let source, source.domain == "whorl", !source.message.isEmpty {
                "\(entry.happened) (\(source.message)); \(entry.advice)"
            } else {
                entry.sentence
            }
        }
    }
}

/// The taxonomy, one table.
///
/// Android: `BiometricConstants` and `BiometricPrompt`. Apple: `LAError`. Exit statuses: the
/// command's contract. Only ``AuthenticationError/noMatch`` counts as a failed attempt (Android CDD
/// 7.3.10 C-1-3).
public enum Taxonomy {
    // swift-format-ignore
    static let
        noMatch = TaxonomyEntry(1, "no-match", nil, -1, 1, counts: true,
            "the finger did not match", "try again with an enrolled finger, or use the PIN"),
        wrongCredential = TaxonomyEntry(2, "wrong-credential", nil, -1, 1,
            "the PIN was wrong", "try again"),
        tooManyBadCaptures = TaxonomyEntry(3, "too-many-bad-captures", 2, -1, 5,
            "the finger could not be read", "wipe the sensor and your finger dry and try again, or use the PIN"),
        userCancelled = TaxonomyEntry(4, "user-cancelled", 10, -2, 5,
            "you cancelled", "run the command again when you want to go on"),
        fallbackChosen = TaxonomyEntry(5, "fallback-chosen", 13, -3, 5,
            "another way in was chosen", "go on with that"),
        appCancelled = TaxonomyEntry(6, "app-cancelled", 5, -9, 5,
            "the program cancelled the request", "ask it again"),
        systemCancelled = TaxonomyEntry(7, "system-cancelled", 5, -4, 5,
            "the system cancelled the request", "try again once it is awake and your session is in front"),
        sessionInvalidated = TaxonomyEntry(8, "session-invalidated", 5, -10, 5,
            "this session has ended", "open a new one"),
        timedOut = TaxonomyEntry(9, "timed-out", 3, -1, 5,
            "no finger came in time", "try again, with a longer --timeout if you need one"),
        lockedOut = TaxonomyEntry(10, "locked-out", 7, -8, 6,
            "too many fingers that did not match", "wait until the lockout ends, or use the PIN"),
        lockedOutPermanently = TaxonomyEntry(11, "locked-out-permanently", 9, -8, 6,
            "too many fingers that did not match", "the finger is off until 'whorl unlock' is given the PIN"),
        credentialThrottled = TaxonomyEntry(12, "credential-throttled", 7, -8, 6,
            "too many wrong PINs", "wait, then try again"),
        stepUpDue = TaxonomyEntry(13, "step-up-due", 9, -8, 6,
            "the PIN is due before a finger counts again", "give it once with 'whorl unlock'"),
        busy = TaxonomyEntry(14, "busy", 1, -6, 75,
            "another request is being answered", "try again when it is done"),
        notEnrolled = TaxonomyEntry(15, "not-enrolled", 11, -7, 3,
            "no finger is enrolled", "enrol one with 'whorl enroll'"),
        noDeviceCredential = TaxonomyEntry(16, "no-device-credential", 14, -5, 3,
            "no PIN is set", "set one with 'whorl setup'"),
        printMissing = TaxonomyEntry(17, "print-missing", 16, -7, 3,
            "the print is gone from the reader", "enrol the finger again with 'whorl enroll'"),
        printUnusable = TaxonomyEntry(18, "print-unusable", 16, -7, 3,
            "the stored print does not fit this reader", "enrol the finger again with 'whorl enroll'"),
        strengthNotReached = TaxonomyEntry(19, "strength-not-reached", 12, -6, 77,
            "no reader here is strong enough for this", "ask for a lower --strength, or use the PIN"),
        strengthLowered = TaxonomyEntry(20, "strength-lowered", 15, -6, 77,
            "the reader is weaker now than this key asks for", "use the PIN, and see 'whorl status'"),
        disabledByPolicy = TaxonomyEntry(21, "disabled-by-policy", 1, -6, 77,
            "fingers are switched off here", "use the PIN, or see 'whorl status'"),
        simulatedNotAllowed = TaxonomyEntry(22, "simulated-not-allowed", 12, -6, 77,
            "the reader is only simulated", "allow it for this run with --allow-simulated if that is what you want"),
        notInteractive = TaxonomyEntry(23, "not-interactive", 5, -1004, 77,
            "there is nobody to ask here", "run it in a terminal, or give the PIN with --pin-fd"),
        remoteSession = TaxonomyEntry(24, "remote-session", 5, -1004, 77,
            "this session is remote or unknown, and its finger is not at the reader", "use the PIN"),
        notPermitted = TaxonomyEntry(25, "not-permitted", 1, -6, 77,
            "the system does not permit this", "see 'whorl status' for what is missing"),
        noReader = TaxonomyEntry(26, "no-reader", 12, -6, 69,
            "no fingerprint reader was found", "plug one in, or use the PIN"),
        readerNotFound = TaxonomyEntry(27, "reader-not-found", 12, -6, 69,
            "that reader is not here", "see 'whorl readers' for those that are"),
        readerUnavailable = TaxonomyEntry(28, "reader-unavailable", 1, -6, 69,
            "the reader cannot be reached", "try again, and see 'whorl readers'"),
        readerDisconnected = TaxonomyEntry(29, "reader-disconnected", 1, -13, 69,
            "the reader was unplugged", "plug it in and try again"),
        readerTooHot = TaxonomyEntry(30, "reader-too-hot", 1, -6, 75,
            "the reader is resting so that it does not get too hot", "wait a few minutes, or use the PIN"),
        readerBusy = TaxonomyEntry(31, "reader-busy", 1, -6, 75,
            "the reader is in use", "try again when the other program is done"),
        readerStillFinishing = TaxonomyEntry(32, "reader-still-finishing", 1, -6, 75,
            "the reader has not let go of its last task", "wait a little, or unplug it and plug it in again"),
        readerUnsupported = TaxonomyEntry(33, "reader-unsupported", 1, -6, 69,
            "this reader cannot do that", "see 'whorl readers' for what it can do"),
        readerProtocol = TaxonomyEntry(34, "reader-protocol", 1, -6, 74,
            "the reader answered out of turn", "try again, and unplug it and plug it in if it stays so"),
        readerFault = TaxonomyEntry(35, "reader-fault", 1, -6, 74,
            "the reader failed", "try again, and unplug it and plug it in if it stays so"),
        readerFull = TaxonomyEntry(36, "reader-full", 4, -6, 74,
            "the reader has no room for another print", "remove a finger first with 'whorl finger remove'"),
        duplicateFinger = TaxonomyEntry(37, "duplicate-finger", 8, -6, 73,
            "the reader already knows this finger, perhaps from another user or system", "use another finger, or remove it where it was enrolled"),
        mainContextTaken = TaxonomyEntry(38, "main-context-taken", 1, -6, 69,
            "this program's own main loop owns the thread that libfprint needs", "reach the reader through the service"),
        readerMisused = TaxonomyEntry(39, "reader-misused", 1, -6, 70,
            "Whorl used the reader out of order", "please report this"),
        vendor = TaxonomyEntry(40, "vendor", 8, -6, 74,
            "the reader reported something that Whorl does not know", "try again, and please report this"),
        internalError = TaxonomyEntry(41, "internal-error", 1, -6, 70,
            "something went wrong inside Whorl", "please report this"),
        enrollmentChanged = TaxonomyEntry(42, "enrollment-changed", nil, nil, 4,
            "the enrolled fingers changed, so the finger's way is dead", "use the PIN or the recovery key"),
        wrongRecoveryKey = TaxonomyEntry(43, "wrong-recovery-key", nil, -1, 1,
            "that is another recovery key", "use the one that the last setup or renewal gave"),
        storeFailed = TaxonomyEntry(44, "store-failed", nil, nil, 74,
            "the store could not be read or written", "make room, or see to the disk, and try again")

    /// Every row, by number.
    public static let entries: [TaxonomyEntry] = [
        noMatch, wrongCredential, tooManyBadCaptures, userCancelled, fallbackChosen, appCancelled,
        systemCancelled, sessionInvalidated, timedOut, lockedOut, lockedOutPermanently,
        credentialThrottled, stepUpDue, busy, notEnrolled, noDeviceCredential, printMissing,
        printUnusable, strengthNotReached, strengthLowered, disabledByPolicy, simulatedNotAllowed,
        notInteractive, remoteSession, notPermitted, noReader, readerNotFound, readerUnavailable,
        readerDisconnected, readerTooHot, readerBusy, readerStillFinishing, readerUnsupported,
        readerProtocol, readerFault, readerFull, duplicateFinger, mainContextTaken, readerMisused,
        vendor, internalError, enrollmentChanged, wrongRecoveryKey, storeFailed,
    ]
}
