import Foundation
import Synchronization
import Testing
import WhorlDatabase
import WhorlSensorLab

/// What is nowhere to be found: secrets in what is said, and what was deleted in the files.
@Suite(.timeLimit(.minutes(5)))
struct PrivacyTests {
    private static let secret = "a very particular secret"
    private static let ridges = "very-particular-ridges"

    @Test(.bug(id: "51"))
    func noSecretIsSaidFromSetupToReset() async throws {
        try await Bench.with { bench in
            let said = Transcript(bench)
            let renewed = bench.path("renewed")
            try await said.run(
                "setup", "--accept-consent", "--recovery-out", bench.recoveryFile, "--json",
                manner: .withPIN)
            said.note(try await bench.enroll(Self.ridges))
            try await said.run("vault", "put", "mine", manner: .input(Self.secret))
            try await said.run("vault", "put", "mine", manner: .input(Self.secret))
            try await said.run(
                "vault", "put", "mine", "--replace", "--json",
                manner: .input(Self.secret, pin: Bench.pin))
            said.note(
                try await bench.whorl(
                    "vault", "get", "mine", "--json", "--out", bench.path("out"),
                    touching: [.scan(Self.ridges)]))
            said.note(
                try await bench.whorl(
                    "vault", "get", "mine", "--out", bench.path("none"), "--tries", "1",
                    touching: ["f2"]))
            try await said.runBothWays("status", "--config")
            try await said.runBothWays("vault", "info", "mine")
            try await said.runBothWays("finger", "list")
            try await said.runBothWays("consent", "show")
            try await said.runBothWays("unlock", manner: .withPIN)
            try await said.runBothWays("unlock", manner: Bench.Manner(pin: Bench.pin + "x"))
            let recoveryKey = try bench.read(bench.recoveryFile)
            try await said.runBothWays(
                "recovery", "check", "--recovery-fd", "0", manner: .input(recoveryKey))
            try await said.runBothWays(
                "recovery", "check", "--recovery-fd", "0", manner: .input("x" + recoveryKey))
            try await said.run(
                "recovery", "renew", "--recovery-out", renewed, "--json", manner: .withPIN)
            let second = try bench.read(renewed)
            try await said.run("vault", "rebind", "--all", "--json", manner: .withPIN)
            try await said.run("consent", "revoke", "--yes", "--json", manner: .withPIN)
            let files = try bench.fingerprint().filter { $0.key.hasPrefix("store/") }
            try await said.run("reset", "--yes", "--json", manner: .withPIN)

            let words = [Self.secret, Bench.pin, recoveryKey, second, Self.ridges]
            for run in said.runs {
                // One that was refused for its arguments would have had nothing to say.
                #expect(run.status != 64 && run.status != 70, "\(run)")
                for word in words {
                    #expect(!run.text.contains(word), "\(run.arguments)")
                    #expect(!run.errors.contains(word), "\(run.arguments)")
                }
            }
            for (name, bytes) in files {
                for word in words {
                    #expect(Data(bytes).firstRange(of: Data(word.utf8)) == nil, "\(name)")
                }
            }
        }
    }

    /// A command that deletes something.
    enum Ending: String, CaseIterable {
        case finger = "finger remove"
        case consent = "consent revoke --yes"
        case key = "vault remove github"
        case everything = "reset --yes"

        var words: [String] { rawValue.split(separator: " ").map(String.init) }
    }

    @Test(arguments: Ending.allCases)
    func whatWasDeletedIsInNoFileOfTheStore(ending: Ending) async throws {
        try await Bench.with(store: .holding) { bench in
            let sealed = try bench.pieces(thatGoWith: ending)
            let before = try bench.countInStore(sealed)
            #expect(before == sealed.count)
            #expect(before > 0)
            expect(try await bench.run(ending.words, manner: .withPIN), 0)
            let after = try bench.countInStore(sealed)
            #expect(after == 0)
        }
    }
}

/// Everything that runs on a bench said.
private final class Transcript: Sendable {
    private let bench: Bench
    private let all = Mutex<[ProgramRun]>([])

    init(_ bench: Bench) { self.bench = bench }

    var runs: [ProgramRun] { all.withLock { $0 } }

    func note(_ run: ProgramRun) { all.withLock { $0.append(run) } }

    func run(_ words: String..., manner: Bench.Manner) async throws {
        note(try await bench.run(words, manner: manner))
    }

    /// For people and for programs.
    func runBothWays(_ words: String..., manner: Bench.Manner = .usual) async throws {
        note(try await bench.run(words, manner: manner))
        note(try await bench.run(words + ["--json"], manner: manner))
    }
}

extension Bench {
    /// Pieces of everything that such a command deletes.
    fileprivate func pieces(thatGoWith ending: PrivacyTests.Ending) throws -> [[UInt8]] {
        var all: [[UInt8]] = []
        if ending != .key { all += try pieces("sealed", of: "print") }
        if ending == .key || ending == .everything {
            all += try pieces("payload", of: "wrapped_key")
            all += try pieces("wrapped", of: "wrapped_key")
            all += try pieces("recovery", of: "wrapped_key")
        }
        return all
    }

    /// Pieces of a value in the store; the first bytes of some say of what kind it is.
    fileprivate func pieces(_ column: String, of table: String) throws -> [[UInt8]] {
        let database = try Database(inFolder: store, named: "whorl.db", create: false)
        let found = try database.row("SELECT \(column) FROM \(table)") {
            (row) throws(DatabaseError) in try row.blob(0)
        }
        let value = try #require(found)
        var pieces: [[UInt8]] = []
        for start in stride(from: value.count - 16, through: 32, by: -64) {
            pieces.append(Array(value[start..<(start + 16)]))
        }
        return pieces
    }

    /// How many of the pieces are in any file of the store.
    fileprivate func countInStore(_ pieces: [[UInt8]]) throws -> Int {
        var files = Data()
        for name in try FileManager.default.contentsOfDirectory(atPath: store) {
            files += Data(try bytes("\(store)/\(name)"))
        }
        var count = 0
        for piece in pieces where files.firstRange(of: Data(piece)) != nil { count += 1 }
        return count
    }
}
