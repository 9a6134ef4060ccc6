/// Statements that were prepared once and wait to be run again, by their text.
///
/// All texts are literals of the program, so there are as many as it has. One that runs is not among
/// them: the same text may be run again meanwhile, and is prepared again then. One that failed is not
/// kept.
final class IdleStatements {
    private final class Kept {
        var statement: Statement?

        init(_ statement: consuming Statement) { self.statement = consume statement }
    }

    private var kept: [String: Kept] = [:]

    func take(_ sql: String) -> Statement? {
        kept.removeValue(forKey: sql)?.statement.take()
    }

    func keep(_ statement: consuming Statement, for sql: String) {
        // SQLite carries out some of these when it prepares them, so they are good for one run.
        guard !sql.hasPrefix("PRAGMA") else { return }
        statement.reset()
        kept[sql] = Kept(statement)
    }

    func removeAll() {
        kept.removeAll()
    }
}
