import Foundation
import Glibc
import Testing

/// Stores that are refused, because others could touch them or they are not what they should be.
@Suite(.timeLimit(.minutes(5)))
struct StoreRefusalTests {
    /// Something that was done to a store, and what must be said of it.
    struct Spoiling: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let status: CInt
        let words: String
        let spoil: @Sendable (Bench) throws -> Void

        init(
            _ name: String, _ status: CInt, _ words: String,
            _ spoil: @escaping @Sendable (Bench) throws -> Void
        ) {
            testDescription = name
            self.status = status
            self.words = words
            self.spoil = spoil
        }
    }

    static let open: [Spoiling] = [
        Spoiling("a folder that all may read", 77, "open to others (mode 0755)") {
            try $0.setMode(0o755, $0.store)
        },
        Spoiling("a folder that the group may enter", 77, "open to others (mode 0710)") {
            try $0.setMode(0o710, $0.store)
        },
        Spoiling("a folder that is a symbolic link", 77, "symbolic link") {
            try $0.move($0.store, to: $0.path("real"))
            try $0.link($0.store, to: $0.path("real"))
        },
        Spoiling("a folder that is a file", 77, "not what it should be") {
            try $0.move($0.store, to: $0.path("real"))
            try $0.write("", to: $0.store)
        },
        Spoiling("a database that all may read", 77, "open to others (mode 0644)") {
            try $0.setMode(0o644, $0.database)
        },
        Spoiling("a database that may be run", 77, "open to others (mode 0700)") {
            try $0.setMode(0o700, $0.database)
        },
        Spoiling("a database that is a symbolic link", 77, "symbolic link") {
            try $0.move($0.database, to: $0.path("real"))
            try $0.link($0.database, to: $0.path("real"))
        },
        Spoiling("a database with a second name", 77, "second name") {
            try FileManager.default.linkItem(atPath: $0.database, toPath: $0.path("second"))
        },
        Spoiling("a database that is a pipe", 77, "not what it should be") {
            try $0.remove($0.database)
            try $0.makePipe($0.database)
        },
        Spoiling("a log that all may read", 77, "open to others (mode 0644)") {
            try $0.write("", to: $0.database + "-wal")
            try $0.setMode(0o644, $0.database + "-wal")
        },
        Spoiling("a log that is a symbolic link", 77, "symbolic link") {
            try $0.link($0.database + "-wal", to: "/etc/passwd")
        },
        Spoiling("a storage key that the group may read", 77, "open to others (mode 0640)") {
            try $0.setMode(0o640, $0.storageKey)
        },
        Spoiling("a storage key that is a symbolic link", 77, "symbolic link") {
            try $0.move($0.storageKey, to: $0.path("real"))
            try $0.link($0.storageKey, to: $0.path("real"))
        },
        Spoiling("a storage key with a second name", 77, "second name") {
            try FileManager.default.linkItem(atPath: $0.storageKey, toPath: $0.path("second"))
        },
        Spoiling("a storage key that is a pipe", 77, "regular file") {
            try $0.remove($0.storageKey)
            try $0.makePipe($0.storageKey)
        },
    ]

    static let damaged: [Spoiling] = [
        Spoiling("no storage key", 65, "made on another machine") { try $0.remove($0.storageKey) },
        Spoiling("a storage key cut short", 65, "cut short") { try $0.cut($0.storageKey, to: 31) },
        Spoiling("an empty storage key", 65, "cut short") { try $0.cut($0.storageKey, to: 0) },
        Spoiling("a storage key that goes on", 65, "more than a key") {
            try $0.cut($0.storageKey, to: 33)
        },
        Spoiling("another storage key", 65, "storage.key was changed") {
            try Data((0..<32).map { UInt8($0) }).write(to: URL(filePath: $0.storageKey))
            try $0.setMode(0o600, $0.storageKey)
        },
        Spoiling("garbage for a database", 65, "damaged") {
            let garbage = (0..<8192).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 13) }
            try $0.overwrite($0.database, at: 0, with: garbage)
        },
        Spoiling("text for a database", 65, "damaged") {
            try $0.cut($0.database, to: 0)
            try $0.overwrite($0.database, at: 0, with: Array("hello\n".utf8))
        },
        Spoiling("a database without its last page", 65, "damaged") {
            try $0.cut($0.database, to: $0.size($0.database) - 4096)
        },
        Spoiling("half a database", 65, "damaged") {
            try $0.cut($0.database, to: $0.size($0.database) / 2)
        },
        Spoiling("the first page of a database", 65, "damaged") {
            try $0.cut($0.database, to: 4096)
        },
        Spoiling("the head of a database", 65, "damaged") { try $0.cut($0.database, to: 100) },
        // The application id, in the header.
        Spoiling("a database of another program's", 65, "not one of Whorl's") {
            try $0.overwrite($0.database, at: 68, with: [1, 2, 3, 4])
        },
        // The user version, in the header.
        Spoiling("a database of a newer version", 65, "newer Whorl") {
            try $0.overwrite($0.database, at: 60, with: [0, 0, 0, 99])
        },
    ]

    private static let commands: [[String]] = [
        ["status"], ["vault", "list"], ["vault", "get", "github"], ["vault", "put", "new"],
        ["verify"],
    ]
    private static let commandsWithPIN: [[String]] = [
        ["vault", "get", "github"], ["enroll"],
    ]

    private func refused(_ spoiling: Spoiling) async throws {
        try await Bench.with(store: .holding) { bench in
            try spoiling.spoil(bench)
            let before = try bench.fingerprint()
            for command in Self.commands {
                let run = try await bench.run(command, manner: .input("x"))
                expect(run, spoiling.status, saying: spoiling.words)
                #expect(!run.errors.contains("Swipe"), "nothing may be armed: \(run)")
            }
            for command in Self.commandsWithPIN {
                let run = try await bench.run(command, manner: .withPIN)
                expect(run, spoiling.status, saying: spoiling.words)
                #expect(run.output.isEmpty)
            }
            let setup = try await bench.whorl(
                "setup", "--accept-consent", "--recovery-out", bench.recoveryFile, manner: .withPIN)
            expect(setup, spoiling.status, saying: spoiling.words)
            #expect(!bench.exists(bench.recoveryFile))
            #expect(try bench.fingerprint() == before, "nothing may be changed")
        }
    }

    @Test(.bug(id: "35"), arguments: open)
    func whatOthersCouldTouchIsRefused(spoiling: Spoiling) async throws {
        try await refused(spoiling)
    }

    @Test(arguments: damaged)
    func whatIsDamagedIsRefused(spoiling: Spoiling) async throws {
        try await refused(spoiling)
    }

    @Test func aStoreOfAnotherUserIsRefused() async throws {
        try await Bench.with(store: .holding) { bench in
            let isRoot = geteuid() == 0
            if isRoot {
                try #require(unsafe chown(bench.store, 65_534, 65_534) == 0)
            }
            // An ordinary user has no such store to make, but the system has folders of root's.
            let folder = isRoot ? bench.store : "/usr"
            var manner = Bench.Manner.usual
            manner.namesStore = false
            let run = try await bench.whorl("--store", folder, "vault", "list", manner: manner)
            expect(run, 77, saying: isRoot ? "belongs to uid 65534" : "belongs to uid 0")
        }
    }

    @Test(arguments: ["folder", "database"])
    func whatCannotBeWrittenIsRefusedBeforeAnythingIsArmed(what: String) async throws {
        try await Bench.with(store: .holding) { bench in
            let path = what == "folder" ? bench.store : bench.database
            try bench.setMode(what == "folder" ? 0o500 : 0o400, path)
            defer { try? bench.setMode(what == "folder" ? 0o700 : 0o600, path) }
            for command in [
                ["vault", "get", "github"], ["vault", "list"], ["vault", "put", "x"],
            ] {
                var manner = Bench.Manner.input("x")
                manner.isOrdinary = true
                let run = try await bench.run(command, manner: manner)
                expect(run, 74, saying: "cannot be written")
                #expect(!run.errors.contains("Swipe"), "\(run)")
            }
        }
    }

    @Test(arguments: ["folder", "database", "storage key"])
    func whatCannotBeReadIsRefused(what: String) async throws {
        try await Bench.with(store: .holding) { bench in
            let path =
                switch what {
                case "folder": bench.store
                case "database": bench.database
                default: bench.storageKey
                }
            try bench.setMode(0, path)
            defer { try? bench.setMode(what == "folder" ? 0o700 : 0o600, path) }
            var manner = Bench.Manner.usual
            manner.isOrdinary = true
            let run = try await bench.whorl("vault", "get", "github", manner: manner)
            expect(run, 74)
        }
    }

    @Test func aDatabaseAndAStorageKeyOfTwoStoresOpenNothing() async throws {
        try await Bench.with(store: .holding) { bench in
            let other = try Bench()
            expect(
                try await other.whorl(
                    "setup", "--accept-consent", "--recovery-out", other.recoveryFile,
                    manner: .withPIN), 0)
            try bench.remove(bench.storageKey)
            try bench.move(other.storageKey, to: bench.storageKey)
            let run = try await bench.whorl("vault", "get", "github", manner: .withPIN)
            expect(run, 65, saying: "storage.key was changed")
            #expect(run.output.isEmpty)
        }
    }

    // MARK: Nothing there

    @Test(arguments: ["no folder", "an empty folder", "no folder above it"])
    func whereNothingIsSetUpReadsMakeNothing(what: String) async throws {
        try await Bench.with { bench in
            var folder = bench.store
            if what == "an empty folder" { try bench.makeFolder(folder) }
            if what == "no folder above it" { folder += "/a/b" }
            var manner = Bench.Manner.input("x")
            manner.namesStore = false
            let before = try bench.fingerprint()
            for command in Self.commands.dropFirst() {
                let run = try await bench.run(["--store", folder] + command, manner: manner)
                expect(run, 3, saying: "whorl setup")
            }
            let status = try await bench.run(["--store", folder, "status"], manner: manner)
            expect(status, 0)
            #expect(try bench.fingerprint() == before)
        }
    }

    @Test(.bug(id: "44"), arguments: [true, false])
    func anEmptiedDatabaseIsNotMadeIntoAStoreByReadingIt(hasStorageKey: Bool) async throws {
        try await Bench.with(store: .holding) { bench in
            try bench.cut(bench.database, to: 0)
            if !hasStorageKey { try bench.remove(bench.storageKey) }
            let before = try bench.fingerprint()
            for command in Self.commands {
                let run = try await bench.run(command, manner: .input("x"))
                #expect([0, 3, 65].contains(run.status), "\(run)")
            }
            #expect(try bench.fingerprint() == before)
        }
    }

    @Test(arguments: [20, 32, 44])
    func aSecretThatWasTamperedWithIsNotGivenOut(offsetFromEnd: Int) async throws {
        try await Bench.with(store: .enrolled) { bench in
            let secret = Array(repeating: UInt8(ascii: "s"), count: 100_000)
            let put = Bench.Manner(input: .bytes(secret))
            expect(try await bench.whorl("vault", "put", "long", manner: put), 0)
            // Of so long a value most pages hold nothing else.
            let size = try bench.size(bench.database)
            let page = size / 4096 - offsetFromEnd / 4
            try bench.flip(bench.database, at: page * 4096 - 2048)
            let run = try await bench.whorl("vault", "get", "long", manner: .withPIN)
            expect(run, 65, saying: "damaged")
            #expect(run.output.isEmpty)
        }
    }
}
