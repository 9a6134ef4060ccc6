/// Somebody's account.
public struct Account: Sendable {
    /// Its name.
    public let name: String
    /// Makes an account.
    public init(name: String) { self.name = name }
}
