/// What the owner of a store said to the use of fingers.
public enum Consent: Sendable, Hashable {
    /// Nothing: nobody asked, or the answer was no and is forgotten.
    case notAsked
    /// Yes, at this time in seconds since 1970.
    case given(at: Int64)
    /// No, at this time in seconds since 1970; remembered until ``until``.
    case declined(at: Int64)
    /// Yes once, and taken back at this time in seconds since 1970.
    case revoked(at: Int64)

    /// How long a no is remembered, in seconds: 30 days.
    public static let declinedSeconds: Int64 = 30 * 24 * 60 * 60

    /// When it was said, in seconds since 1970; nil where nothing was.
    public var at: Int64? {
        switch self {
        case .notAsked: nil
        case .given(let at), .declined(let at), .revoked(let at): at
        }
    }

    /// When a no is forgotten, in seconds since 1970; nil for anything else.
    public var until: Int64? {
        guard case .declined(let at) = self else { return nil }
        return at.addingReportingOverflow(Self.declinedSeconds).partialValue
    }
}
