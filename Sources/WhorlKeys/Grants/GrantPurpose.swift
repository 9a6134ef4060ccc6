/// What a grant is good for, and nothing else.
@nonexhaustive
public enum GrantPurpose: Sendable, Hashable {
    /// To read, sign with, replace or remove that key.
    case openKey(KeyID)
    /// To enrol or remove a finger of the subject.
    case changeEnrollment
    /// To change or reset the credential.
    case changeCredential
    /// To put another recovery key in the place of the one there is.
    case renewRecovery
    /// To make keys open again for the fingers and the credential of now.
    case renewKeys
    /// To revoke the consent to fingers, or give it again; to switch fingers on.
    case changeConsent
    /// To delete everything of the subject.
    case reset
    /// To clear a lockout of the subject's fingers.
    case clearLockout
    /// To say who it was; it opens nothing.
    case authenticate
}
