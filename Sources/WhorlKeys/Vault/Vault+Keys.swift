public import WhorlBiometrics
import WhorlCrypto
import WhorlDatabase
public import WhorlSecrets

extension Vault {
    /// The most bytes that a secret may have: 1 MiB.
    public static let maximumSecretCount = AESGCM.maximumPlaintextCount

    /// Stores a secret under a new name.
    ///
    /// - Parameters:
    ///   - secret: The secret, 1 byte to 1 MiB.
    ///   - name: The new name.
    ///   - subject: Whose key it is.
    ///   - options: Who may open it, and how.
    ///   - strength: The least strength of a finger; nil exactly where no finger opens it.
    ///   - isSimulated: Whether it is made with a simulated reader.
    ///   - unixTime: Now, in seconds since 1970.
    /// - Returns: What may be known of the key.
    /// - Throws: ``VaultError/notSetUp``; ``VaultError/keyExists``; ``VaultError/emptySecret``,
    ///   ``VaultError/tooLarge(limit:)``; ``VaultError/unenforceable(_:)`` for what this store
    ///   cannot enforce; ``VaultError/authentication(_:)`` with `notEnrolled` for a finger term where
    ///   none is enrolled, `disabledByPolicy` where consent was revoked, `strengthNotReached` for a
    ///   strength that this store never reaches,
    ///   `stepUpDue` where an enrolment was cut off; ``VaultError/damaged(_:)``,
    ///   ``VaultError/storeBusy``, ``VaultError/storage(_:)``.
    public func put(
        _ secret: consuming SecretBytes, as name: KeyName, for subject: Subject,
        options: KeyOptions, strength: Strength?, isSimulated: Bool, at unixTime: Int64
    ) async throws(VaultError) -> KeyInfo {
        let record = try existingRecord(of: subject)
        guard try tables.key(name, of: subject) == nil else { throw .keyExists }
        let new = try await wrap(
            secret, as: name, for: record, options: options, strength: strength,
            isSimulated: isSimulated, at: unixTime)
        return try tables.database.transaction { () throws(VaultError) in
            guard try tables.key(name, of: subject) == nil else { throw .keyExists }
            return try insert(new)
        }
    }

    /// The keys of a subject, by name.
    ///
    /// - Throws: ``VaultError/damaged(_:)``, ``VaultError/storeBusy``, ``VaultError/storage(_:)``.
    public func keys(of subject: Subject) throws(VaultError) -> [KeyInfo] {
        try tables.database.transaction(.read) { () throws(VaultError) in
            let generation = try currentGeneration(of: subject)
            return try storedKeys(of: subject).map { $0.info(at: generation) }
        }
    }

    /// A key of a subject.
    ///
    /// - Throws: ``VaultError/noSuchKey``; ``VaultError/damaged(_:)``, ``VaultError/storeBusy``,
    ///   ``VaultError/storage(_:)``.
    public func key(_ name: KeyName, of subject: Subject) throws(VaultError) -> KeyRecord {
        try tables.database.transaction(.read) { () throws(VaultError) in
            let generation = try currentGeneration(of: subject)
            return try storedKey(name, of: subject).record(at: generation)
        }
    }

    /// Opens a key.
    ///
    /// Nothing is written.
    ///
    /// - Parameters:
    ///   - name: The key of the grant's subject.
    ///   - grant: A grant to open this very key.
    /// - Returns: The secret.
    /// - Throws: ``VaultError/noSuchKey``; ``VaultError/wrongKind(_:)`` for a key that signs;
    ///   ``VaultError/keyInvalidated`` where the finger's way is dead and no other is open to the
    ///   grant; ``VaultError/authentication(_:)`` with why the
    ///   factors given do not open it; ``VaultError/internalError(_:)`` for a grant of another vault
    ///   or for something else; ``VaultError/damaged(_:)``, ``VaultError/storeBusy``,
    ///   ``VaultError/storage(_:)``.
    public func open(
        _ name: KeyName, grant: consuming Grant
    ) async throws(VaultError) -> SecretBytes {
        let found = try tables.database.transaction(.read) { () throws(VaultError) in
            let found = try admitted(name, grant)
            try found.key.check(isOf: .secret)
            guard let payload = try tables.payload(of: found.key.attributes.id) else {
                throw .noSuchKey
            }
            return (key: found.key, way: found.way, payload: payload)
        }
        let payloadKey = try await unwrapped(found.key, through: found.way, grant)
        return try Payload.open(found.payload, under: payloadKey, found.key.attributes)
    }

    /// Replaces a key, which needs what opening it needs.
    ///
    /// - Parameters:
    ///   - secret: The new secret, 1 byte to 1 MiB.
    ///   - name: The key of the grant's subject.
    ///   - options: Who may open the new one, and how.
    ///   - strength: The least strength of a finger; nil exactly where no finger opens it.
    ///   - isSimulated: Whether it is made with a simulated reader.
    ///   - grant: A grant to open the old one.
    ///   - unixTime: Now, in seconds since 1970.
    /// - Returns: What may be known of the new one.
    /// - Throws: As ``open(_:grant:)`` and
    ///   ``put(_:as:for:options:strength:isSimulated:at:)``; the old one is still there then.
    public func replace(
        _ secret: consuming SecretBytes, as name: KeyName, options: KeyOptions,
        strength: Strength?, isSimulated: Bool, grant: consuming Grant, at unixTime: Int64
    ) async throws(VaultError) -> KeyInfo {
        let subject = grant.subject
        let old = try tables.database.transaction(.read) { () throws(VaultError) in
            let key = try admitted(name, grant).key
            try key.check(isOf: .secret)
            return key.attributes.id
        }
        let new = try await wrap(
            secret, as: name, for: existingRecord(of: subject), options: options,
            strength: strength, isSimulated: isSimulated, at: unixTime)
        let info = try tables.database.transaction { () throws(VaultError) in
            guard try tables.removeKey(old) else { throw .noSuchKey }
            return try insert(new)
        }
        sweep()
        return info
    }

    /// Removes a key, which needs what opening it needs; of one that nothing opens any more, the
    /// credential.
    ///
    /// - Parameters:
    ///   - name: The key of the grant's subject.
    ///   - kind: The kind that it must be of, so that nobody removes what they did not mean.
    ///   - grant: A grant to open it.
    /// - Throws: ``VaultError/wrongKind(_:)`` for a key of another kind; else as
    ///   ``open(_:grant:)``.
    public func remove(
        _ name: KeyName, of kind: KeyKind = .secret, grant: consuming Grant
    ) throws(VaultError) {
        try tables.database.transaction { () throws(VaultError) in
            let key = try removable(name, grant)
            try key.check(isOf: kind)
            guard try tables.removeKey(key.attributes.id) else { throw .noSuchKey }
        }
        sweep()
    }

    private func removable(
        _ name: KeyName, _ grant: borrowing Grant
    ) throws(VaultError) -> StoredKey {
        let key = try storedKey(name, of: grant.subject)
        let generation = try currentGeneration(of: grant.subject)
        guard key.info(at: generation).state.isClosed,
            grant.factors.contains(.deviceCredential), grant.hasProof
        else { return try admitted(name, grant).key }
        try check(grant, isFor: .openKey(key.attributes.id))
        return key
    }

    // MARK: Rows

    func storedKeys(of subject: Subject) throws(VaultError) -> [StoredKey] {
        var keys: [StoredKey] = []
        for row in try tables.keys(of: subject) {
            keys.append(try StoredKey(row, of: subject, key: storageKey))
        }
        return keys
    }

    func storedKey(_ name: KeyName, of subject: Subject) throws(VaultError) -> StoredKey {
        guard let row = try tables.key(name, of: subject) else { throw .noSuchKey }
        return try StoredKey(row, of: subject, key: storageKey)
    }

    // A key and the way into it that is open to a grant; no way for the recovery key.
    func admitted(
        _ name: KeyName, _ grant: borrowing Grant
    ) throws(VaultError) -> (key: StoredKey, way: AccessWay?) {
        let key = try storedKey(name, of: grant.subject)
        if grant.vaultID == id, case .openKey(let asked) = grant.purpose,
            asked != key.attributes.id, try tables.payload(of: asked) == nil
        {
            // Another process replaced it while the person was asked: trying again serves.
            throw .storeBusy
        }
        try check(grant, isFor: .openKey(key.attributes.id))
        if grant.factors == [.recoveryKey] {
            try checkRecovery(of: key, grant)
            return (key, nil)
        }
        var enrollment: Result<EnrollmentState, VaultError>
        do throws(VaultError) {
            try checkPermitsFingers(grant.subject)
            if let restoration = try restoration(of: grant.subject) {
                throw .authentication(.storeRestored(restoration))
            }
            enrollment = .success(try existingEnrollment(of: grant.subject).state())
        } catch {
            // What closes the finger's ways only; a disk that fails has ended the transaction.
            switch error {
            case .damaged, .authentication: enrollment = .failure(error)
            default: throw error
            }
        }
        let admission = KeyAdmission(
            attributes: key.attributes, withdrawn: key.withdrawn, enrollment: enrollment)
        return (key, try admission.way(for: grant))
    }

    private func checkRecovery(
        of key: StoredKey, _ grant: borrowing Grant
    ) throws(VaultError) {
        if key.attributes.isSimulated, !grant.allowsSimulated {
            throw .authentication(.simulatedNotAllowed)
        }
        guard key.recovery != nil else { throw .noRecovery }
    }

    private func unwrapped(
        _ key: StoredKey, through way: AccessWay?, _ grant: borrowing Grant
    ) async throws(VaultError) -> SecretBytes {
        if let way {
            return try await store.unwrap(
                key.wrapped, as: key.attributes, through: way, grant: grant)
        }
        guard let payloadKey = try await payloadKey(of: key, grant) else { throw .noRecovery }
        return payloadKey
    }

    // MARK: Wrapping

    /// A key that is ready to be written.
    struct NewKey {
        let key: StoredKey
        let payload: [UInt8]
        /// The generation that the subject must still have when it is written; nil for any.
        let generation: Int64?
        /// The code of the subject's record, whose credential and recovery key it is wrapped for.
        let record: [UInt8]
    }

    /// Writes a new key, where all is still so that it opens as it should.
    func insert(_ new: NewKey) throws(VaultError) -> KeyInfo {
        let attributes = new.key.attributes
        // Wrapped for a credential that was changed meanwhile, it would open with none.
        guard try existingRecord(of: attributes.subject).code == new.record else {
            throw .storeBusy
        }
        let current = try existingEnrollment(of: attributes.subject)
        if let generation = new.generation {
            guard current.generation == generation, !current.isPending else {
                throw .authentication(.enrollmentChanged)
            }
        }
        try tables.insert(new.key.row, of: attributes.subject, payload: new.payload)
        return new.key.info(at: current.generation)
    }

    private func wrap(
        _ secret: borrowing SecretBytes, as name: KeyName, for record: SubjectRecord,
        options: KeyOptions, strength: Strength?, isSimulated: Bool, at unixTime: Int64
    ) async throws(VaultError) -> NewKey {
        guard !secret.isEmpty else { throw .emptySecret }
        guard secret.count <= Self.maximumSecretCount else {
            throw .tooLarge(limit: Self.maximumSecretCount)
        }
        let attributes = try attributes(
            ofNew: name, kind: .secret, for: record.subject, options: options, strength: strength,
            isSimulated: isSimulated, at: unixTime)
        let (key, payload) = try await seal(secret, attributes, record)
        return NewKey(
            key: key, payload: payload,
            generation: options.access.mentionsFinger ? attributes.generation : nil,
            record: record.code)
    }

    /// The attributes of a key that is to be made now.
    ///
    /// - Throws: What keeps it from being made.
    func attributes(
        ofNew name: KeyName, kind: KeyKind, for subject: Subject, options: KeyOptions,
        strength: Strength?, isSimulated: Bool, at unixTime: Int64
    ) throws(VaultError) -> KeyAttributes {
        try checkOptions(options, strength: strength)
        let enrollment = try existingEnrollment(of: subject)
        if options.access.mentionsFinger {
            guard try existingRecord(of: subject).consent == .given else {
                throw .authentication(.disabledByPolicy)
            }
            guard !enrollment.isPending else { throw .authentication(.stepUpDue) }
            guard !enrollment.prints.isEmpty else { throw .authentication(.notEnrolled) }
        }
        return KeyAttributes(
            vaultID: id, subject: subject, id: KeyID(), name: name, kind: kind,
            store: store.kind, access: options.access, minimumStrength: strength,
            reuseSeconds: options.reuseSeconds, isBootBound: options.isBootBound,
            hasRecovery: options.hasRecovery, isSimulated: isSimulated, created: unixTime,
            generation: enrollment.generation)
    }

    /// Writes a key that was sealed anew in the place of the old one.
    func rewrite(_ key: NewKey) throws(VaultError) {
        guard try tables.removeKey(key.key.attributes.id) else { throw .noSuchKey }
        try tables.insert(key.key.row, of: key.key.attributes.subject, payload: key.payload)
    }

    /// Seals a secret under a new payload key, and wraps that for every way in.
    func seal(
        _ secret: borrowing SecretBytes, _ attributes: KeyAttributes, _ record: SubjectRecord
    ) async throws(VaultError) -> (StoredKey, [UInt8]) {
        let payloadKey = try memory { () throws(SecretMemoryError) in
            try SecretBytes(randomCount: AESGCM.keyCount)
        }
        let wrapped = try await store.wrap(
            payloadKey, as: attributes, credential: record.credential)
        let recovery =
            attributes.hasRecovery
            ? try RecoveryBranch.wrap(payloadKey, to: record.recovery, attributes) : nil
        let key = try StoredKey(
            attributes: attributes, wrapped: wrapped, recovery: recovery,
            authenticatedBy: storageKey)
        return (key, try Payload.seal(secret, under: payloadKey, attributes))
    }

    /// Checks how a key is to be opened; what cannot be enforced is refused, never ignored.
    func checkOptions(_ options: KeyOptions, strength: Strength?) throws(VaultError) {
        guard !options.isBootBound || store.bindsToBoot else {
            throw .unenforceable("this store cannot bind a key to how the machine booted")
        }
        guard options.reuseSeconds == 0 else {
            throw .unenforceable("this store keeps no reuse window")
        }
        guard options.access.mentionsFinger else {
            guard strength == nil, options.minimumStrength == nil else {
                throw .unenforceable("a strength was asked for, but no finger opens this key")
            }
            return
        }
        guard let strength else { throw .authentication(.strengthNotReached) }
        guard strength <= store.strongestMinimum,
            options.minimumStrength.map({ $0 <= strength }) ?? true
        else { throw .authentication(.strengthNotReached) }
    }
}
