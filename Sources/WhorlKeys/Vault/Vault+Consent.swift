public import WhorlBiometrics
import WhorlDatabase

extension Vault {
    /// What a subject said to the use of fingers.
    ///
    /// - Parameters:
    ///   - subject: Who.
    ///   - unixTime: Now, in seconds since 1970: a no is remembered for 30 days.
    /// - Returns: The answer that stands.
    /// - Throws: ``VaultError/damaged(_:)``, ``VaultError/storeBusy``, ``VaultError/storage(_:)``.
    public func consent(
        of subject: Subject, at unixTime: Int64
    ) throws(VaultError) -> Consent {
        if let record = try record(of: subject) {
            switch record.consent {
            case .given: return .given(at: record.consentAt)
            case .revoked: return .revoked(at: record.consentAt)
            }
        }
        guard let at = try tables.declinedConsent(of: subject) else { return .notAsked }
        let declined = Consent.declined(at: at)
        return unixTime < declined.until ?? at ? declined : .notAsked
    }

    /// Whether a subject's fingers may open anything: consent stands, and they are switched on.
    ///
    /// - Parameter subject: Who.
    /// - Returns: Whether they may; also where the subject is not set up, and has none.
    /// - Throws: ``VaultError/damaged(_:)``, ``VaultError/storeBusy``, ``VaultError/storage(_:)``.
    public func permitsFingers(_ subject: Subject) throws(VaultError) -> Bool {
        try record(of: subject)?.permitsFingers ?? true
    }

    /// Whether a subject's fingers are switched off.
    ///
    /// - Parameter subject: Who.
    /// - Returns: Whether they are.
    /// - Throws: ``VaultError/damaged(_:)``, ``VaultError/storeBusy``, ``VaultError/storage(_:)``.
    public func isDisabled(_ subject: Subject) throws(VaultError) -> Bool {
        try record(of: subject)?.isDisabled ?? false
    }

    /// Records that somebody who is not set up said no.
    ///
    /// - Parameters:
    ///   - subject: Who.
    ///   - unixTime: Now, in seconds since 1970.
    /// - Returns: The answer that stands; of somebody who revoked, that.
    /// - Throws: ``VaultError/consentStands`` where the answer was yes; ``VaultError/damaged(_:)``,
    ///   ``VaultError/storeBusy``, ``VaultError/storage(_:)``.
    public func declineConsent(
        _ subject: Subject, at unixTime: Int64
    ) throws(VaultError) -> Consent {
        try tables.database.transaction { () throws(VaultError) in
            if let record = try record(of: subject) {
                guard record.consent == .revoked else { throw .consentStands }
                return .revoked(at: record.consentAt)
            }
            try tables.writeDeclinedConsent(of: subject, at: unixTime)
            return .declined(at: unixTime)
        }
    }

    /// Gives the consent again that was revoked.
    ///
    /// - Parameters:
    ///   - grant: A grant to change the consent, by the credential or the recovery key.
    ///   - unixTime: Now, in seconds since 1970.
    /// - Throws: ``VaultError/alreadySetUp`` where it stands; ``VaultError/authentication(_:)`` where
    ///   neither was given; ``VaultError/internalError(_:)`` for a grant of another vault or for
    ///   something else; ``VaultError/notSetUp``, ``VaultError/damaged(_:)``,
    ///   ``VaultError/storeBusy``, ``VaultError/storage(_:)``.
    public func giveConsent(
        _ grant: consuming Grant, at unixTime: Int64
    ) throws(VaultError) {
        try checkForRenewal(grant, purpose: .changeConsent)
        let subject = grant.subject
        try change(subject) { (record) throws(VaultError) in
            guard record.consent == .revoked else { throw .alreadySetUp }
            record.consent = .given
            record.consentAt = unixTime
        }
    }

    /// Switches a subject's fingers off; that lets nobody in, so it needs no grant.
    ///
    /// - Parameter subject: Whose.
    /// - Throws: ``VaultError/notSetUp``, ``VaultError/damaged(_:)``, ``VaultError/storeBusy``,
    ///   ``VaultError/storage(_:)``.
    public func disableFingers(of subject: Subject) throws(VaultError) {
        try change(subject) { (record) throws(VaultError) in record.isDisabled = true }
    }

    /// Switches a subject's fingers on again.
    ///
    /// - Parameter grant: A grant to change the consent, by the credential or the recovery key.
    /// - Throws: As ``giveConsent(_:at:)``.
    public func enableFingers(_ grant: consuming Grant) throws(VaultError) {
        try checkForRenewal(grant, purpose: .changeConsent)
        try change(grant.subject) { (record) throws(VaultError) in record.isDisabled = false }
    }

    private func change(
        _ subject: Subject, _ body: (inout SubjectRecord) throws(VaultError) -> Void
    ) throws(VaultError) {
        try tables.database.transaction { () throws(VaultError) in
            var record = try existingRecord(of: subject)
            try body(&record)
            try tables.write(record.authenticated(by: storageKey))
        }
    }
}
