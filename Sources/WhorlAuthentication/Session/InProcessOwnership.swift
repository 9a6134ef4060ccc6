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

    // MARK: Consent

    func consent() async throws(VaultError) -> Consent {
        try await vault.consent(of: subject, at: authenticator.timekeeper.unixTime())
    }

    func revocation() async throws(VaultError) -> ConsentRevocation {
        try await vault.revocation(of: subject)
    }

    func revokeConsent(
        request: AuthenticationRequest
    ) async throws(VaultError) -> ConsentRevocation {
        try await authenticator.revokeConsent(of: subject, request: request)
    }

    func giveConsent(request: AuthenticationRequest) async throws(VaultError) {
        let vault = vault
        let now = authenticator.timekeeper.unixTime()
        if case .given = try await consent() { throw .alreadySetUp }
        try await changeConsent("agree to the use of fingers", request) {
            (grant) throws(VaultError) in try await vault.giveConsent(grant, at: now)
        }
    }

    // MARK: Switching off

    func disableFingers() async throws(VaultError) {
        try await vault.disableFingers(of: subject)
    }

    func enableFingers(request: AuthenticationRequest) async throws(VaultError) {
        guard try await vault.isSetUp(subject) else { throw .notSetUp }
        guard try await vault.isDisabled(subject) else { return }
        let vault = vault
        try await changeConsent("switch fingers on", request) { (grant) throws(VaultError) in
            try await vault.enableFingers(grant)
        }
    }

    private func changeConsent(
        _ action: String, _ request: AuthenticationRequest,
        use: @escaping @Sendable (consuming Grant) async throws(VaultError) -> Void
    ) async throws(VaultError) {
        let plan = RequestPlan.credential(of: subject, for: .changeConsent, action: action)
        let done: Bool = try await authenticator.withOwnerGrant(for: plan, request: request) {
            (grant, _) throws(VaultError) in
            try await use(grant)
            return true
        }
        assert(done)
    }

    // MARK: The end

    func contents() async throws(VaultError) -> StoreContents {
        guard try await vault.hasAnything(of: subject) else { throw .notSetUp }
        return try await vault.contents(of: subject)
    }

    func reset(request: AuthenticationRequest?) async throws(VaultError) -> StoreContents {
        try await authenticator.reset(subject, request: request)
    }
}
