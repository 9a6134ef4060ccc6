internal import Synchronization
public import WhorlBiometrics

/// The fingers of a ``ScriptedSession``: names in this process.
///
/// Changes move the enrolment generation as real ones do, so that an app's test sees its keys die.
public final class ScriptedFingers: Fingers {
    private let keys: ScriptedKeys
    private let person: ScriptedPerson

    init(keys: ScriptedKeys, person: ScriptedPerson) {
        self.keys = keys
        self.person = person
    }

    /// The fingers that are enrolled, in libfprint's order.
    public func list() async throws(VaultError) -> [EnrolledFinger] {
        keys.state.withLock { Array($0.fingers) }
            .sorted { $0.libfprintValue < $1.libfprintValue }.map(Self.enrolled)
    }

    /// Enrols a finger, where the next answer gives the credential.
    public func enroll(
        _ finger: Finger, confirm: Bool, keys carry: KeyCarry, request: AuthenticationRequest
    ) async throws(VaultError) -> EnrollmentResult {
        try await takeCredential("enroll \(finger.rawValue)", request)
        return keys.state.withLock { state in
            state.fingers.insert(finger)
            let dead = ScriptedKeys.moveGeneration(&state, carrying: carry == .carry)
            return EnrollmentResult(
                finger: Self.enrolled(finger), generation: state.generation, deadKeys: dead)
        }
    }

    /// Checks a finger, where the next answer is one.
    public func verify(
        _ finger: Finger?, request: AuthenticationRequest
    ) async throws(VaultError) -> AuthenticationResult {
        let fingers = keys.state.withLock { $0.fingers }
        guard !fingers.isEmpty else { throw .authentication(.notEnrolled) }
        if let finger, !fingers.contains(finger) { throw .noSuchFinger(finger) }
        let action = "verify \(finger?.rawValue ?? "any finger")"
        let result = try await ask(action, request)
        guard result.factors.contains(.finger) else { throw .misscripted(action, result) }
        return result
    }

    /// Removes a finger, where the next answer gives the credential.
    public func remove(
        _ finger: Finger, request: AuthenticationRequest
    ) async throws(VaultError) -> RemovalResult {
        guard keys.state.withLock({ $0.fingers.contains(finger) }) else {
            throw .noSuchFinger(finger)
        }
        try await takeCredential("remove \(finger.rawValue)", request)
        let deadKeys = keys.state.withLock { state -> [KeyName] in
            state.fingers.remove(finger)
            guard state.fingers.isEmpty else { return [] }
            return ScriptedKeys.moveGeneration(&state, carrying: false)
        }
        return RemovalResult(deadKeys: deadKeys, leftOnReader: nil)
    }

    private func ask(
        _ action: String, _ request: AuthenticationRequest
    ) async throws(VaultError) -> AuthenticationResult {
        do throws(AuthenticationError) {
            return try await person.ask(action, request)
        } catch {
            throw .authentication(error)
        }
    }

    private func takeCredential(
        _ action: String, _ request: AuthenticationRequest
    ) async throws(VaultError) {
        let result = try await ask(action, request)
        guard result.factors.contains(.deviceCredential) else {
            throw .misscripted(action, result)
        }
    }

    private static func enrolled(_ finger: Finger) -> EnrolledFinger {
        EnrolledFinger(
            finger: finger, reader: ScriptedKeys.reader, enrolled: 0, isSimulated: true)
    }
}
