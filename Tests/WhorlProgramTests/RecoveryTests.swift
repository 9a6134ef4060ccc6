import Foundation
import Glibc
import Testing

/// A secret comes out with the recovery key and the database file, and nothing else.
@Suite(.timeLimit(.minutes(5)))
struct RecoveryTests {
    // The store's own, which it was set up with.
    private static func manner(_ bench: Bench) throws -> Bench.Manner {
        var manner = Bench.Manner.usual
        manner.recoveryKey = try bench.read(bench.recoveryFile)
        return manner
    }

    // A prepared store's recovery key is not in its folder, so this one is set up here.
    private static func with(_ body: (Bench, Bench.Manner) async throws -> Void) async throws {
        try await Bench.with { bench in
            expect(
                try await bench.whorl(
                    "setup", "--accept-consent", "--recovery-out", bench.recoveryFile,
                    manner: .withPIN), 0)
            expect(
                try await bench.whorl(
                    "vault", "put", "github", "--access", "deviceCredential",
                    manner: .input("s3cret")), 0)
            try await body(bench, manner(bench))
        }
    }

    // What is in a folder, the stamps of time of each with it.
    private func state(of folder: String) throws -> [String: String] {
        var state: [String: String] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
            var status = stat()
            try #require(unsafe lstat("\(folder)/\(name)", &status) == 0)
            state[name] =
                "\(status.st_ino) \(status.st_size) \(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)"
        }
        return state
    }

    @Test(.bug(id: "44"))
    func withoutItsStorageKeyAStoreSaysWhatItIsAndRecoversAndStaysAsItIs() async throws {
        try await Self.with { bench, manner in
            try bench.remove(bench.storageKey)
            let before = try state(of: bench.store)
            let files = try bench.fingerprint()
            expect(
                try await bench.whorl("vault", "get", "github", manner: .withPIN), 65,
                saying: "use 'whorl vault recover' with the recovery key")
            expect(try await bench.whorl("vault", "list"), 65, saying: "another machine")
            let run = try await bench.whorl("vault", "recover", "github", manner: manner)
            expect(run, 0)
            #expect(run.text == "s3cret")
            #expect(try bench.fingerprint() == files)
            // Opening a database may make a log beside it; recovering does not even that.
            #expect(!bench.exists(bench.storageKey))
            #expect(
                try state(of: bench.store).filter { !$0.key.contains("-") }
                    == before.filter { !$0.key.contains("-") })
        }
    }

    @Test(.bug(id: "44"))
    func aCopyThatNobodyMayWriteIsEnoughAndNothingIsLeftBehind() async throws {
        try await Self.with { bench, manner in
            let media = bench.path("media")
            let scratch = bench.path("scratch")
            try bench.makeFolder(media)
            try bench.makeFolder(scratch)
            try FileManager.default.copyItem(atPath: bench.database, toPath: "\(media)/whorl.db")
            try bench.setMode(0o444, "\(media)/whorl.db")
            try bench.setMode(0o555, media)
            defer { try? bench.setMode(0o700, media) }
            let before = try state(of: media)
            var manner = manner
            manner.namesStore = false
            manner.isOrdinary = true
            manner.environment["TMPDIR"] = scratch
            let run = try await bench.whorl(
                "vault", "recover", "github", "--from", "\(media)/whorl.db", manner: manner)
            expect(run, 0)
            #expect(run.text == "s3cret")
            #expect(try state(of: media) == before)
            #expect(try FileManager.default.contentsOfDirectory(atPath: scratch) == [])
            #expect(!bench.exists(bench.path(".local")))
        }
    }

    @Test func anotherRecoveryKeyAndAMistypedOneBringNothingOut() async throws {
        try await Self.with { bench, manner in
            var manner = manner
            manner.recoveryKey =
                "00000-00001-00002-00003-00004-00005-00006-00007-00008-00009-0000A-0000B-0000C"
            let wrong = try await bench.whorl("vault", "recover", "github", manner: manner)
            expect(wrong, 1)
            #expect(wrong.output.isEmpty)
            manner.recoveryKey =
                "00000-00001-00002-00003-00004-00005-00006-00007-00008-00009-0000A-0000B-0000D"
            let mistyped = try await bench.whorl("vault", "recover", "github", manner: manner)
            expect(mistyped, 65, saying: "group 13")
            #expect(mistyped.output.isEmpty)
        }
    }

    @Test func aBackupIsRestoredInAnotherStore() async throws {
        try await Self.with { bench, manner in
            let file = bench.path("backup")
            let backup = try await bench.whorl("vault", "backup", file)
            expect(backup, 0)
            #expect(try bench.mode(file) == 0o600)
            #expect(!(try bench.bytes(file).contains(Array("s3cret".utf8))))
            try await Self.with { other, _ in
                var taken = manner
                taken.namesStore = false
                let run = try await other.whorl(
                    "--store", other.store, "vault", "restore", file, "--json", manner: taken)
                expect(run, 0)
                #expect(try run.object()["kept"] == .array([.string("github")]))
                expect(
                    try await other.whorl(
                        "vault", "remove", "github", manner: .withPIN), 0)
                let again = try await other.whorl(
                    "--store", other.store, "vault", "restore", file, "--json", manner: taken)
                #expect(try again.object()["restored"] == .array([.string("github")]))
                let opened = try await other.whorl("vault", "get", "github", manner: .withPIN)
                expect(opened, 0)
                #expect(opened.text == "s3cret")
            }
        }
    }

    @Test func aBackupThatIsKilledLeavesNoHalfUnderItsName() async throws {
        try await Self.with { bench, _ in
            expect(
                try await bench.whorl(
                    "vault", "put", "long", "--access", "deviceCredential",
                    manner: .input(String(repeating: "x", count: 200_000))), 0)
            let file = bench.path("backup")
            let child = try bench.start(
                writingAtMost: 100_000, ["--store", bench.store, "vault", "backup", file])
            #expect(await child.end().isCutOff)
            #expect(!bench.exists(file))
            expect(try await bench.whorl("vault", "backup", file), 0)
            #expect(try bench.size(file) > 200_000)
        }
    }

    @Test func anOlderDatabaseIsNoticedAndAsksForThePINOnce() async throws {
        try await Bench.with(store: .holding) { bench in
            let old = bench.path("old")
            try FileManager.default.copyItem(atPath: bench.database, toPath: old)
            expect(try await bench.whorl("vault", "put", "since", manner: .input("x")), 0)
            for suffix in ["", "-wal", "-shm"] where bench.exists(bench.database + suffix) {
                try bench.remove(bench.database + suffix)
            }
            try FileManager.default.copyItem(atPath: old, toPath: bench.database)
            try bench.setMode(0o600, bench.database)
            let status = try await bench.whorl("status", "--json").object()
            #expect(status["restored"] == .string("older"))
            #expect(try await bench.whorl("status").text.contains("older than it was here last"))
            let refused = try await bench.whorl("verify")
            expect(refused, 6, saying: "keys put since are not in it")
            #expect(!refused.errors.contains("Swipe"), "nothing may be armed: \(refused)")
            expect(try await bench.whorl("unlock", manner: .withPIN), 0)
            #expect(try await bench.status()["restored"] == .null)
            let opened = try await bench.whorl("vault", "get", "github", touching: ["f1"])
            expect(opened, 0)
            #expect(opened.text == PreparedStores.secret)
        }
    }
}
