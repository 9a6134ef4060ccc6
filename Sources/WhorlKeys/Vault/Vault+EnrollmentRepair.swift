public import WhorlBiometrics
import WhorlDatabase

extension Vault {
    /// Takes away the mark that a crash left: the generation moves, since nobody knows what became
    /// of the set.
    ///
    /// A list of fingers that something else changed ends so too, and with it every print, since
    /// nobody knows whose they are.
    ///
    /// - Parameter grant: A grant to change the enrolment, by the credential.
    /// - Returns: The keys whose finger's way died, by name; none where there was no mark.
    /// - Throws: ``VaultError/authentication(_:)`` where the credential was not given;
    ///   ``VaultError/internalError(_:)`` for a grant of another vault or for something else;
    ///   ``VaultError/damaged(_:)``, ``VaultError/storeBusy``, ``VaultError/storage(_:)``.
    public func resolvePendingEnrollment(
        _ grant: consuming Grant
    ) async throws(VaultError) -> [KeyName] {
        try checkForChange(grant)
        let subject = grant.subject
        let old: EnrollmentRecord
        do throws(VaultError) {
            old = try existingEnrollment(of: subject)
        } catch {
            guard case .damaged = error else { throw error }
            return try await restartEnrollment(of: subject)
        }
        guard old.isPending else { return [] }
        let next = try nextGeneration(after: old)
        try await store.advanceGeneration(of: subject, to: next)
        return try tables.database.transaction { () throws(VaultError) in
            try checkIsUnchanged(old)
            let dead = try dyingKeys(of: old)
            try tables.write(try changed(old, generation: next, isPending: false))
            return dead
        }
    }

    // A set without a finger, of a generation that no key was ever made in: the number in a list that
    // was changed may be an older one, which would let old keys live again.
    private func restartEnrollment(of subject: Subject) async throws(VaultError) -> [KeyName] {
        let keys = try storedKeys(of: subject)
        let highest = keys.map(\.attributes.generation).max() ?? 0
        let found = try tables.enrollment(of: subject)?.generation ?? 0
        let (next, overflow) = max(highest, found == .max ? 0 : found)
            .addingReportingOverflow(1)
        guard !overflow, next > 0 else { throw .damaged("the enrolment generation is at its end") }
        try await store.advanceGeneration(of: subject, to: next)
        let record = try EnrollmentRecord(
            subject: subject, generation: next, isPending: false, prints: [],
            authenticatedBy: storageKey)
        try tables.database.transaction { () throws(VaultError) in
            // Another process may have seen to it meanwhile.
            guard try isDamaged(subject) else { throw .storeBusy }
            try tables.removePrints(of: subject)
            try tables.write(record)
        }
        sweep()
        return keys.filter { $0.attributes.access.ways.contains(where: \.isBoundToGeneration) }
            .map(\.attributes.name)
    }

    private func isDamaged(_ subject: Subject) throws(VaultError) -> Bool {
        do throws(VaultError) {
            _ = try existingEnrollment(of: subject)
            return false
        } catch {
            guard case .damaged = error else { throw error }
            return true
        }
    }
}
