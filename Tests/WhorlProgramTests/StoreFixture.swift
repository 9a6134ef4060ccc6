import Foundation
import Testing

/// Makes the store that a version's tests start from, where `WHORL_MAKE_STORE` names a new folder for it.
@Suite(.timeLimit(.minutes(5)))
struct StoreFixture {
    private static let folder = ProcessInfo.processInfo.environment["WHORL_MAKE_STORE"]

    private static let keys: [(name: String, secret: String, options: [String])] = [
        ("github", "s3cret", []), ("bank", "bank-secret", ["--access", "biometryAny"]),
        ("both", "both-secret", ["--access", "biometryCurrentSet and deviceCredential"]),
        ("pin-only", "pin-secret", ["--access", "deviceCredential", "--no-recovery"]),
    ]

    @Test(.enabled(if: folder != nil, "only where WHORL_MAKE_STORE names a folder"))
    func isMadeByTheProgramItself() async throws {
        let folder = try #require(Self.folder)
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
            let files = FileManager.default
            try files.createDirectory(atPath: folder, withIntermediateDirectories: true)
            // The stamp names the machine, so it stays here.
            for name in ["whorl.db", "storage.key"] {
                try files.copyItem(atPath: "\(bench.store)/\(name)", toPath: "\(folder)/\(name)")
            }
            try files.copyItem(atPath: bench.recoveryFile, toPath: "\(folder)/recovery.key")
            #expect(!bench.exists(bench.database + "-wal"))
        }
    }
}
