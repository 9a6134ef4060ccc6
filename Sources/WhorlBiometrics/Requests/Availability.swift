/// Whether a request could succeed now, with supported, permitted and ready told apart.
@nonexhaustive
public enum Availability: Sendable, Hashable {
    /// It could.
    case ready
    /// The machine cannot do it: no reader, or none that is strong enough.
    case unsupported(AuthenticationError)
    /// The machine could, but it is not allowed here.
    case notPermitted(AuthenticationError)
    /// It could be done after something is put in order: enrol, set a PIN, wait.
    case notReady(AuthenticationError)

    /// The reason why not; nil when ready.
    public var error: AuthenticationError? {
        switch self {
        case .ready: nil
        case .unsupported(let error), .notPermitted(let error), .notReady(let error): error
        }
    }

    /// What Android's `canAuthenticate` would answer: 0 when ready.
    public var android: Int { error.map { $0.entry.android ?? 1 } ?? 0 }

    /// The availability that an error amounts to.
    public init(_ error: AuthenticationError) {
        switch error {
        case .noReader, .readerNotFound, .strengthNotReached, .readerUnsupported:
            self = .unsupported(error)
        case .disabledByPolicy, .simulatedNotAllowed, .remoteSession, .notInteractive,
            .notPermitted, .strengthLowered:
            self = .notPermitted(error)
        default: self = .notReady(error)
        }
    }
}
