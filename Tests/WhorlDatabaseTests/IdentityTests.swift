import Glibc
import Testing
import WhorlDatabase

struct IdentityTests {
    private let folder: TemporaryFolder
    private var path: String { folder.path + "/test.db" }

    init() throws { folder = try TemporaryFolder() }

    @Test func anEmptyFileBecomesADatabaseWhereOneMayBeMade() throws {
        try write([], to: path)
        _ = try folder.database(create: true)
        let header = try contents(of: path).prefix(72)
        #expect(Array(header[68..<72]) == [0x57, 0x68, 0x72, 0x6C])
    }

    @Test(.bug(id: "44")) func anEmptyFileStaysOneWhereNoneMayBeMade() throws {
        try write([], to: path)
        let error = databaseError { _ = try folder.database(create: false) }
        #expect(error == .missing(path: path))
        #expect(try contents(of: path).isEmpty)
    }

    @Test func anotherProgramsDatabaseIsRefusedAndUntouched() throws {
        _ = try folder.database()
        // The header's application id belongs to another program now.
        var bytes = try contents(of: path)
        bytes[68] = 0x58
        try write(bytes, to: path)
        let error = databaseError { _ = try folder.database() }
        #expect(error == .notOurs(path: path))
        #expect(try contents(of: path) == bytes)
    }

    @Test func aDatabaseWithoutAnApplicationIsRefusedAndUntouched() throws {
        let database = try folder.database()
        try database.run("PRAGMA application_id=0")
        try database.checkpoint()
        let bytes = try contents(of: path)
        let error = databaseError { _ = try folder.database() }
        #expect(error == .notOurs(path: path))
        #expect(try contents(of: path) == bytes)
    }

    @Test func aNewerFormatIsRefusedAndUntouched() throws {
        do {
            let database = try folder.database()
            try database.run("PRAGMA user_version=9")
        }
        let bytes = try contents(of: path)
        let error = databaseError { _ = try folder.database() }
        #expect(error == .newerSchema(module: "format", found: 9, known: 1))
        #expect(try contents(of: path) == bytes)
    }

    @Test(arguments: ["hello\n", "SQLite format 3\0", String(repeating: "x", count: 9000)])
    func whatIsNoDatabaseIsRefusedAndUntouched(text: String) throws {
        try write([UInt8](text.utf8), to: path)
        let error = databaseError { _ = try folder.database() }
        guard case .damaged = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(try contents(of: path) == [UInt8](text.utf8))
    }

    @Test func aFileCutShortIsDamaged() throws {
        do {
            let database = try folder.database()
            try database.migrate([noteSchema])
            for number in 0..<200 {
                try database.run(
                    "INSERT INTO note (text) VALUES (?)",
                    .text(String(repeating: "\(number)", count: 100)))
            }
        }
        let bytes = try contents(of: path)
        try write(Array(bytes.prefix(bytes.count / 2)), to: path)
        let error = databaseError {
            let database = try folder.database()
            _ = try database.count(of: "note")
        }
        guard case .damaged = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func damageWithinAPageIsFoundByTheCheck() throws {
        do {
            let database = try folder.database()
            try database.migrate([noteSchema])
            try database.run("INSERT INTO note (text) VALUES ('a')")
            try database.checkIntegrity()
        }
        var bytes = try contents(of: path)
        // The last page is the table's: its header is overwritten.
        let page = bytes.count - 4096
        for index in page..<(page + 8) { bytes[index] = 0xFF }
        try write(bytes, to: path)
        let error = databaseError { try folder.database().checkIntegrity() }
        guard case .damaged = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func settingsAreTheSafeOnes() throws {
        let database = try folder.database()
        for (pragma, value) in [
            ("synchronous", 2), ("secure_delete", 1), ("foreign_keys", 1), ("trusted_schema", 0),
            ("cell_size_check", 1), ("temp_store", 2),
        ] as [(String, Int64)] {
            let now = try database.row("PRAGMA \(pragma)") { row throws(DatabaseError) in
                try row.integer(0)
            }
            #expect(now == value, "\(pragma)")
        }
        let mode = try database.row("PRAGMA journal_mode") { row throws(DatabaseError) in
            try row.text(0)
        }
        #expect(mode == "wal")
    }

    @Test func theSchemaCannotBeWrittenByHand() throws {
        let database = try folder.database()
        _ = try database.rows("PRAGMA writable_schema=ON") { _ throws(DatabaseError) in }
        #expect(throws: DatabaseError.self) {
            try database.run("DELETE FROM sqlite_schema")
        }
    }

    @Test func noOtherFileCanBeAttached() throws {
        let database = try folder.database()
        #expect(throws: DatabaseError.self) {
            try database.run("ATTACH ? AS other", .text(folder.path + "/other.db"))
        }
        #expect(!folder.names().contains("other.db"))
    }

    @Test(
        arguments: [
            .missing(path: "/x"), .notOurs(path: "/x"), .notPrivate(path: "/x", .symbolicLink),
            .notPrivate(path: "/x", .wrongKind), .notPrivate(path: "/x", .otherOwner(uid: 1)),
            .notPrivate(path: "/x", .tooOpen(mode: 0o755)), .notPrivate(path: "/x", .hardLinked),
            .newerSchema(module: "m", found: 2, known: 1), .damaged(code: 11), .busy(code: 5),
            .full(code: 13), .readOnly(code: 8), .inputOutput(code: 10), .constraint(code: 19),
            .system(function: "open", errno: 1), .library(code: 1),
        ] as [DatabaseError])
    func everyErrorSaysWhatToDo(error: DatabaseError) {
        #expect("\(error)".split(separator: ";").count == 2, "what happened; what to do: \(error)")
    }
}
