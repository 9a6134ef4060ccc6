import Glibc
import Testing
import WhorlDatabase

/// A private folder that is removed with everything in it.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        var template = "/tmp/whorl-database-test-XXXXXX".utf8CString
        path = unsafe template.withUnsafeMutableBufferPointer { template in
            guard let start = template.baseAddress, let start = unsafe mkdtemp(start) else {
                return ""
            }
            return unsafe String(cString: start)
        }
        try #require(!path.isEmpty)
    }

    deinit {
        for name in names() { unsafe unlink("\(path)/\(name)") }
        unsafe rmdir(path)
    }

    func names() -> Set<String> {
        guard let listing = unsafe opendir(path) else { return [] }
        defer { unsafe closedir(listing) }
        var names: Set<String> = []
        while let entry = unsafe readdir(listing) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
                unsafe name.withMemoryRebound(to: CChar.self, capacity: 256) { name in
                    unsafe String(cString: name)
                }
            }
            if name != ".", name != ".." { names.insert(name) }
        }
        return names
    }

    func database(create: Bool = true, busyTimeout: Duration = .seconds(5)) throws -> Database {
        try Database(inFolder: path, named: "test.db", create: create, busyTimeout: busyTimeout)
    }
}

func mode(of path: String) -> mode_t {
    var status = stat()
    guard unsafe lstat(path, &status) == 0 else { return 0 }
    return status.st_mode & 0o7777
}

func contents(of path: String) throws -> [UInt8] {
    try #require(readableContents(of: path))
}

func readableContents(of path: String) -> [UInt8]? {
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65536)
    while case let count = unsafe read(file, &chunk, chunk.count), count > 0 {
        bytes += chunk[..<count]
    }
    return bytes
}

func write(_ bytes: [UInt8], to path: String, mode: mode_t = 0o600) throws {
    let file = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode)
    try #require(file >= 0)
    defer { close(file) }
    try #require(unsafe Glibc.write(file, bytes, bytes.count) == bytes.count)
}

/// The error of a body, or nil if it throws none of ours.
func databaseError(_ body: () throws -> Void) -> DatabaseError? {
    do {
        try body()
        return nil
    } catch {
        return error as? DatabaseError
    }
}

extension Database {
    func count(of table: String) throws -> Int64? {
        try row("SELECT count(*) FROM \(table)") { row throws(DatabaseError) in
            try row.integer(0)
        }
    }
}

/// One table, which most tests use.
let noteSchema = DatabaseSchema(
    module: "notes",
    steps: ["CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT"])
