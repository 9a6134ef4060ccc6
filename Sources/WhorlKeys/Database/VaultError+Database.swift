public import WhorlBiometrics
public import WhorlDatabase

extension VaultError {
    /// What a failure of the database is to the vault.
    ///
    /// - Parameter error: What the database said.
    public init(_ error: DatabaseError) {
        switch error {
        case .notPrivate: self = .unsafePermissions(error.cause)
        case .missing: self = .notSetUp
        case .notOurs: self = .foreignStore
        case .newerSchema: self = .newerStore
        case .damaged: self = .damaged(error.cause)
        case .busy: self = .storeBusy
        case .full, .readOnly, .inputOutput, .system: self = .storage(error.cause)
        case .constraint, .library: self = .internalError(error.cause)
        }
    }
}

extension StoreDatabase {
    /// Talks to the database with its errors as the vault's.
    ///
    /// - Parameter body: What to do with the connection.
    /// - Returns: What the body returns.
    /// - Throws: ``VaultError`` for the body's ``DatabaseError``.
    public func perform<Result: ~Copyable>(
        _ body: (Database) throws(DatabaseError) -> Result
    ) throws(VaultError) -> Result {
        do throws(DatabaseError) {
            return try body(connection)
        } catch {
            throw VaultError(error)
        }
    }

    /// Does several things at once, or none of them.
    ///
    /// What is written so that it outlives a power cut is counted, by which an older copy of the
    /// database is noticed.
    ///
    /// - Parameters:
    ///   - kind: Whether it will write.
    ///   - body: What to do with the connection. If it throws, all it did is undone.
    /// - Returns: What the body returns.
    /// - Throws: What the body throws, and ``VaultError`` for the database's own failures.
    @discardableResult
    public func transaction<Result: ~Copyable>(
        _ kind: Database.TransactionKind = .immediate, _ body: () throws(VaultError) -> Result
    ) throws(VaultError) -> Result {
        var counter: Int64?
        do {
            let result = try connection.transaction(kind) {
                let before = connection.changeCount
                let result = try body()
                if let stamp, kind == .immediate, connection.changeCount != before {
                    counter = try stamp.advance(self)
                }
                return result
            }
            if let counter { stamp?.note(counter) }
            return result
        } catch let error as VaultError {
            throw error
        } catch let error as DatabaseError {
            throw VaultError(error)
        } catch {
            throw .internalError("a transaction failed in a way that it cannot")
        }
    }
}
