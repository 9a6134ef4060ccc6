public import WhorlSecrets

/// Why a person is asked, in the words of the program that asks; shown in the prompt.
public struct Reason: Sendable, Hashable {
    /// The largest length, in characters.
    public static let maximumLength = 120
    /// The words, safe to show.
    public let text: DisplayText

    /// Makes a reason.
    ///
    /// - Throws: ``ReasonError`` if it is empty or blank, or longer than ``maximumLength``.
    public init(_ text: String) throws(ReasonError) {
        guard text.contains(where: { !$0.isWhitespace }) else { throw .empty }
        guard text.count <= Self.maximumLength else { throw .tooLong }
        self.text = DisplayText(text)
    }
}

/// What is wrong with a ``Reason``.
public enum ReasonError: Error, Sendable, Hashable {
    /// There are no words in it.
    case empty
    /// It is longer than ``Reason/maximumLength`` characters.
    case tooLong

    /// A sentence that says what is wrong.
    public var message: String {
        switch self {
        case .empty: "a reason is needed"
        case .tooLong: "the reason is longer than \(Reason.maximumLength) characters"
        }
    }
}

/// Who asks: shown in the prompt and written to the audit log.
public struct RequestOrigin: Sendable, Hashable {
    /// The name of the program, safe to show.
    public let program: DisplayText
    /// Its process id.
    public let processID: Int32

    /// Makes an origin.
    public init(program: String, processID: Int32) {
        self.program = DisplayText(program)
        self.processID = processID
    }
}

/// How long and how often a person may try.
public struct RequestLimits: Sendable, Hashable {
    /// Good captures that do not match before it ends, 1 to 5.
    public let tries: Int
    /// Time until it ends, in seconds, 1 to 170: under the 180 s after which libfprint's thermal
    /// model refuses a reader.
    public let timeoutSeconds: Int
    /// Bad captures before it ends.
    public static let badCaptures = 20
    /// Bad captures in a row before the person is told to clean the sensor.
    public static let badCapturesBeforeCleaning = 3

    /// 3 tries within 30 s.
    public static let standard = RequestLimits(uncheckedTries: 3, timeoutSeconds: 30)

    /// Makes limits; nil where one is out of its range.
    public init?(tries: Int, timeoutSeconds: Int) {
        guard (1...5).contains(tries), (1...170).contains(timeoutSeconds) else { return nil }
        self.init(uncheckedTries: tries, timeoutSeconds: timeoutSeconds)
    }

    private init(uncheckedTries: Int, timeoutSeconds: Int) {
        tries = uncheckedTries
        self.timeoutSeconds = timeoutSeconds
    }
}

/// How a person is to be asked: what every call that may prompt takes.
public struct AuthenticationRequest: Sendable {
    /// Why; shown in the prompt.
    public var reason: Reason
    /// A second line below the reason.
    public var detail: DisplayText?
    /// How long and how often the person may try.
    public var limits: RequestLimits
    /// The credential, where the caller has it already: it is then used instead of a finger, or
    /// together with one where the key asks for both.
    public var credential: HeldSecret?
    /// The recovery key in its written form, where the caller has it: it is then used instead of
    /// everything else.
    public var recoveryKey: HeldSecret?

    /// Makes a request.
    public init(
        reason: Reason, detail: DisplayText? = nil, limits: RequestLimits = .standard,
        credential: HeldSecret? = nil, recoveryKey: HeldSecret? = nil
    ) {
        self.reason = reason
        self.detail = detail
        self.limits = limits
        self.credential = credential
        self.recoveryKey = recoveryKey
    }
}

/// Who was authenticated, and by what.
public struct AuthenticationResult: Sendable, Hashable {
    /// What was given.
    public let factors: Set<AuthenticationFactor>
    /// The strength of the finger's match with its basis; nil where no finger took part.
    public let rating: StrengthRating?
    /// Whether the reader was simulated: such a result counts for nothing where that was not
    /// allowed.
    public let isSimulated: Bool

    /// Makes a result.
    public init(
        factors: Set<AuthenticationFactor>, rating: StrengthRating?, isSimulated: Bool
    ) {
        self.factors = factors
        self.rating = rating
        self.isSimulated = isSimulated
    }
}

/// What a person gave.
///
/// Android's `AuthenticationResult` types: 1 credential, 2 biometric.
public enum AuthenticationFactor: String, Sendable, Hashable, CaseIterable {
    /// A finger.
    case finger
    /// The PIN or passphrase.
    case deviceCredential = "pin"
    /// The recovery key.
    case recoveryKey = "recovery-key"
}
