/// What revoking the consent to fingers does, or did.
public struct ConsentRevocation: Sendable, Hashable {
    /// The fingers whose prints go.
    public let fingers: [Finger]
    /// The keys that go, by name: nothing but a finger opened them.
    public let deletedKeys: [KeyName]
    /// The keys that stay, by name, without a finger's way.
    public let keptKeys: [KeyName]
    /// The prints that are still on a reader's chip; none where nothing was done yet.
    public var leftOnReader: [LeftPrint]

    /// Makes a description of what revoking does.
    public init(
        fingers: [Finger], deletedKeys: [KeyName], keptKeys: [KeyName],
        leftOnReader: [LeftPrint] = []
    ) {
        self.fingers = fingers
        self.deletedKeys = deletedKeys
        self.keptKeys = keptKeys
        self.leftOnReader = leftOnReader
    }
}

/// Everything that a store keeps of its owner, by name, and that a reset deletes.
public struct StoreContents: Sendable, Hashable {
    /// The fingers whose prints are kept.
    public let fingers: [Finger]
    /// The keys.
    public let keys: [KeyName]
    /// The prints that are still on a reader's chip; none where nothing was done yet.
    public var leftOnReader: [LeftPrint]

    /// Makes a list.
    public init(fingers: [Finger], keys: [KeyName], leftOnReader: [LeftPrint] = []) {
        self.fingers = fingers
        self.keys = keys
        self.leftOnReader = leftOnReader
    }
}

/// A print that could not be deleted from a reader's chip; it opens nothing any more.
public struct LeftPrint: Sendable, Hashable {
    /// Which finger it is of.
    public let finger: Finger
    /// Why it is still there.
    public let reason: AuthenticationError

    /// Makes a description of such a print.
    public init(finger: Finger, reason: AuthenticationError) {
        self.finger = finger
        self.reason = reason
    }
}
