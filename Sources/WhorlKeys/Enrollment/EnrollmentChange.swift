public import WhorlBiometrics

/// What an enrolment or a removal changed.
public struct EnrollmentChange: Sendable {
    /// The enrolment generation from now on.
    public let generation: Int64
    /// The keys whose finger's way died with the change, by name.
    public let deadKeys: [KeyName]
    /// The print that was replaced, so that it can be deleted from the chip; nil for none.
    public let replaced: Print?
}
