import WhorlBiometrics
import WhorlDatabase
import WhorlKeys
import WhorlSecrets

extension Authenticator {
    /// Revokes a subject's consent, by the credential or the recovery key.
    func revokeConsent(
        of subject: Subject, request: AuthenticationRequest
    ) async throws(VaultError) -> ConsentRevocation {
        let before = try await vault.revocation(of: subject)
        let consent = try await vault.consent(of: subject, at: timekeeper.unixTime())
        if case .revoked = consent { return before }
        let plan = RequestPlan.credential(
            of: subject, for: .changeConsent, action: "revoke the consent to fingers")
        let vault = vault
        let now = timekeeper.unixTime()
        return try await withOwner(plan, request: request) {
            (factors) async throws(VaultError) in
            // While their prints can still be read, since the chips want them back to delete theirs.
            let left = await self.deleteFromChips(of: subject)
            try await self.resolveEnrollment(of: subject, factors: factors)
            return left
        } use: { (grant, left) async throws(VaultError) in
            let done = try await vault.revokeConsent(grant, at: now)
            return ConsentRevocation(
                fingers: before.fingers, deletedKeys: done.deletedKeys, keptKeys: done.keptKeys,
                leftOnReader: left)
        }
    }

    /// Deletes everything of a subject, by the credential, the recovery key, or neither.
    func reset(
        _ subject: Subject, request: AuthenticationRequest?
    ) async throws(VaultError) -> StoreContents {
        guard try await vault.hasAnything(of: subject) else { throw .notSetUp }
        let vault = vault
        let ledger = ledger
        let delete:
            @Sendable (consuming Grant, [LeftPrint]) async throws(VaultError) ->
                StoreContents = { (grant, left) async throws(VaultError) in
                    var contents = try await vault.reset(grant) {
                        (database) throws(DatabaseError) in
                        try ledger.forget(subject, in: database)
                    }
                    contents.leftOnReader = left
                    return contents
                }
        guard let request else {
            let turn = try await takeTurn()
            defer { endTurn(turn) }
            let left = await deleteFromChips(of: subject)
            return try await delete(attestedGrant(for: .reset, of: subject, factors: []), left)
        }
        let plan = RequestPlan.credential(
            of: subject, for: .reset, action: "delete every key and finger of yours")
        return try await withOwner(plan, request: request) { (_) async throws(VaultError) in
            await self.deleteFromChips(of: subject)
        } use: { (grant, left) async throws(VaultError) in
            try await delete(grant, left)
        }
    }

    // Takes the credential or the recovery key, does what may take longer than a grant is good for,
    // and only then mints one.
    private func withOwner<Value: Sendable>(
        _ plan: RequestPlan, request: AuthenticationRequest,
        preparing prepare:
            @Sendable (
                Set<AuthenticationFactor>
            ) async throws(VaultError) -> [LeftPrint],
        use: @Sendable (consuming Grant, [LeftPrint]) async throws(VaultError) -> Value
    ) async throws(VaultError) -> Value {
        let turn = try await takeTurn()
        defer { endTurn(turn) }
        if let recoveryKey = request.recoveryKey {
            let proof = try await vault.checkRecoveryKey(recoveryKey, of: plan.subject)
            let left = try await prepare([.recoveryKey])
            let value = try await use(recoveryGrant(for: plan.purpose, proof), left)
            await clearCounts(of: plan.subject)
            return value
        }
        let authorized = try await authorize(plan, request: request, turn: turn)
        do throws(VaultError) {
            let left = try await prepare(authorized.result.factors)
            let value = try await use(grant(from: authorized), left)
            await finish(authorized, ending: .succeeded(authorized.result))
            return value
        } catch {
            await finish(authorized, ending: .failed(AuthenticationError(error)))
            throw error
        }
    }

    /// Ends a lockout and the wait after wrong PINs.
    func clearCounts(of subject: Subject) async {
        try? await ledger.clearCredential(subject)
        try? await ledger.clear(subject)
    }

    // MARK: Chips

    /// Deletes a subject's prints from the chips of the readers that are here.
    ///
    /// - Parameter subject: Whose.
    /// - Returns: The prints that are still on a chip; none of them opens anything once their rows
    ///   are gone.
    private func deleteFromChips(of subject: Subject) async -> [LeftPrint] {
        let onChips = (try? await vault.printsOnChips(of: subject)) ?? []
        guard !onChips.isEmpty else { return [] }
        let readers: [(reader: any FingerprintReader, description: ReaderDescription)]
        do throws(VaultError) {
            readers = try await gatekeeper.permittedReaders()
        } catch {
            let reason = AuthenticationError(error)
            return onChips.map { LeftPrint(finger: $0.stored.finger, reason: reason) }
        }
        var left: [LeftPrint] = []
        for (stored, print) in onChips {
            let reader = readers.first { $0.description.identity == stored.reader }?.reader
            if let reason = await reasonToStay(print, on: reader) {
                left.append(LeftPrint(finger: stored.finger, reason: reason))
            }
        }
        return left
    }

    private func reasonToStay(
        _ print: Print?, on reader: (any FingerprintReader)?
    ) async -> AuthenticationError? {
        guard let reader else { return .readerNotFound }
        guard let print else {
            return .printUnusable(.whorl("the store's copy of it cannot be read"))
        }
        do throws(VaultError) {
            return try await delete(print, from: reader)
        } catch {
            return AuthenticationError(error)
        }
    }
}
