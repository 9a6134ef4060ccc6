public import Core

/// A word of the field that an app may well have a type for too.
public struct Finger: Sendable {
    /// Whose it is.
    public let account: Account
    /// Makes a finger.
    public init(account: Account) { self.account = account }
}
