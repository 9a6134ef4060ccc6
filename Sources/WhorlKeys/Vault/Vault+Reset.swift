public import WhorlBiometrics
public import WhorlDatabase

extension Vault {
    /// Everything that is stored under a subject's name, as far as it can be read.
    ///
    /// Nothing vouches for it, so that what was damaged or changed can be listed too.
    ///
    /// - Parameter subject: Whose.
    /// - Returns: The names; those that are none are left out.
    /// - Throws: ``VaultError/storeBusy``, ``VaultError/storage(_:)``, ``VaultError/damaged(_:)``
    ///   where the file itself is.
    public func contents(of subject: Subject) throws(VaultError) -> StoreContents {
        let (fingers, keys) = try tables.contents(of: subject)
        return StoreContents(
            fingers: fingers.compactMap(Finger.init(rawValue:)),
            keys: keys.compactMap { try? KeyName($0) })
    }

    /// Whether anything is stored under a subject's name, whoever wrote it.
    ///
    /// - Parameter subject: Whose.
    /// - Returns: Whether there is.
    /// - Throws: As ``contents(of:)``.
    public func hasAnything(of subject: Subject) throws(VaultError) -> Bool {
        if try tables.subject(subject) != nil { return true }
        if try tables.declinedConsent(of: subject) != nil { return true }
        return try tables.hasBelongings(subject)
    }

    /// The prints of a subject that are on readers' chips, as far as they can be read, so that they
    /// can be deleted there.
    ///
    /// - Parameter subject: Whose.
    /// - Returns: What is known of each, and the print itself; nil where it cannot be decrypted.
    /// - Throws: As ``contents(of:)``.
    public func printsOnChips(
        of subject: Subject
    ) throws(VaultError) -> [(stored: StoredPrint, print: Print?)] {
        try tables.prints(of: subject).compactMap { (row) -> (StoredPrint, Print?)? in
            guard let record = try? PrintRecord(row), record.print.isStoredOnChip else {
                return nil
            }
            return (record.print, try? record.opened(of: subject, under: storageKey))
        }
    }

    /// Deletes everything that is stored under a subject's name.
    ///
    /// Where it was the last subject the vault's identity and its storage key go too, and the vault
    /// is of no more use: whoever sets somebody up again opens a new one. A crash in between leaves
    /// a key of nothing, which the next vault takes.
    ///
    /// - Parameters:
    ///   - grant: A grant to reset, by the credential or the recovery key. One with no factor at all
    ///     is good too: it says that the owner has neither, and nothing opens by it.
    ///   - forgetRest: Deletes what others keep of the subject in this database, within the same
    ///     transaction.
    /// - Returns: What went.
    /// - Throws: ``VaultError/internalError(_:)`` for a grant of another vault or for something else;
    ///   ``VaultError/storeUnavailable(_:)`` where another program was faster;
    ///   ``VaultError/storeBusy``, ``VaultError/storage(_:)``. All is as it was then.
    public func reset(
        _ grant: consuming Grant,
        forgetting forgetRest: (Database) throws(DatabaseError) -> Void
    ) throws(VaultError) -> StoreContents {
        if grant.factors.isEmpty {
            try check(grant, isFor: .reset)
        } else {
            try checkForRenewal(grant, purpose: .reset)
        }
        let subject = grant.subject
        let contents = try tables.database.transaction { () throws(VaultError) in
            try checkIsThere()
            let contents = try self.contents(of: subject)
            try tables.removeEverything(of: subject)
            try tables.database.perform(forgetRest)
            if try !tables.isInUse() { try tables.removeVault() }
            return contents
        }
        sweep()
        // What was under it is gone already, so whoever keeps the file from going changes nothing.
        try? removeStorageKey()
        return contents
    }

    /// That the vault is still the one in the file.
    ///
    /// Another program may have reset it, and others may have been set up since.
    func checkIsThere() throws(VaultError) {
        guard try tables.vault()?.id == id else {
            throw .storeUnavailable("the store was reset by another program")
        }
    }

    // With the lock held in which a new vault is made, which would take the key that is there.
    private func removeStorageKey() throws(VaultError) {
        try tables.database.transaction { () throws(VaultError) in
            guard try tables.vault() == nil else { return }
            try StorageKeyFile(folder: folder).remove()
        }
    }
}
