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

    // MARK: Endings

    func consent() async throws(VaultError) -> Consent { host.state.withLock { $0.consent } }

    func revocation() async throws(VaultError) -> ConsentRevocation {
        let keys = try await vault.list()
        let gone = keys.filter { !$0.access.mentionsCredential && !$0.hasRecovery }.map(\.name)
        return ConsentRevocation(
            fingers: try await fingers.list().map(\.finger), deletedKeys: gone,
            keptKeys: keys.map(\.name).filter { !gone.contains($0) })
    }

    func revokeConsent(
        request: AuthenticationRequest
    ) async throws(VaultError) -> ConsentRevocation {
        var revocation = try await revocation()
        guard try await consent().isYes else { return revocation }
        try await takePIN("revoke the consent to fingers", request)
        host.state.withLock { $0.consent = .revoked(at: 1_780_000_100) }
        revocation.leftOnReader = host.state.withLock { $0.leftOnReader }
        return revocation
    }

    func giveConsent(request: AuthenticationRequest) async throws(VaultError) {
        if try await consent().isYes { throw .alreadySetUp }
        try await takePIN("agree to the use of fingers", request)
        host.state.withLock { $0.consent = .given(at: 1_780_000_200) }
    }

    func disableFingers() async throws(VaultError) {
        host.state.withLock { $0.isDisabled = true }
    }

    func enableFingers(request: AuthenticationRequest) async throws(VaultError) {
        guard host.state.withLock({ $0.isDisabled }) else { return }
        try await takePIN("switch fingers on", request)
        host.state.withLock { $0.isDisabled = false }
    }

    func contents() async throws(VaultError) -> StoreContents {
        guard host.state.withLock({ $0.isSetUp }) else { throw .notSetUp }
        return StoreContents(
            fingers: try await fingers.list().map(\.finger),
            keys: try await vault.list().map(\.name))
    }

    func reset(request: AuthenticationRequest?) async throws(VaultError) -> StoreContents {
        var contents = try await contents()
        if let request { try await takePIN("delete everything", request) }
        host.state.withLock { $0.isSetUp = false }
        contents.leftOnReader = host.state.withLock { $0.leftOnReader }
        return contents
    }
}
