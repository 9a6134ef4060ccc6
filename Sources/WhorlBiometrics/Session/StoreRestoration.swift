/// How a store was put back from a copy, as far as that can be noticed.
///
/// A copy brings back the PIN, the fingers and the counts of its own time, so that no finger counts
/// until the credential or the recovery key was given once.
public enum StoreRestoration: String, Sendable, Hashable, CaseIterable {
    /// It was used on another machine before, or this one was installed anew.
    case otherMachine = "other-machine"
    /// It is older than what was here last.
    case older
    /// Nobody knows: what says how old the store was is missing beside it.
    case unknown

    /// What happened and what it means, for a person.
    public var sentence: String { "\(happened): \(Self.meaning); \(Self.advice)" }

    private var happened: String {
        switch self {
        case .otherMachine: "the store comes from another machine"
        case .older: "the store is older than it was here last"
        case .unknown: "the store was put back, and nobody knows from when"
        }
    }

    private static let meaning =
        "its PIN, fingers and counts are those of then, and keys put since are not in it"
    private static let advice =
        "no finger counts until the PIN is given once with 'whorl unlock'"
}
