public import WhorlBiometrics
import WhorlCrypto
import WhorlDatabase
public import WhorlSecrets

extension Vault {
    /// Changes the credential, or resets it by the recovery key.
    ///
    /// After a change every key opens with the new one as it did with the old one. After a reset
    /// those do that the recovery key opens; any other key has lost the credential's way.
    ///
    /// - Parameters:
    ///   - pin: The new PIN or passphrase, 6 to 1024 bytes.
    ///   - grant: A grant to change the credential, by the old one or by the recovery key.
    /// - Returns: The keys that the credential does not open any more, by name.
    /// - Throws: ``VaultError/unacceptableCredential(_:)`` with the rule that the PIN breaks;
    ///   ``VaultError/internalError(_:)`` for a grant of another vault or for something else;
    ///   ``VaultError/damaged(_:)``, ``VaultError/storeBusy``, ``VaultError/storage(_:)``. The old
    ///   credential is as good as before then.
    public func changeCredential(
        to pin: HeldSecret, grant: consuming Grant
    ) async throws(VaultError) -> [KeyName] {
        try checkForRenewal(grant, purpose: .changeCredential)
        let old = try existingRecord(of: grant.subject)
        var new = old
        let derived = try await derive(fromNew: pin)
        new.salt = derived.salt
        new.parameters = derived.parameters
        let before = try storedKeys(of: grant.subject)
        var changed: [StoredKey] = []
        var lost: [KeyName] = []
        if grant.recovery == nil {
            new.credential = try await changedObject(old.credential, derived.secret, grant)
        } else {
            new.credential = try await store.makeCredential(
                from: derived.secret, for: grant.subject)
            for key in before where key.attributes.access.ways.contains(where: \.needsCredential) {
                let rewrapped = try await rewrapped(key, to: new.credential, grant)
                if rewrapped.withdrawn.contains(.credential) { lost.append(key.attributes.name) }
                changed.append(rewrapped)
            }
        }
        try replace(old, with: new.authenticated(by: storageKey), before, by: changed)
        sweep()
        return lost
    }

    private func changedObject(
        _ object: [UInt8], _ derived: borrowing SecretBytes, _ grant: borrowing Grant
    ) async throws(VaultError) -> [UInt8] {
        switch grant.credential {
        case .some(let proof):
            return try await store.changeCredential(object, to: derived, proof: proof)
        case .none: throw .internalError("a grant says that the PIN was given, without its proof")
        }
    }

    // A key whose ways with the credential are of another credential from now on.
    private func rewrapped(
        _ key: StoredKey, to object: [UInt8], _ grant: borrowing Grant
    ) async throws(VaultError) -> StoredKey {
        var withdrawn = key.withdrawn
        var wrapped = key.wrapped
        if let payloadKey = try await payloadKey(of: key, grant) {
            withdrawn.remove(.credential)
            wrapped = try await wrap(
                payloadKey, as: key.attributes, credential: object, without: withdrawn, grant)
        } else {
            withdrawn.insert(.credential)
        }
        return try StoredKey(
            attributes: key.attributes, wrapped: wrapped, recovery: key.recovery,
            withdrawn: withdrawn, publicHalf: key.publicHalf, authenticatedBy: storageKey)
    }

    // MARK: Keys

    /// Makes keys open again for the fingers that are enrolled and the credential of now.
    ///
    /// - Parameters:
    ///   - names: The keys; nil for all that the grant opens.
    ///   - grant: A grant to renew keys, by the credential or by the recovery key.
    /// - Returns: The keys that open again, and those that the grant does not open.
    /// - Throws: ``VaultError/noSuchKey`` for a name that is not there;
    ///   ``VaultError/authentication(_:)`` with `stepUpDue` where an enrolment was cut off;
    ///   ``VaultError/internalError(_:)`` for a grant of another vault or for something else;
    ///   ``VaultError/damaged(_:)``, ``VaultError/storeBusy``, ``VaultError/storage(_:)``. All is as
    ///   it was then.
    public func renewKeys(
        _ names: [KeyName]?, grant: consuming Grant
    ) async throws(VaultError) -> KeyRenewal {
        try checkForRenewal(grant, purpose: .renewKeys)
        let record = try existingRecord(of: grant.subject)
        let enrollment = try existingEnrollment(of: grant.subject)
        guard !enrollment.isPending else { throw .authentication(.stepUpDue) }
        let all = try storedKeys(of: grant.subject)
        for name in names ?? [] where !all.contains(where: { $0.attributes.name == name }) {
            throw .noSuchKey
        }
        let before = all.filter { names?.contains($0.attributes.name) ?? true }
        var changed: [NewKey] = []
        var unopened: [KeyName] = []
        for key in before {
            guard let payloadKey = try await payloadKey(of: key, grant) else {
                unopened.append(key.attributes.name)
                continue
            }
            var attributes = key.attributes
            attributes.generation = enrollment.generation
            let kept: WithdrawnWays = record.consent == .given ? [] : .finger
            changed.append(
                try await resealed(
                    key, payloadKey, as: attributes, record,
                    without: key.withdrawn.intersection(kept.union(.recovery)), grant))
        }
        try tables.database.transaction { () throws(VaultError) in
            try checkIsUnchanged(enrollment)
            try checkIsUnchanged(record)
            try checkAreUnchanged(before)
            for key in changed { try rewrite(key) }
        }
        sweep()
        let renewed = changed.map { $0.key.info(at: enrollment.generation) }
        return KeyRenewal(renewed: renewed, unopened: unopened)
    }

    /// Seals a key anew under other attributes.
    ///
    /// The payload key is a new one, but for a signing key, which is what it wraps.
    func resealed(
        _ key: StoredKey, _ payloadKey: consuming SecretBytes, as attributes: KeyAttributes,
        _ record: SubjectRecord, without withdrawn: WithdrawnWays, _ grant: borrowing Grant
    ) async throws(VaultError) -> NewKey {
        let stored = try tables.payload(of: attributes.id)
        guard let stored else { throw .noSuchKey }
        var payload = stored
        var newKey = payloadKey
        if attributes.kind == .secret {
            let secret = try Payload.open(stored, under: newKey, key.attributes)
            newKey = try memory { () throws(SecretMemoryError) in
                try SecretBytes(randomCount: AESGCM.keyCount)
            }
            payload = try Payload.seal(secret, under: newKey, attributes)
        }
        let wrapped = try await wrap(
            newKey, as: attributes, credential: record.credential, without: withdrawn, grant)
        let recovery =
            attributes.isRecoverable(without: withdrawn)
            ? try RecoveryBranch.wrap(newKey, to: record.recovery, attributes) : nil
        let new = try StoredKey(
            attributes: attributes, wrapped: wrapped, recovery: recovery, withdrawn: withdrawn,
            publicHalf: key.publicHalf, authenticatedBy: storageKey)
        return NewKey(key: new, payload: payload, generation: nil, record: record.code)
    }

    private func wrap(
        _ payloadKey: borrowing SecretBytes, as attributes: KeyAttributes, credential: [UInt8],
        without withdrawn: WithdrawnWays, _ grant: borrowing Grant
    ) async throws(VaultError) -> WrappedKey {
        let wrapped = try await store.wrap(payloadKey, as: attributes, credential: credential)
        guard withdrawn.contains(.finger) else { return wrapped }
        return try await store.withdrawFinger(from: wrapped, as: attributes, grant: grant)
    }

    // MARK: What renewals share

    /// The payload key of a key, where the credential or the recovery key of a grant opens it.
    ///
    /// - Returns: The key; nil where what was given is no way into it.
    func payloadKey(
        of key: StoredKey, _ grant: borrowing Grant
    ) async throws(VaultError) -> SecretBytes? {
        let pair: P256PrivateKey
        switch grant.recovery {
        case .none:
            guard !key.withdrawn.contains(.credential) else { return nil }
            return try await store.unwrapByCredential(
                key.wrapped, as: key.attributes, grant: grant)
        case .some(let proof):
            guard proof.subject == grant.subject else {
                throw .internalError("a recovery key is of another subject")
            }
            pair = try proof.pair()
        }
        guard let branch = key.recovery else { return nil }
        return try RecoveryBranch.unwrap(branch, with: pair, key.attributes)
    }

    /// Checks a grant that must bring the credential's proof, or the recovery key's.
    func checkForRenewal(
        _ grant: borrowing Grant, purpose: GrantPurpose
    ) throws(VaultError) {
        try check(grant, isFor: purpose)
        if grant.factors == [.recoveryKey], grant.recovery != nil { return }
        guard grant.factors.contains(.deviceCredential), grant.hasProof else {
            throw .authentication(
                .notPermitted(.whorl("this needs the PIN or the recovery key")))
        }
    }

    /// Writes another record of a subject, and keys that belong to it, at once.
    func replace(
        _ old: SubjectRecord, with new: SubjectRecord, _ before: [StoredKey],
        by changed: [StoredKey]
    ) throws(VaultError) {
        try tables.database.transaction { () throws(VaultError) in
            try checkIsUnchanged(old)
            try checkAreUnchanged(before, of: old.subject)
            try tables.write(new)
            for key in changed { try tables.update(key.row) }
        }
    }

    /// What was waited for since must not have changed what was decided on.
    func checkIsUnchanged(_ record: SubjectRecord) throws(VaultError) {
        guard try existingRecord(of: record.subject).code == record.code else {
            throw .storeBusy
        }
    }

    /// That each of these keys is still there as it was.
    private func checkAreUnchanged(_ keys: [StoredKey]) throws(VaultError) {
        for key in keys {
            let row = try tables.key(key.attributes.name, of: key.attributes.subject)
            guard row?.code == key.code else { throw .storeBusy }
        }
    }

    /// That these are all keys that there are, each as it was.
    func checkAreUnchanged(
        _ keys: [StoredKey], of subject: Subject
    ) throws(VaultError) {
        guard try tables.keys(of: subject).map(\.code) == keys.map(\.code) else {
            throw .storeBusy
        }
    }
}
