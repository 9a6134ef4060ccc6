import Testing
import WhorlDatabase

private let second =
    "ALTER TABLE note ADD COLUMN author TEXT; CREATE TABLE author (name TEXT) STRICT"

struct SchemaTests {
    private let folder: TemporaryFolder
    private let database: Database

    init() throws {
        folder = try TemporaryFolder()
        database = try folder.database()
    }

    private func schema(_ steps: String...) -> DatabaseSchema {
        DatabaseSchema(module: "notes", steps: noteSchema.steps + steps)
    }

    private func version(of module: String) throws -> Int64? {
        try database.row(
            "SELECT version FROM whorl_schema WHERE module = ?", .text(module)
        ) { row throws(DatabaseError) in try row.integer(0) }
    }

    private func tables() throws -> [String] {
        try database.rows(
            "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name"
        ) { row throws(DatabaseError) in try row.text(0) }
    }

    @Test func eachModuleHasItsOwnVersion() throws {
        let other = DatabaseSchema(
            module: "other", steps: ["CREATE TABLE other (id INTEGER) STRICT"])
        try database.migrate([schema(second), other])
        #expect(try version(of: "notes") == 2)
        #expect(try version(of: "other") == 1)
        #expect(try tables() == ["author", "note", "other", "whorl_schema"])
    }

    @Test func migratingAgainChangesNothing() throws {
        try database.migrate([schema()])
        try database.run("INSERT INTO note (text) VALUES ('kept')")
        try database.migrate([schema()])
        #expect(try database.count(of: "note") == 1)
    }

    @Test func whatIsStoredSurvivesTheNextVersion() throws {
        try database.migrate([schema()])
        try database.run("INSERT INTO note (text) VALUES ('kept')")
        try database.migrate([schema(second)])
        let notes = try database.rows("SELECT text, author FROM note") {
            row throws(DatabaseError) in
            (try row.text(0), row.isNull(1))
        }
        #expect(notes.count == 1)
        #expect(notes.first?.0 == "kept")
        #expect(notes.first?.1 == true)
    }

    @Test func aStepThatFailsLeavesTheOldVersion() throws {
        try database.migrate([schema()])
        #expect(throws: DatabaseError.self) {
            try database.migrate([
                schema(second + "; INSERT INTO author VALUES ('x'); INSERT INTO nowhere VALUES (1)")
            ])
        }
        #expect(try version(of: "notes") == 1)
        #expect(try tables() == ["note", "whorl_schema"])
        try database.migrate([schema(second)])
        #expect(try version(of: "notes") == 2)
    }

    @Test func aNewerVersionIsRefusedBeforeAnythingChanges() throws {
        try database.migrate([schema(second)])
        let other = DatabaseSchema(
            module: "other", steps: ["CREATE TABLE other (id INTEGER) STRICT"])
        #expect(throws: DatabaseError.newerSchema(module: "notes", found: 2, known: 1)) {
            try database.migrate([other, schema()])
        }
        #expect(try version(of: "other") == nil)
        #expect(try tables() == ["author", "note", "whorl_schema"])
    }

    @Test(arguments: [0, -1, .min] as [Int64])
    func aVersionThatCannotBeIsDamage(stored: Int64) throws {
        try database.migrate([schema()])
        try database.run("UPDATE whorl_schema SET version = ?", .integer(stored))
        #expect(throws: DatabaseError.damaged(code: 20)) { try database.migrate([schema()]) }
    }

    @Test func twoConnectionsMayMigrateAtOnce() async throws {
        let folder = folder
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    let database = try folder.database(busyTimeout: .seconds(30))
                    try database.migrate([
                        DatabaseSchema(module: "notes", steps: noteSchema.steps + [second])
                    ])
                }
            }
            try await group.waitForAll()
        }
        #expect(try version(of: "notes") == 2)
    }
}
