import Glibc
import WhorlDatabase

/// What takes long to bring about, brought about in the store itself.
extension Bench {
    /// Moves the beginning of every wait back, as if that many seconds had passed since.
    ///
    /// No process may use the store meanwhile.
    func letPass(seconds: Int64) throws {
        let database = try openDatabase()
        try database.run(
            """
            UPDATE attempts SET locked_at = locked_at - ?, credential_at = credential_at - ?
            """, .integer(seconds * 1_000_000_000), .integer(seconds * 1_000_000_000))
    }

    /// Counts so many failed attempts; there must have been some use of the store.
    func setFailures(_ count: Int64) throws {
        try openDatabase().run("UPDATE attempts SET failures = ?", .integer(count))
    }

    private func openDatabase() throws -> Database {
        try Database(inFolder: store, named: "whorl.db", create: false)
    }

    /// Holds the lock that a request holds, for as long as the body runs.
    func holdingRequestLock<Result>(_ body: () async throws -> Result) async throws -> Result {
        let descriptor = unsafe open("\(store)/request.lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw ChildPipes.Failure(call: "open", number: errno) }
        defer { close(descriptor) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            throw ChildPipes.Failure(call: "flock", number: errno)
        }
        return try await body()
    }
}
