import WhorlBiometrics
import WhorlKeys
import WhorlSecrets

/// What the owner of a store does with it, in a session of this process.
struct InProcessOwnership: Ownership {
    let authenticator: Authenticator
    let subject: Subject

    private var vault: Vault { authenticator.vault }

    func changeCredential(
        to credential: HeldSecret, request: AuthenticationRequest
    ) async throws(VaultError) -> [KeyName] {
        let plan = RequestPlan.credential(
            of: subject, for: .changeCredential, action: "change the PIN")
        let vault = vault
        // A new PIN that cannot stand is said before the old one is asked for.
        let credential = try await vault.acceptable(credential)
        return try await authenticator.withOwnerGrant(for: plan, request: request) {
            (grant, _) throws(VaultError) in
            try await vault.changeCredential(to: credential, grant: grant)
        }
    }

    func checkRecovery(_ recoveryKey: HeldSecret) async throws(VaultError) -> [KeyName] {
        let proof = try await vault.checkRecoveryKey(recoveryKey, of: subject)
        return try await vault.recoverableKeys(proof)
    }

    func renewRecovery(
        request: AuthenticationRequest,
        deliver: @escaping @Sendable (borrowing SecretBytes) async throws(VaultError) -> Void
    ) async throws(VaultError) -> [KeyName] {
        let plan = RequestPlan.credential(
            of: subject, for: .renewRecovery, action: "make a new recovery key")
        let vault = vault
        return try await authenticator.withOwnerGrant(for: plan, request: request) {
            (grant, _) throws(VaultError) in
            try await vault.renewRecovery(grant, deliver: deliver)
        }
    }
}
