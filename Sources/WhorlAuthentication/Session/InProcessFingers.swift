import WhorlBiometrics
import WhorlKeys

/// The fingers as a session of this process shows them.
struct InProcessFingers: Fingers {
    let authenticator: Authenticator
    let subject: Subject

    func list() async throws(VaultError) -> [EnrolledFinger] {
        try await authenticator.vault.enrollment(of: subject).prints.map {
            EnrolledFinger(
                finger: $0.finger, reader: $0.reader, enrolled: $0.enrolled,
                isSimulated: $0.isSimulated)
        }
    }

    func enroll(
        _ finger: Finger, confirm: Bool, keys: KeyCarry, request: AuthenticationRequest
    ) async throws(VaultError) -> EnrollmentResult {
        try await authenticator.enroll(
            finger, confirm: confirm, keys: keys, of: subject, request: request)
    }

    func verify(
        _ finger: Finger?, request: AuthenticationRequest
    ) async throws(VaultError) -> AuthenticationResult {
        let plan = RequestPlan(
            subject: subject, purpose: .authenticate,
            action: finger.map { "check the \($0.words)" } ?? "check a finger",
            ways: [.init(needsFinger: true, needsCredential: false)],
            onlyFinger: finger)
        return try await authenticator.withGrant(for: plan, request: request) {
            (_, result) throws(VaultError) in result
        }
    }

    func remove(
        _ finger: Finger, request: AuthenticationRequest
    ) async throws(VaultError) -> RemovalResult {
        try await authenticator.remove(finger, of: subject, request: request)
    }
}
