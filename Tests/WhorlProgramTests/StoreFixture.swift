import Foundation
import Glibc
import Testing
import WhorlDatabase

/// The store that the tests of later versions start from; `WHORL_MAKE_STORE` names a new folder for it.
@Suite(
    .timeLimit(.minutes(5)),
    .enabled(if: geteuid() == 0, "the stores of Fixtures/stores are of uid 0"))
struct StoreFixture {
    private static let folder = ProcessInfo.processInfo.environment["WHORL_MAKE_STORE"]

    private static let keys: [(name: String, secret: String, options: [String])] = [
        ("github", "s3cret", []), ("bank", "bank-secret", ["--access", "biometryAny"]),
        ("both", "both-secret", ["--access", "biometryCurrentSet and deviceCredential"]),
        ("pin-only", "pin-secret", ["--access", "deviceCredential", "--no-recovery"]),
    ]

    @Test("A store of the newest schema is a fixture")
    func theNewestSchemaHasAFixture() async throws {
        try await Bench.with { bench in
            expect(
                try await bench.whorl(
                    "setup", "--accept-consent", "--recovery-out", bench.recoveryFile,
                    manner: .withPIN), 0)
            expect(try await bench.enroll("f1"), 0)
            for key in Self.keys {
                expect(
                    try await bench.run(
                        ["vault", "put", key.name] + key.options, manner: .input(key.secret)), 0)
            }
            expect(try await bench.whorl("verify", touching: ["f2", "f2", "f2"]), 1)
            #expect(!bench.exists(bench.database + "-wal"))
            let versions = try Self.versions(inFolder: bench.store)
            #expect(versions.count >= 3)
            let newest = try bench.copyStore(ofVersion: Int(versions["vault"] ?? 0))
            #expect(try Self.versions(inFolder: newest) == versions)
            guard let folder = Self.folder else { return }
            let files = FileManager.default
            try files.createDirectory(atPath: folder, withIntermediateDirectories: true)
            // The stamp names the machine, so it stays here.
            for name in ["whorl.db", "storage.key"] {
                try files.copyItem(atPath: "\(bench.store)/\(name)", toPath: "\(folder)/\(name)")
            }
            try files.copyItem(atPath: bench.recoveryFile, toPath: "\(folder)/recovery.key")
        }
    }

    private static func versions(inFolder folder: String) throws -> [String: Int64] {
        let database = try Database(inFolder: folder, named: "whorl.db", create: false)
        let rows = try database.rows("SELECT module, version FROM whorl_schema") {
            row throws(DatabaseError) in (try row.text(0), try row.integer(1))
        }
        return Dictionary(uniqueKeysWithValues: rows)
    }
}
