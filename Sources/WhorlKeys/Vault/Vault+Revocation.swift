public import WhorlBiometrics
import WhorlDatabase

extension Vault {
    /// What revoking a subject's consent would do.
    ///
    /// - Parameter subject: Who.
    /// - Returns: What would go, and what would stay.
    /// - Throws: ``VaultError/notSetUp``, ``VaultError/damaged(_:)``, ``VaultError/storeBusy``,
    ///   ``VaultError/storage(_:)``.
    public func revocation(of subject: Subject) throws(VaultError) -> ConsentRevocation {
        try tables.database.transaction(.read) { () throws(VaultError) in
            _ = try existingRecord(of: subject)
            // Prints that something else changed go too, so they are named as their rows have it.
            return Self.revocation(
                of: try contents(of: subject).fingers, try storedKeys(of: subject))
        }
    }

    private static func revocation(
        of fingers: [Finger], _ keys: [StoredKey]
    ) -> ConsentRevocation {
        ConsentRevocation(
            fingers: fingers,
            deletedKeys: keys.filter(\.opensByFingerOnly).map(\.attributes.name),
            keptKeys: keys.filter { !$0.opensByFingerOnly }.map(\.attributes.name))
    }

    /// Revokes a subject's consent: every print goes, and of every key the fingers' ways.
    ///
    /// Keys that have another way in stay, and the others go. The generation moves. It is one
    /// transaction, and afterwards no byte of what went is left in the files.
    ///
    /// - Parameters:
    ///   - grant: A grant to change the consent, by the credential or the recovery key.
    ///   - unixTime: Now, in seconds since 1970.
    /// - Returns: What went, and what stays; nothing went where it was revoked already.
    /// - Throws: ``VaultError/authentication(_:)`` where neither was given, or the enrolled fingers
    ///   changed meanwhile; ``VaultError/internalError(_:)`` for a grant of another vault or for
    ///   something else; ``VaultError/notSetUp``, ``VaultError/damaged(_:)``,
    ///   ``VaultError/storeBusy``, ``VaultError/storage(_:)``. All is as it was then.
    public func revokeConsent(
        _ grant: consuming Grant, at unixTime: Int64
    ) async throws(VaultError) -> ConsentRevocation {
        try checkForRenewal(grant, purpose: .changeConsent)
        let subject = grant.subject
        let old = try existingRecord(of: subject)
        let enrollment = try existingEnrollment(of: subject)
        let before = try storedKeys(of: subject)
        let revocation = Self.revocation(of: enrollment.prints.map(\.print.finger), before)
        guard old.consent == .given else { return revocation }
        var changed: [StoredKey] = []
        for key in before where key.attributes.access.mentionsFinger && !key.opensByFingerOnly {
            changed.append(try await withoutFinger(key, grant))
        }
        var new = old
        new.consent = .revoked
        new.consentAt = unixTime
        let record = try new.authenticated(by: storageKey)
        let next = try nextGeneration(after: enrollment)
        try await store.advanceGeneration(of: subject, to: next)
        try tables.database.transaction { () throws(VaultError) in
            try checkIsUnchanged(old)
            try checkIsUnchanged(enrollment)
            try checkAreUnchanged(before, of: subject)
            try tables.write(record)
            try tables.removePrints(of: subject)
            try tables.write(
                try self.changed(enrollment, generation: next, isPending: false, prints: []))
            for key in changed { try tables.update(key.row) }
            for key in before where key.opensByFingerOnly {
                _ = try tables.removeKey(key.attributes.id)
            }
        }
        sweep()
        return revocation
    }

    private func withoutFinger(
        _ key: StoredKey, _ grant: borrowing Grant
    ) async throws(VaultError) -> StoredKey {
        let wrapped = try await store.withdrawFinger(
            from: key.wrapped, as: key.attributes, grant: grant)
        return try StoredKey(
            attributes: key.attributes, wrapped: wrapped, recovery: key.recovery,
            withdrawn: key.withdrawn.union(.finger), publicHalf: key.publicHalf,
            authenticatedBy: storageKey)
    }
}

extension StoredKey {
    /// Whether nothing would open it without fingers.
    fileprivate var opensByFingerOnly: Bool {
        let generation = attributes.generation
        return attributes.access.mentionsFinger
            && attributes.state(at: generation, without: withdrawn.union(.finger)) == .dead
    }
}
