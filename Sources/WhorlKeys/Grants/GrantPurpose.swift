/// What a grant is good for, and nothing else.
@nonexhaustive
public enum GrantPurpose: Sendable, Hashable {
    /// To read, sign with, replace or remove that key.
    case openKey(KeyID)
    /// To enrol or remove a finger of the subject.
    case changeEnrollment
    /// To clear a lockout of the subject's fingers.
    case clearLockout
    /// To say who it was; it opens nothing.
    case authenticate
}
