import WhorlBiometrics
import WhorlKeys

// What secrets and signing keys have in common in a session of this process.

extension Vault {
    /// A key that must be of a kind, as it is said before anybody is asked.
    func key(
        _ name: KeyName, of subject: Subject, kind: KeyKind
    ) throws(VaultError) -> KeyRecord {
        let key = try key(name, of: subject)
        guard key.info.kind == kind else { throw .wrongKind(key.info.kind) }
        return key
    }

    /// Whether a name is taken, by a key of any kind.
    func has(_ name: KeyName, of subject: Subject) throws(VaultError) -> Bool {
        do throws(VaultError) {
            _ = try key(name, of: subject)
            return true
        } catch {
            guard error == .noSuchKey else { throw error }
            return false
        }
    }
}

extension Authenticator {
    /// Removes a key of a kind.
    func removeKey(
        _ name: KeyName, kind: KeyKind, of subject: Subject, request: AuthenticationRequest
    ) async throws(VaultError) {
        let key = try await vault.key(name, of: subject, kind: kind)
        let plan = RequestPlan(removing: key, for: subject)
        let vault = vault
        let done: Bool = try await withGrant(for: plan, request: request) {
            (grant, _) throws(VaultError) in
            try await vault.remove(name, of: kind, grant: grant)
            return true
        }
        assert(done)
    }

    /// What a new key asks of a finger: what the reader in use reaches with this store, so that it
    /// opens with the finger that is enrolled, and with no weaker one.
    ///
    /// - Returns: The least strength, nil where no finger opens the key; and whether it is made with
    ///   a simulated reader.
    /// - Throws: Why it cannot be made.
    func making(
        _ options: KeyOptions, for subject: Subject
    ) async throws(VaultError) -> (strength: Strength?, isSimulated: Bool) {
        guard options.access.mentionsFinger else {
            if options.minimumStrength != nil {
                throw .unenforceable("a strength was asked for, but no finger opens this key")
            }
            return (nil, false)
        }
        let enrollment = try await vault.enrollment(of: subject)
        let policy = gatekeeper.policy
        let consent = try await vault.consent(of: subject, at: timekeeper.unixTime())
        if case .revoked = consent { throw .authentication(.disabledByPolicy) }
        guard !enrollment.prints.isEmpty else { throw .authentication(.notEnrolled) }
        let here = enrollment.prints.filter { policy.reader?.includes($0.reader) ?? true }
        let real = here.filter { !$0.isSimulated }
        let counting = real.isEmpty && policy.simulatedStrength != nil ? here : real
        guard !counting.isEmpty else {
            throw .authentication(here.isEmpty ? .readerNotFound : .simulatedNotAllowed)
        }
        let reached = counting.compactMap { gatekeeper.rating(of: $0).strength }.max()
        guard let reached else { throw .authentication(.strengthNotReached) }
        if let wanted = options.minimumStrength, wanted > reached {
            throw .authentication(.strengthNotReached)
        }
        return (options.minimumStrength ?? reached, real.isEmpty)
    }
}
