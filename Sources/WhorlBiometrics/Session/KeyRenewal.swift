/// What became of keys that were to open again.
public struct KeyRenewal: Sendable, Hashable {
    /// The keys that open again, as they are now.
    public let renewed: [KeyInfo]
    /// The keys that what was given does not open, by name; they are as they were.
    public let unopened: [KeyName]

    /// Makes a result.
    public init(renewed: [KeyInfo], unopened: [KeyName]) {
        self.renewed = renewed
        self.unopened = unopened
    }
}
