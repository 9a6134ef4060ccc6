public import WhorlBiometrics
import WhorlCrypto
import WhorlDatabase
public import WhorlSecrets

extension Vault {
    /// Checks a recovery key.
    ///
    /// Nothing counts or throttles: it has 256 bits.
    ///
    /// - Parameters:
    ///   - recoveryKey: What was given, in the form that ``RecoveryKeyForm`` writes.
    ///   - subject: Whose.
    /// - Returns: The proof that it is right.
    /// - Throws: ``VaultError/invalidRecoveryKey(_:)`` for one that is mistyped;
    ///   ``VaultError/authentication(_:)`` with `wrongRecoveryKey` for another one;
    ///   ``VaultError/notSetUp``;
    ///   ``VaultError/damaged(_:)``, ``VaultError/storeBusy``, ``VaultError/storage(_:)``.
    public func checkRecoveryKey(
        _ recoveryKey: HeldSecret, of subject: Subject
    ) throws(VaultError) -> RecoveryProof {
        let record = try existingRecord(of: subject)
        let pair = try RecoveryBranch.pair(ofWritten: recoveryKey)
        guard pair.publicKey == record.recovery else {
            throw .authentication(.wrongRecoveryKey)
        }
        return RecoveryProof(subject: subject, scalar: pair.intoScalar())
    }

    /// Opens every key that the recovery key should open, to see whether it does.
    ///
    /// - Parameter proof: The proof of the recovery key.
    /// - Returns: The keys that it opens, by name.
    /// - Throws: ``VaultError/damaged(_:)`` where one that it should open does not open;
    ///   ``VaultError/storeBusy``, ``VaultError/storage(_:)``.
    public func recoverableKeys(
        _ proof: consuming RecoveryProof
    ) throws(VaultError) -> [KeyName] {
        let subject = proof.subject
        let pair = try proof.pair()
        return try tables.database.transaction(.read) { () throws(VaultError) in
            var names: [KeyName] = []
            for key in try storedKeys(of: subject) {
                guard let branch = key.recovery else { continue }
                let payloadKey = try RecoveryBranch.unwrap(branch, with: pair, key.attributes)
                guard let payload = try tables.payload(of: key.attributes.id) else { continue }
                _ = try Payload.open(payload, under: payloadKey, key.attributes)
                names.append(key.attributes.name)
            }
            return names
        }
    }

    /// Puts a new recovery key in the place of the one there is.
    ///
    /// Every key that the grant opens is wrapped to the new one. One that it does not open loses the
    /// recovery key's way, since the old key may be in other hands.
    ///
    /// - Parameters:
    ///   - grant: A grant to renew the recovery key, by the old one or by the credential.
    ///   - deliver: Gets the new key as ``RecoveryKeyForm`` writes it, once, before anything is
    ///     kept. If this throws, the old one is as good as before.
    /// - Returns: The keys that no recovery key opens any more, by name.
    /// - Throws: What `deliver` throws; ``VaultError/internalError(_:)`` for a grant of another vault
    ///   or for something else; ``VaultError/damaged(_:)``, ``VaultError/storeBusy``,
    ///   ``VaultError/storage(_:)``. The old one is as good as before then.
    public func renewRecovery(
        _ grant: consuming Grant,
        deliver: @Sendable (borrowing SecretBytes) async throws(VaultError) -> Void
    ) async throws(VaultError) -> [KeyName] {
        try checkForRenewal(grant, purpose: .renewRecovery)
        let old = try existingRecord(of: grant.subject)
        var new = old
        // The payload keys are out before it is shown: the grant may have aged meanwhile, and a key
        // that does not open must not leave a person with a sheet for nothing.
        let before = try storedKeys(of: grant.subject)
        var reachable: [HeldSecret?] = []
        for key in before { reachable.append(try await recoverableKey(of: key, grant)) }
        let recovery = try await newRecoveryKey(deliver)
        new.recovery = recovery
        var lost: [KeyName] = []
        var changed: [StoredKey] = []
        for (key, held) in zip(before, reachable) where key.recovery != nil {
            var withdrawn = key.withdrawn
            var branch: [UInt8]?
            if let payloadKey = held?.take() {
                branch = try RecoveryBranch.wrap(payloadKey, to: recovery, key.attributes)
            } else {
                withdrawn.insert(.recovery)
                lost.append(key.attributes.name)
            }
            changed.append(
                try StoredKey(
                    attributes: key.attributes, wrapped: key.wrapped, recovery: branch,
                    withdrawn: withdrawn, publicHalf: key.publicHalf,
                    authenticatedBy: storageKey))
        }
        try replace(old, with: new.authenticated(by: storageKey), before, by: changed)
        sweep()
        return lost
    }

    // The payload key of a key that the recovery key opens, where the grant opens it too.
    private func recoverableKey(
        of key: StoredKey, _ grant: borrowing Grant
    ) async throws(VaultError) -> HeldSecret? {
        guard key.recovery != nil, let payloadKey = try await payloadKey(of: key, grant) else {
            return nil
        }
        return HeldSecret(payloadKey)
    }

    /// Makes a recovery key and hands it out.
    ///
    /// - Returns: The public half, which is all that is kept of it.
    func newRecoveryKey(
        _ deliver: @Sendable (borrowing SecretBytes) async throws(VaultError) -> Void
    ) async throws(VaultError) -> P256PublicKey {
        let key = try memory { () throws(SecretMemoryError) in
            try SecretBytes(randomCount: RecoveryKeyForm.keyCount)
        }
        let publicHalf: P256PublicKey
        do throws(CryptoError) {
            publicHalf = try RecoveryBranch.pair(of: key).publicKey
        } catch {
            throw VaultError(error, in: "the recovery key")
        }
        let written: SecretBytes
        do throws(RecoveryKeyError) {
            written = try RecoveryKeyForm.write(key)
        } catch {
            throw .internalError(error.message)
        }
        try await deliver(written)
        return publicHalf
    }
}
