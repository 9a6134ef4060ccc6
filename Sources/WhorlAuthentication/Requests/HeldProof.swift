import Synchronization
import WhorlKeys

/// Where the proof of a credential waits until the race with the finger is decided.
///
/// Noncopyable, so it cannot be an event; the machine only hears that there is one.
final class HeldProof: Sendable {
    private let content = Mutex<CredentialProof?>(nil)

    func hold(_ proof: consuming CredentialProof) {
        var incoming: CredentialProof? = consume proof
        content.withLock { $0 = incoming.take() }
    }

    /// Whether one waits here.
    var isHeld: Bool {
        content.withLock { proof in
            switch proof {
            case .none: false
            case .some: true
            }
        }
    }

    func take() -> CredentialProof? {
        content.withLock { $0.take() }
    }
}
