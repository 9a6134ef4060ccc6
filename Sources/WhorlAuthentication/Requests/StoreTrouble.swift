import Synchronization
import WhorlBiometrics

/// What the store said that kept a request from going on.
///
/// The words of an authentication have none for a full disk, so its own error is kept beside them.
final class StoreTrouble: Sendable {
    private let kept = Mutex<[VaultError]>([])

    /// Keeps an error, and gives what it is to a request.
    func keep(_ error: VaultError) -> AuthenticationError {
        kept.withLock { $0.append(error) }
        return AuthenticationError(error)
    }

    /// The error behind the one that ended a request.
    func error(behind ending: AuthenticationError) -> VaultError {
        // There may be several, as where neither the charge nor what came of it could be written.
        kept.withLock { $0 }.first { AuthenticationError($0) == ending }
            ?? .authentication(ending)
    }
}
