public import WhorlBiometrics
import WhorlCrypto
import WhorlDatabase
import WhorlSecrets

extension Vault {
    /// The fingers of a subject.
    ///
    /// - Throws: ``VaultError/damaged(_:)`` where the rows are not what this store wrote last;
    ///   ``VaultError/storeBusy``, ``VaultError/storage(_:)``.
    public func enrollment(of subject: Subject) throws(VaultError) -> EnrollmentState {
        try tables.database.transaction(.read) { () throws(VaultError) in
            guard let record = try enrollmentRecord(of: subject) else {
                return try EnrollmentRecord.nothing()
            }
            return try record.state()
        }
    }

    /// A stored print, decrypted.
    ///
    /// - Throws: ``VaultError/authentication(_:)`` with `enrollmentChanged` where it is not there any
    ///   more; ``VaultError/damaged(_:)`` where it is not the one that was stored for this subject,
    ///   finger and reader; ``VaultError/storeBusy``, ``VaultError/storage(_:)``.
    public func print(_ id: PrintID, of subject: Subject) throws(VaultError) -> Print {
        let record = try tables.database.transaction(.read) { () throws(VaultError) in
            try existingEnrollment(of: subject).prints.first { $0.print.id == id }
        }
        guard let record else { throw .authentication(.enrollmentChanged) }
        return try record.opened(of: subject, under: storageKey)
    }

    /// Marks that an enrolment begins: until it ends no finger of the subject opens anything.
    ///
    /// The mark is on disk when this returns, so that a crash in the middle leaves it.
    ///
    /// - Throws: ``VaultError/notSetUp``; ``VaultError/authentication(_:)`` with `stepUpDue` where a
    ///   mark stands already, which ``resolvePendingEnrollment(_:)`` takes away, and with
    ///   `disabledByPolicy` where fingers are switched off or consent was revoked;
    ///   ``VaultError/damaged(_:)``, ``VaultError/storeBusy``, ``VaultError/storage(_:)``.
    public func beginEnrollment(_ subject: Subject) throws(VaultError) {
        try tables.database.transaction { () throws(VaultError) in
            try checkPermitsFingers(subject)
            let old = try existingEnrollment(of: subject)
            guard !old.isPending else { throw .authentication(.stepUpDue) }
            try tables.write(try changed(old, isPending: true))
        }
    }

    /// Ends an enrolment that left the set as it was: the mark goes, and nothing dies.
    ///
    /// Only for the one who began it and knows how it ended.
    ///
    /// - Throws: ``VaultError/notSetUp``, ``VaultError/damaged(_:)``, ``VaultError/storeBusy``,
    ///   ``VaultError/storage(_:)``.
    public func abandonEnrollment(_ subject: Subject) throws(VaultError) {
        try tables.database.transaction { () throws(VaultError) in
            let old = try existingEnrollment(of: subject)
            guard old.isPending else { return }
            try tables.write(try changed(old, isPending: false))
        }
    }

    /// Adds a finger, or replaces the print of one that is enrolled; the generation moves.
    ///
    /// - Parameters:
    ///   - finger: Which finger.
    ///   - print: Its print, which was confirmed.
    ///   - reader: The reader that it was made on.
    ///   - isSimulated: Whether that reader was simulated.
    ///   - keys: What becomes of keys that are bound to the set as it was.
    ///   - grant: A grant to change the enrolment, with the proof of the credential.
    ///   - unixTime: Now, in seconds since 1970.
    /// - Returns: What changed.
    /// - Throws: ``VaultError/authentication(_:)`` where the credential was not given, or the reader
    ///   is simulated and that was not allowed; ``VaultError/internalError(_:)`` for a grant of
    ///   another vault or for something else, or an enrolment that did not begin;
    ///   ``VaultError/tooLarge(limit:)`` for a print above 1 MiB; ``VaultError/damaged(_:)``,
    ///   ``VaultError/storeBusy``, ``VaultError/storage(_:)``. The set is as it was then.
    public func commitEnrollment(
        finger: Finger, print: Print, reader: ReaderIdentity, isSimulated: Bool, keys: KeyCarry,
        grant: consuming Grant, at unixTime: Int64
    ) async throws(VaultError) -> EnrollmentChange {
        try checkForChange(grant)
        guard grant.hasProof else {
            throw .internalError("a grant says that the PIN was given, without its proof")
        }
        if isSimulated, !grant.allowsSimulated { throw .authentication(.simulatedNotAllowed) }
        let subject = grant.subject
        let old = try existingEnrollment(of: subject)
        guard old.isPending else { throw .internalError("an enrolment ends that did not begin") }
        let new = try PrintRecord(
            sealing: print,
            as: StoredPrint(
                id: PrintID(), finger: finger, reader: reader, enrolled: unixTime,
                isSimulated: isSimulated, isStoredOnChip: print.isStoredOnChip),
            of: subject, under: storageKey)
        let replaced = old.prints.filter { $0.print.finger == finger }
        let oldPrint = try replaced.first?.opened(of: subject, under: storageKey)
        let next = try nextGeneration(after: old)
        let carried = keys == .carry ? try await carry(from: old, to: next, grant) : []
        try await store.advanceGeneration(of: subject, to: next)
        let dead = try tables.database.transaction { () throws(VaultError) in
            try checkPermitsFingers(subject)
            try checkIsUnchanged(old)
            for record in replaced { try tables.removePrint(record.print.id) }
            try tables.insert(new, of: subject)
            // A key that went away meanwhile stays away.
            for key in carried where try isThere(key) { try rewrite(key) }
            let dead = try dyingKeys(of: old)
            let prints = old.prints.filter { $0.print.finger != finger } + [new]
            try tables.write(
                try changed(old, generation: next, isPending: false, prints: prints))
            return dead
        }
        sweep()
        return EnrollmentChange(generation: next, deadKeys: dead, replaced: oldPrint)
    }

    /// Removes a finger; with the last one the generation moves.
    ///
    /// - Parameters:
    ///   - finger: Which finger.
    ///   - grant: A grant to change the enrolment, with the proof of the credential.
    /// - Returns: What changed.
    /// - Throws: ``VaultError/noSuchFinger(_:)``; ``VaultError/authentication(_:)`` where the
    ///   credential was not given; ``VaultError/internalError(_:)`` for a grant of another vault or
    ///   for something else; ``VaultError/damaged(_:)``, ``VaultError/storeBusy``,
    ///   ``VaultError/storage(_:)``. The set is as it was then.
    public func removeFinger(
        _ finger: Finger, grant: consuming Grant
    ) async throws(VaultError) -> EnrollmentChange {
        try checkForChange(grant)
        guard grant.hasProof else {
            throw .internalError("a grant says that the PIN was given, without its proof")
        }
        let subject = grant.subject
        let old = try existingEnrollment(of: subject)
        let removed = old.prints.filter { $0.print.finger == finger }
        guard !removed.isEmpty else { throw .noSuchFinger(finger) }
        let left = old.prints.filter { $0.print.finger != finger }
        let isLast = left.isEmpty
        let next = isLast ? try nextGeneration(after: old) : old.generation
        if isLast { try await store.advanceGeneration(of: subject, to: next) }
        let dead = try tables.database.transaction { () throws(VaultError) in
            try checkIsUnchanged(old)
            for record in removed { try tables.removePrint(record.print.id) }
            let dead = isLast ? try dyingKeys(of: old) : []
            try tables.write(
                try changed(old, generation: next, isPending: old.isPending, prints: left))
            return dead
        }
        sweep()
        return EnrollmentChange(generation: next, deadKeys: dead, replaced: nil)
    }

    // MARK: Rows

    /// The enrolment of a subject who is set up.
    func existingEnrollment(of subject: Subject) throws(VaultError) -> EnrollmentRecord {
        guard let record = try enrollmentRecord(of: subject) else { throw .notSetUp }
        return record
    }

    /// The generation of a subject's fingers, to tell which ways into keys are open.
    ///
    /// One that no key was made in where the list of fingers was changed by something else: their
    /// ways are closed then, and the others are not.
    func currentGeneration(of subject: Subject) throws(VaultError) -> Int64 {
        do throws(VaultError) {
            return try enrollmentRecord(of: subject)?.generation ?? 0
        } catch {
            guard case .damaged = error else { throw error }
            return -1
        }
    }

    // Nil where the subject is not set up.
    private func enrollmentRecord(of subject: Subject) throws(VaultError) -> EnrollmentRecord? {
        guard let row = try tables.enrollment(of: subject) else {
            guard try tables.subject(subject) == nil, try !tables.hasBelongings(subject) else {
                throw .damaged("the list of enrolled fingers is missing")
            }
            return nil
        }
        var prints: [PrintRecord] = []
        for row in try tables.prints(of: subject) { prints.append(try PrintRecord(row)) }
        guard (0...1).contains(row.pending) else {
            throw .damaged("the list of enrolled fingers was changed")
        }
        return try EnrollmentRecord(
            subject: subject, generation: row.generation, isPending: row.pending == 1,
            prints: prints, code: row.code, checkedBy: storageKey)
    }

    func changed(
        _ old: EnrollmentRecord, generation: Int64? = nil, isPending: Bool,
        prints: [PrintRecord]? = nil
    ) throws(VaultError) -> EnrollmentRecord {
        try EnrollmentRecord(
            subject: old.subject, generation: generation ?? old.generation,
            isPending: isPending, prints: prints ?? old.prints, authenticatedBy: storageKey)
    }

    /// Refuses fingers that are switched off, or that nobody consented to any more.
    func checkPermitsFingers(_ subject: Subject) throws(VaultError) {
        guard try permitsFingers(subject) else { throw .authentication(.disabledByPolicy) }
    }

    func checkForChange(_ grant: borrowing Grant) throws(VaultError) {
        try check(grant, isFor: .changeEnrollment)
        guard grant.factors.contains(.deviceCredential) || grant.factors == [.recoveryKey] else {
            throw .authentication(
                .notPermitted(.whorl("the enrolled fingers change with the PIN only")))
        }
    }

    /// What was waited for since must not have changed what was decided on.
    func checkIsUnchanged(_ old: EnrollmentRecord) throws(VaultError) {
        guard try existingEnrollment(of: old.subject).code == old.code else {
            throw .authentication(.enrollmentChanged)
        }
    }

    func nextGeneration(after old: EnrollmentRecord) throws(VaultError) -> Int64 {
        let (next, overflow) = old.generation.addingReportingOverflow(1)
        guard !overflow else { throw .damaged("the enrolment generation is at its end") }
        return next
    }

    // MARK: Keys of a generation

    // Whether a key is there as it was when it was sealed anew, but for the ways into it.
    private func isThere(_ key: NewKey) throws(VaultError) -> Bool {
        let attributes = key.key.attributes
        guard let row = try tables.key(attributes.name, of: attributes.subject) else {
            return false
        }
        guard try existingRecord(of: attributes.subject).code == key.record else {
            throw .storeBusy
        }
        return row.id == attributes.id.bytes
    }

    func dyingKeys(of old: EnrollmentRecord) throws(VaultError) -> [KeyName] {
        try storedKeys(of: old.subject)
            .filter { $0.attributes.wouldDie(with: old.generation, without: $0.withdrawn) }
            .map(\.attributes.name)
    }

    // The keys of a generation that the credential opens, sealed anew for the next. One that only a
    // finger opens dies: whoever knows the PIN could else enrol their own finger into it.
    private func carry(
        from old: EnrollmentRecord, to next: Int64, _ grant: borrowing Grant
    ) async throws(VaultError) -> [NewKey] {
        let record = try existingRecord(of: old.subject)
        var carried: [NewKey] = []
        for key in try storedKeys(of: old.subject)
        where key.attributes.wouldDie(with: old.generation, without: key.withdrawn) {
            guard let payloadKey = try await payloadKey(of: key, grant) else { continue }
            var attributes = key.attributes
            attributes.generation = next
            carried.append(
                try await resealed(
                    key, payloadKey, as: attributes, record, without: key.withdrawn, grant))
        }
        return carried
    }
}
