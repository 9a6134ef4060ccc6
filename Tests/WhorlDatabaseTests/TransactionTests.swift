import Glibc
import Testing
import WhorlDatabase

struct TransactionTests {
    private let folder: TemporaryFolder
    private let database: Database

    init() throws {
        folder = try TemporaryFolder()
        database = try folder.database(busyTimeout: .milliseconds(50))
        try database.migrate([noteSchema])
    }

    private enum Refusal: Error { case no }

    private func add(_ text: String, to other: Database? = nil) throws {
        try (other ?? database).run("INSERT INTO note (text) VALUES (?)", .text(text))
    }

    @Test func whatTheBodyDidIsThereAfterwards() throws {
        let result = try database.transaction {
            try add("a")
            try add("b")
            return 7
        }
        #expect(result == 7)
        #expect(try database.count(of: "note") == 2)
    }

    @Test func whatTheBodyDidIsUndoneIfItThrows() throws {
        #expect(throws: Refusal.no) {
            try database.transaction {
                try add("a")
                throw Refusal.no
            }
        }
        #expect(try database.count(of: "note") == 0)
        try database.transaction { try add("b") }
        #expect(try database.count(of: "note") == 1)
    }

    @Test func aBrokenRuleUndoesTheTransaction() throws {
        let error = databaseError {
            try database.transaction {
                try add("a")
                try database.run("INSERT INTO note (id, text) VALUES (1, 'b')")
            }
        }
        #expect(error == .constraint(code: 1555))
        #expect(try database.count(of: "note") == 0)
    }

    @Test func transactionsDoNotNest() throws {
        #expect(throws: DatabaseError.library(code: 1)) {
            try database.transaction { try database.transaction {} }
        }
        try database.transaction { try add("a") }
        #expect(try database.count(of: "note") == 1)
    }

    private func synchronous() throws -> Int64? {
        try database.row("PRAGMA synchronous") { row throws(DatabaseError) in try row.integer(0) }
    }

    @Test func onlyAnUnsyncedTransactionDoesNotWaitForTheDisk() throws {
        for _ in 1...3 {
            try database.transaction(.unsynced) {
                try add("a")
                #expect(try synchronous() == 1)
            }
            #expect(try synchronous() == 2)
            #expect(try database.transaction { try synchronous() } == 2)
        }
        let other = try folder.database()
        #expect(try other.count(of: "note") == 3)
    }

    @Test func anUnsyncedTransactionThatFailsLeavesTheNextOneSafe() throws {
        let other = try folder.database(busyTimeout: .milliseconds(50))
        try other.transaction {
            let error = databaseError { try database.transaction(.unsynced) {} }
            #expect(error == .busy(code: 5))
        }
        #expect(try synchronous() == 2)
        #expect(throws: Refusal.no) {
            try database.transaction(.unsynced) {
                try add("a")
                throw Refusal.no
            }
        }
        #expect(try synchronous() == 2)
        #expect(try database.count(of: "note") == 0)
    }

    @Test func aTransactionCannotBeWeakenedFromWithin() throws {
        #expect(throws: DatabaseError.library(code: 1)) {
            try database.transaction { try database.transaction(.unsynced) {} }
        }
        #expect(try synchronous() == 2)
    }

    @Test func aSecondWriterWaitsForALimitedTime() throws {
        let other = try folder.database(busyTimeout: .milliseconds(50))
        try database.transaction {
            let error = databaseError { try other.transaction {} }
            #expect(error == .busy(code: 5))
        }
        try other.transaction { try add("a", to: other) }
    }

    @Test func aReaderSeesOneStateThroughoutAndHindersNoWriter() throws {
        let other = try folder.database()
        try other.transaction(.read) {
            #expect(try other.count(of: "note") == 0)
            try add("a")
            #expect(try other.count(of: "note") == 0)
        }
        #expect(try other.count(of: "note") == 1)
    }

    @Test func aReaderThatWouldWriteOnAnOldStateIsRefused() throws {
        let other = try folder.database()
        let error = databaseError {
            try other.transaction(.read) {
                _ = try other.count(of: "note")
                try add("a")
                try add("b", to: other)
            }
        }
        #expect(error == .busy(code: 517))
        #expect(try database.count(of: "note") == 1)
    }

    @Test func aFullDiskUndoesTheTransaction() throws {
        try add("kept")
        // As many pages as there are: what SQLite answers with then is what it answers on ENOSPC.
        _ = try database.rows("PRAGMA max_page_count=1") { _ throws(DatabaseError) in }
        let error = databaseError {
            try database.transaction {
                for _ in 0..<100 { try add(String(repeating: "x", count: 4000)) }
            }
        }
        #expect(error == .full(code: 13))
        #expect(try database.count(of: "note") == 1)
    }

    @Test func aDiskThatFailsUndoesTheTransaction() async {
        await #expect(processExitsWith: .success) {
            let folder = try TemporaryFolder()
            let database = try folder.database()
            try database.migrate([noteSchema])
            // Writing beyond this size is refused, with an error instead of the signal.
            signal(SIGXFSZ, SIG_IGN)
            var limit = rlimit(rlim_cur: 100_000, rlim_max: 100_000)
            precondition(
                unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
            let error = databaseError {
                _ = try database.transaction {
                    try database.run(
                        "INSERT INTO note (text) VALUES (?)",
                        .text(String(repeating: "x", count: 1 << 20)))
                }
            }
            guard case .inputOutput = error else { fatalError("\(String(describing: error))") }
            let count = try database.count(of: "note")
            precondition(count == 0)
        }
    }

    @Test func checkpointingLeavesNoDeletedBytes() throws {
        let marker = "a text that is nowhere else: 7c1f"
        for _ in 0..<50 { try add(marker) }
        try database.checkpoint()
        #expect(try holds(marker))
        try database.run("DELETE FROM note")
        try database.checkpoint()
        #expect(try !holds(marker))
        #expect(try contents(of: folder.path + "/test.db-wal") == [])
    }

    @Test func checkpointingWaitsForReadersForALimitedTime() throws {
        let other = try folder.database()
        try add("a")
        try other.transaction(.read) {
            _ = try other.count(of: "note")
            try add("b")
            let error = databaseError { try database.checkpoint() }
            #expect(error == .busy(code: 5))
        }
        try database.checkpoint()
    }

    private func holds(_ text: String) throws -> Bool {
        for suffix in ["", "-wal"] {
            let bytes = try contents(of: folder.path + "/test.db" + suffix)
            let needle = [UInt8](text.utf8)
            if bytes.firstRange(of: needle) != nil { return true }
        }
        return false
    }
}

/// Other processes, each a child of the test.
struct TwoProcessesTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func aTransactionOfAKilledProcessNeverWas() async throws {
        do {
            let database = try folder.database()
            try database.migrate([noteSchema])
            try database.run("INSERT INTO note (text) VALUES ('before')")
        }
        let path = folder.path
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
            let database = try Database(inFolder: path, named: "test.db", create: false)
            try database.run("INSERT INTO note (text) VALUES ('committed')")
            try database.run("BEGIN IMMEDIATE")
            // So many that pages reach the log before the end of the transaction.
            _ = try database.rows("PRAGMA cache_size=1") { _ throws(DatabaseError) in }
            for _ in 0..<500 {
                try database.run(
                    "INSERT INTO note (text) VALUES (?)", .text(String(repeating: "x", count: 3000))
                )
            }
            kill(getpid(), SIGKILL)
        }
        let database = try folder.database(create: false)
        let texts = try database.rows("SELECT text FROM note ORDER BY id") {
            row throws(DatabaseError) in try row.text(0)
        }
        #expect(texts == ["before", "committed"])
        try database.checkIntegrity()
        try database.run("INSERT INTO note (text) VALUES ('after')")
    }

    @Test func aSecondProcessWaitsForALimitedTimeAndThenGoesOn() async throws {
        let database = try folder.database()
        try database.migrate([noteSchema])
        let path = folder.path
        try database.run("BEGIN IMMEDIATE")
        await #expect(processExitsWith: .success) { [path = path as String] in
            let database = try Database(
                inFolder: path, named: "test.db", create: false, busyTimeout: .milliseconds(100))
            let error = databaseError { try database.transaction {} }
            precondition(error == .busy(code: 5))
            // Reading goes on meanwhile.
            let count = try database.count(of: "note")
            precondition(count == 0)
        }
        try database.run("COMMIT")
        await #expect(processExitsWith: .success) { [path = path as String] in
            let database = try Database(inFolder: path, named: "test.db", create: false)
            try database.run("INSERT INTO note (text) VALUES ('from the other')")
        }
        #expect(try database.count(of: "note") == 1)
    }
}
