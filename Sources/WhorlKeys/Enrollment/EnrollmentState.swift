/// The fingers of a subject, as the store knows them.
public struct EnrollmentState: Sendable, Hashable {
    /// How often the set changed in a way that lets somebody in; 0 where nothing was ever set up.
    public let generation: Int64
    /// Whether an enrolment began and nobody knows how it ended: no finger opens anything then.
    public let isPending: Bool
    /// The enrolled prints, oldest first.
    public let prints: [StoredPrint]
    /// A value that is another one after every change of the set, and means nothing else.
    public let stateHash: [UInt8]
}
