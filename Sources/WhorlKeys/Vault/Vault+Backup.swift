package import WhorlBiometrics
import WhorlCrypto
import WhorlDatabase
package import WhorlSecrets

extension Vault {
    /// Makes a backup of the keys of a subject that the recovery key opens, at one instant.
    ///
    /// - Throws: ``VaultError/notSetUp``; ``VaultError/tooLarge(limit:)``; ``VaultError/damaged(_:)``
    ///   where a key is not as it was stored; ``VaultError/storeBusy``, ``VaultError/storage(_:)``.
    package func backUp(_ subject: Subject) throws(VaultError) -> StoreBackup {
        let content = try tables.database.transaction(.read) { () throws(VaultError) in
            let record = try existingRecord(of: subject)
            var keys: [RecoverableKey] = []
            var leftOut: [UnrecoverableKey] = []
            for key in try storedKeys(of: subject) {
                let name = key.attributes.name.text
                guard key.attributes.kind == .secret else {
                    leftOut.append(UnrecoverableKey(name: name, reason: .signing))
                    continue
                }
                guard let branch = key.recovery else {
                    leftOut.append(UnrecoverableKey(name: name, reason: .withoutRecovery))
                    continue
                }
                guard let payload = try tables.payload(of: key.attributes.id) else {
                    throw .damaged("the key \(name) was changed")
                }
                keys.append(
                    RecoverableKey(attributes: key.attributes, branch: branch, payload: payload))
            }
            return RecoverableKeys(
                vaultID: id, subject: subject, publicHalf: record.recovery, keys: keys,
                leftOut: leftOut)
        }
        return StoreBackup(
            contents: try BackupFile.write(content), keys: content.keys.map(\.attributes.name),
            leftOut: content.leftOut)
    }

    /// Stores the keys of a backup as keys of a subject of this store.
    ///
    /// Each is sealed anew for the fingers, the credential and the recovery key of now, with the access
    /// control that it had. All are there when it returns, or none.
    ///
    /// - Parameters:
    ///   - backup: The keys.
    ///   - recoveryKey: The recovery key that opens them, in its written form.
    ///   - subject: Whose they become.
    /// - Returns: What became of each.
    /// - Throws: ``VaultError/notSetUp``; ``VaultError/invalidRecoveryKey(_:)`` for a mistyped
    ///   recovery key; ``VaultError/authentication(_:)`` with `wrongRecoveryKey` for another one, with
    ///   `enrollmentChanged` where the fingers changed meanwhile; ``VaultError/damaged(_:)``,
    ///   ``VaultError/storeBusy``, ``VaultError/storage(_:)``. Nothing was stored then.
    package func restore(
        _ backup: RecoverableKeys, with recoveryKey: HeldSecret, for subject: Subject
    ) async throws(VaultError) -> KeyRestoration {
        let record = try existingRecord(of: subject)
        let enrollment = try existingEnrollment(of: subject)
        let pair = try backup.pair(of: recoveryKey)
        var new: [(key: StoredKey, payload: [UInt8])] = []
        var kept: [KeyName] = []
        var failed: [KeyRestoration.Failure] = []
        for key in backup.keys {
            let name = key.attributes.name
            guard try tables.key(name, of: subject) == nil else {
                kept.append(name)
                continue
            }
            do throws(VaultError) {
                try checkRestorable(key.attributes, record, enrollment)
                let secret = try key.open(with: pair)
                let attributes = adopted(key.attributes, by: subject, at: enrollment.generation)
                let sealed = try await seal(secret, attributes, record)
                new.append((sealed.0, sealed.1))
            } catch {
                guard Self.isOfOneKey(error) else { throw error }
                failed.append(KeyRestoration.Failure(name: name, error: error))
            }
        }
        let restored = try insert(new, record, enrollment, kept: &kept)
        return KeyRestoration(restored: restored, kept: kept, failed: failed)
    }

    private func insert(
        _ new: [(key: StoredKey, payload: [UInt8])], _ record: SubjectRecord,
        _ enrollment: EnrollmentRecord, kept: inout [KeyName]
    ) throws(VaultError) -> [KeyInfo] {
        var restored: [KeyInfo] = []
        var taken: [KeyName] = []
        try tables.database.transaction { () throws(VaultError) in
            try checkIsUnchanged(record)
            try checkIsUnchanged(enrollment)
            for (key, payload) in new {
                let name = key.attributes.name
                // Somebody else may have put one meanwhile.
                guard try tables.key(name, of: record.subject) == nil else {
                    taken.append(name)
                    continue
                }
                try tables.insert(key.row, of: record.subject, payload: payload)
                restored.append(key.info(at: enrollment.generation))
            }
        }
        kept += taken
        return restored
    }

    // What this store cannot hold as it was is not restored as less.
    private func checkRestorable(
        _ attributes: KeyAttributes, _ record: SubjectRecord, _ enrollment: EnrollmentRecord
    ) throws(VaultError) {
        try checkOptions(
            KeyOptions(
                access: attributes.access, minimumStrength: attributes.minimumStrength,
                reuseSeconds: attributes.reuseSeconds, isBootBound: attributes.isBootBound),
            strength: attributes.minimumStrength)
        guard attributes.access.mentionsFinger else { return }
        guard record.consent == .given else { throw .authentication(.disabledByPolicy) }
        // With another way in it opens at once, and its finger's way with the next rebinding.
        guard attributes.access.ways.allSatisfy(\.needsFinger) else { return }
        guard !enrollment.isPending else { throw .authentication(.stepUpDue) }
        guard !enrollment.prints.isEmpty else { throw .authentication(.notEnrolled) }
    }

    private func adopted(
        _ attributes: KeyAttributes, by subject: Subject, at generation: Int64
    ) -> KeyAttributes {
        KeyAttributes(
            vaultID: id, subject: subject, id: KeyID(), name: attributes.name,
            kind: attributes.kind, store: store.kind, access: attributes.access,
            minimumStrength: attributes.minimumStrength, reuseSeconds: attributes.reuseSeconds,
            isBootBound: attributes.isBootBound, hasRecovery: true,
            isSimulated: attributes.isSimulated, created: attributes.created,
            generation: generation)
    }

    // What is wrong with one key keeps no other from being restored; a full disk keeps them all.
    private static func isOfOneKey(_ error: VaultError) -> Bool {
        switch error {
        case .damaged, .unenforceable, .authentication: true
        default: false
        }
    }
}
