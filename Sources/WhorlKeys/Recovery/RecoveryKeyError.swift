/// What is wrong with a recovery key as a person typed it.
@nonexhaustive
public enum RecoveryKeyError: Error, Sendable, Hashable {
    /// There are this many characters, dashes and spaces left out.
    case count(Int)
    /// This group, counted from 1, has another number of characters.
    case groupLength(group: Int)
    /// A character in this group, counted from 1, can be in no recovery key.
    case character(group: Int)
    /// This group, counted from 1, is mistyped or in the wrong place.
    case checksum(group: Int)
    /// There is no memory fit for a secret, for the reason given.
    case memory(String)

    /// What happened and what to do, for a person.
    public var message: String {
        let groups = RecoveryKeyForm.groupCount
        let length = RecoveryKeyForm.groupLength
        switch self {
        case .count(let count):
            return "the recovery key has \(count) characters and not \(groups * length); "
                + "type all \(groups) groups"
        case .groupLength(let group):
            return "group \(group) of the recovery key has not \(length) characters; "
                + "look at it again"
        case .character(let group):
            return "group \(group) of the recovery key has a character that no recovery key has; "
                + "look at it again"
        case .checksum(let group):
            return "group \(group) of the recovery key is mistyped; look at it again"
        case .memory(let reason): return reason
        }
    }
}
