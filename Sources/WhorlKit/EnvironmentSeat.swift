import Glibc
public import WhorlBiometrics

/// Tells by the environment whether the one who asks sits at this machine.
///
/// A login over the network leaves `SSH_CONNECTION`, a PAM service for another host `PAM_RHOST`.
/// Without either the session is taken for local. Whoever sets or clears these variables is the
/// user, whose own programs an in-process host does not hold against.
public struct EnvironmentSeat: SeatObserver {
    /// Makes an observer.
    public init() {}

    /// Remote where the environment says so, else local.
    public func presence() async -> SeatPresence {
        for name in ["SSH_CONNECTION", "PAM_RHOST"] {
            if let value = unsafe getenv(name), unsafe value.pointee != 0 { return .remote }
        }
        return .local
    }
}
