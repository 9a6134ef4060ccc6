import Testing
import WhorlDatabase

/// Statements are prepared once and run again, which nobody must notice.
struct StatementTests {
    private let folder: TemporaryFolder
    private let database: Database

    init() throws {
        folder = try TemporaryFolder()
        database = try folder.database()
        try database.migrate([noteSchema])
    }

    private func add(_ id: Int64, _ text: String) throws {
        try database.run("INSERT INTO note VALUES (?, ?)", .integer(id), .text(text))
    }

    private func texts(after id: Int64) throws -> [String] {
        try database.rows("SELECT text FROM note WHERE id > ? ORDER BY id", .integer(id)) {
            row throws(DatabaseError) in try row.text(0)
        }
    }

    @Test func theSameStatementTakesOtherValues() throws {
        try add(1, "a")
        try add(2, "b")
        #expect(try texts(after: 0) == ["a", "b"])
        #expect(try texts(after: 1) == ["b"])
        try add(3, "c")
        #expect(try texts(after: 1) == ["b", "c"])
    }

    @Test func aStatementMayRunWhileItRuns() throws {
        try add(1, "a")
        try add(2, "b")
        let sql = "SELECT id FROM note WHERE id > ? ORDER BY id"
        let pairs = try database.rows(sql, .integer(0)) { outer throws(DatabaseError) in
            let first = try outer.integer(0)
            return try database.rows(sql, .integer(first)) { inner throws(DatabaseError) in
                [first, try inner.integer(0)]
            }
        }
        #expect(pairs == [[[1, 2]], []])
    }

    @Test func aStatementThatFailedRunsAgain() throws {
        try add(1, "a")
        #expect(databaseError { try add(1, "b") } == .constraint(code: 1555))
        try add(2, "b")
        let tooMany = databaseError {
            _ = try database.row("SELECT id FROM note") { row throws(DatabaseError) in
                try row.integer(0)
            }
        }
        #expect(tooMany == .damaged(code: 20))
        try database.run("DELETE FROM note WHERE id = ?", .integer(2))
        let only = try database.row("SELECT id FROM note") { row throws(DatabaseError) in
            try row.integer(0)
        }
        #expect(only == 1)
    }

    @Test func aStatementFollowsTheTablesAsTheyChange() throws {
        try add(1, "a")
        func width() throws -> Int? {
            try database.row("SELECT * FROM note") { row throws(DatabaseError) in row.count }
        }
        #expect(try width() == 2)
        try database.run("ALTER TABLE note ADD COLUMN colour TEXT")
        #expect(try width() == 3)
    }

    @Test func aStatementThatWaitsHoldsNothing() throws {
        let other = try folder.database()
        #expect(try other.count(of: "note") == 0)
        #expect(try other.count(of: "note") == 0)
        try add(1, "a")
        // It needs everybody out of the log.
        try database.checkpoint()
        #expect(try contents(of: "\(folder.path)/test.db-wal").isEmpty)
    }

    @Test func whatIsLetGoOfIsClosed() throws {
        let own = try TemporaryFolder()
        do {
            let other = try own.database()
            try other.migrate([noteSchema])
            #expect(try other.count(of: "note") == 0)
        }
        // SQLite takes the log away with the last connection, and closes none that has a statement.
        #expect(own.names() == ["test.db"])
    }
}
