import Core

/// The name of an account's key.
public func keyName(for account: Account) -> String { "client/\(account.name)" }
