/// Whether the one who asks sits at this machine.
@nonexhaustive
public enum SeatPresence: Sendable, Hashable {
    /// At this machine, in the session that is in front.
    case local
    /// Somewhere else, by the network.
    case remote
    /// At this machine, but another session is in front.
    case inactive
    /// It cannot be told.
    case unknown
}

/// Tells whether the one who asks sits at this machine.
public protocol SeatObserver: Sendable {
    /// Where the one who asks sits, asked anew for every request.
    func presence() async -> SeatPresence
}
