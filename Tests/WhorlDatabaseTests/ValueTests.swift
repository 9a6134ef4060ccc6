import Glibc
import Testing
import WhorlDatabase

struct ValueTests {
    private let folder: TemporaryFolder
    private let database: Database

    init() throws {
        folder = try TemporaryFolder()
        database = try folder.database()
        try database.migrate([
            DatabaseSchema(module: "values", steps: ["CREATE TABLE value (value ANY) STRICT"])
        ])
    }

    private func stored<Result>(
        _ value: DatabaseValue, _ read: (borrowing Row) throws(DatabaseError) -> Result
    ) throws -> Result? {
        try database.run("DELETE FROM value")
        try database.run("INSERT INTO value VALUES (?)", value)
        return try database.row("SELECT value FROM value", reading: read)
    }

    @Test(arguments: [0, 1, -1, .max, .min] as [Int64])
    func numbersSurvive(number: Int64) throws {
        let read = try stored(.integer(number)) { row throws(DatabaseError) in
            try row.integer(0)
        }
        #expect(read == number)
    }

    @Test(arguments: ["", "a", "ümlaut 指紋", "a\0b", "\0", "'; DROP TABLE value; --"])
    func textsSurvive(text: String) throws {
        let read = try stored(.text(text)) { row throws(DatabaseError) in try row.text(0) }
        #expect(read == text)
    }

    @Test(arguments: [0, 1, 4096, 1 << 20])
    func bytesSurvive(count: Int) throws {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let read = try stored(.blob(bytes)) { row throws(DatabaseError) in try row.blob(0) }
        #expect(read == bytes)
    }

    @Test func emptyBytesAndEmptyTextAreNotNull() throws {
        for value in [.blob([]), .text("")] as [DatabaseValue] {
            #expect(try stored(value) { row throws(DatabaseError) in row.isNull(0) } == false)
        }
        #expect(try stored(.null) { row throws(DatabaseError) in row.isNull(0) } == true)
    }

    @Test func optionalsBecomeNull() {
        #expect(DatabaseValue.optional(nil as Int64?) == .null)
        #expect(DatabaseValue.optional(nil as String?) == .null)
        #expect(DatabaseValue.optional(nil as [UInt8]?) == .null)
        #expect(DatabaseValue.optional(1) == .integer(1))
        #expect(DatabaseValue.optional("a") == .text("a"))
        #expect(DatabaseValue.optional([1]) == .blob([1]))
    }

    @Test(arguments: [.text("1"), .blob([1]), .null] as [DatabaseValue])
    func whatIsNoNumberIsDamage(value: DatabaseValue) {
        #expect(throws: DatabaseError.damaged(code: 20)) {
            _ = try stored(value) { row throws(DatabaseError) in try row.integer(0) }
        }
    }

    @Test(arguments: [.integer(1), .blob([0x61]), .null] as [DatabaseValue])
    func whatIsNoTextIsDamage(value: DatabaseValue) {
        #expect(throws: DatabaseError.damaged(code: 20)) {
            _ = try stored(value) { row throws(DatabaseError) in try row.text(0) }
        }
    }

    @Test(arguments: [.integer(1), .text("a"), .null] as [DatabaseValue])
    func whatIsNoBytesIsDamage(value: DatabaseValue) {
        #expect(throws: DatabaseError.damaged(code: 20)) {
            _ = try stored(value) { row throws(DatabaseError) in try row.blob(0) }
        }
    }

    @Test func aRealNumberIsDamage() throws {
        #expect(throws: DatabaseError.damaged(code: 20)) {
            _ = try database.row("SELECT 1.5") { row throws(DatabaseError) in try row.integer(0) }
        }
    }

    @Test func textThatIsNotUTF8IsDamage() throws {
        #expect(throws: DatabaseError.damaged(code: 20)) {
            _ = try database.row("SELECT CAST(x'ff' AS TEXT)") { row throws(DatabaseError) in
                try row.text(0)
            }
        }
    }

    @Test func moreThanOneRowWhereOneIsExpectedIsDamage() {
        #expect(throws: DatabaseError.damaged(code: 20)) {
            _ = try database.row("VALUES (1), (2)") { row throws(DatabaseError) in
                try row.integer(0)
            }
        }
    }

    @Test func aValueBeyondTheLimitIsRefused() {
        #expect(throws: DatabaseError.library(code: 18)) {
            try database.run(
                "INSERT INTO value VALUES (?)", .blob([UInt8](repeating: 0, count: 5 << 20)))
        }
    }

    @Test func rowsComeInOrder() throws {
        let numbers = try database.rows("VALUES (3), (1), (2)") { row throws(DatabaseError) in
            try row.integer(0)
        }
        #expect(numbers == [3, 1, 2])
    }

    @Test func aRunSaysHowManyRowsItChanged() throws {
        #expect(try database.run("INSERT INTO value VALUES (1), (2), (3)") == 3)
        #expect(try database.run("DELETE FROM value WHERE value = ?", .integer(2)) == 1)
        #expect(try database.run("DELETE FROM value WHERE value = ?", .integer(2)) == 0)
    }

    @Test(arguments: [
        "DELETE FROM whorl_schema; DELETE FROM whorl_schema",
        "DELETE FROM whorl_schema WHERE module = ?", "", "-- nothing",
    ])
    func aProgramWithABadStatementStops(sql: String) async {
        let path = folder.path
        await #expect(processExitsWith: .failure) { [path = path as String, sql = sql as String] in
            let database = try Database(inFolder: path, named: "test.db", create: false)
            // An error would end the test as a trap does; only the trap may.
            _ = try? database.run(sql)
            exit(EXIT_SUCCESS)
        }
        #expect(throws: Never.self) { try database.checkIntegrity() }
    }
}
