import WhorlBiometrics
import WhorlKeys
import WhorlSecrets

extension Authenticator {
    /// Runs a request that takes the credential or the recovery key, and lends what it granted.
    ///
    /// An enrolment that was cut off, or a list of fingers that was changed by something else, is
    /// resolved first: the owner is here now.
    func withOwnerGrant<Value: Sendable>(
        for plan: RequestPlan, request: AuthenticationRequest,
        use:
            @escaping @Sendable (
                consuming Grant, AuthenticationResult
            ) async throws(VaultError) -> Value
    ) async throws(VaultError) -> Value {
        try await withGrant(for: plan, request: request) { (grant, result) throws(VaultError) in
            try await self.resolveEnrollment(of: plan.subject, factors: result.factors)
            return try await use(grant, result)
        }
    }

    /// Ends an enrolment that was cut off, or a list of fingers that was changed by something else.
    ///
    /// - Parameters:
    ///   - subject: Whose.
    ///   - factors: What was given just now.
    /// - Returns: The keys whose finger's way died with it, by name.
    /// - Throws: ``VaultError`` where it is as it was.
    @discardableResult
    func resolveEnrollment(
        of subject: Subject, factors: Set<AuthenticationFactor>
    ) async throws(VaultError) -> [KeyName] {
        do throws(VaultError) {
            guard try await vault.enrollment(of: subject).isPending else { return [] }
        } catch {
            guard case .damaged = error else { throw error }
        }
        return try await vault.resolvePendingEnrollment(
            attestedGrant(for: .changeEnrollment, of: subject, factors: factors))
    }

    /// Opens a key or the store by the recovery key, which is given instead of everything else:
    /// nothing is armed, and nobody is asked.
    ///
    /// It ends a lockout, the wait after wrong PINs and the doubt after a restoration, as a right PIN
    /// does.
    func withRecovery<Value: ~Copyable & Sendable>(
        _ recoveryKey: HeldSecret, for plan: RequestPlan,
        use: @Sendable (consuming Grant, AuthenticationResult) async throws(VaultError) -> Value
    ) async throws(VaultError) -> Value {
        let turn = try await takeTurn()
        defer { endTurn(turn) }
        let proof = try await vault.checkRecoveryKey(recoveryKey, of: plan.subject)
        let result = AuthenticationResult(
            factors: [.recoveryKey], rating: nil, isSimulated: false)
        let value = try await use(recoveryGrant(for: plan.purpose, proof), result)
        await acceptRestoration(of: plan.subject, factors: result.factors)
        await clearCounts(of: plan.subject)
        return value
    }

    /// Lets fingers count again after the store was put back: the owner is here.
    ///
    /// What cannot be recorded is asked again, which is the safe side.
    func acceptRestoration(of subject: Subject, factors: Set<AuthenticationFactor>) async {
        try? await vault.acceptRestoration(
            attestedGrant(for: .clearLockout, of: subject, factors: factors))
    }
}
