public import WhorlBiometrics

/// A key as the one who opens it needs to know it.
public struct KeyRecord: Sendable, Hashable {
    /// Which key it is; a grant names it.
    public let id: KeyID
    /// What may be known of it.
    public let info: KeyInfo
    /// The ways of its access control that are closed for good.
    public let deadWays: Set<AccessWay>
}
