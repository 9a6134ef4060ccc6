import Synchronization
import WhorlBiometrics
import WhorlSecrets
import WhorlSensorLab

@testable import WhorlCommand

/// What the owner of a scripted store does with it.
extension PromptingSession: Ownership {
    func changeCredential(
        to credential: HeldSecret, request: AuthenticationRequest
    ) async throws(VaultError) -> [KeyName] {
        guard let new = credential.take() else { throw .internalError("taken") }
        guard new.count >= 6 else {
            throw .unacceptableCredential("the PIN is shorter than 6 characters")
        }
        let byRecovery = request.recoveryKey != nil
        try await takePIN("change the PIN", request)
        let pin = revealed(new)
        host.state.withLock { $0.pin = pin }
        guard byRecovery else { return [] }
        return try await vault.list()
            .filter { $0.access.mentionsCredential && !$0.hasRecovery }.map(\.name)
    }

    func checkRecovery(_ recoveryKey: HeldSecret) async throws(VaultError) -> [KeyName] {
        guard let given = recoveryKey.take() else { throw .internalError("taken") }
        let text = revealed(given)
        guard text.hasPrefix("WHRL") else {
            throw .invalidRecoveryKey("group 1 of the recovery key is mistyped; look at it again")
        }
        guard text == ScriptedHost.recoveryKey else { throw .authentication(.wrongRecoveryKey) }
        return try await vault.list().filter(\.hasRecovery).map(\.name)
    }

    func renewRecovery(
        request: AuthenticationRequest,
        deliver: @escaping @Sendable (borrowing SecretBytes) async throws(VaultError) -> Void
    ) async throws(VaultError) -> [KeyName] {
        try await takePIN("make a new recovery key", request)
        let key: SecretBytes
        do {
            key = try secret("WHRL-NEW")
        } catch {
            throw .storage("\(error)")
        }
        try await deliver(key)
        if let error = host.state.withLock({ $0.renewalError }) { throw error }
        return []
    }
}
