import Testing
import WhorlBiometrics

@testable import WhorlKeys

/// What is deleted leaves no byte in the files, sealed or not.
struct DeletionTests {
    private let bench: VaultBench

    init() async throws {
        bench = try await VaultBench.open()
        try await bench.enroll(.rightIndexFinger, String(repeating: "ridge", count: 2000))
        try await bench.put(String(repeating: "s3cret", count: 2000))
    }

    // Pieces of a value; one may lie across two pages, and is then not found in one piece. The first
    // bytes say what kind of value it is and are those of every other.
    private func pieces(_ columns: [String], of table: String) throws -> [ArraySlice<UInt8>] {
        try columns.flatMap { try bench.blob($0, of: table).pieces }
    }

    private func found(_ pieces: [ArraySlice<UInt8>]) -> Int {
        let files = bench.files()
        return pieces.count { files.holds($0) }
    }

    @Test func aRemovedKeyLeavesNothing() async throws {
        let all = try pieces(["payload", "wrapped", "recovery"], of: "wrapped_key")
        #expect(found(all) > all.count / 2)
        try await bench.vault.remove(
            KeyName("key"), grant: bench.finger(bench.purpose(of: "key")))
        #expect(found(all) == 0)
    }

    @Test func aReplacedKeyLeavesNothingOfTheOldOne() async throws {
        let all = try pieces(["payload", "wrapped", "recovery"], of: "wrapped_key")
        _ = try await bench.vault.replace(
            secret("new"), as: KeyName("key"), options: KeyOptions(), strength: .weak,
            isSimulated: false, grant: bench.finger(bench.purpose(of: "key")), at: 0)
        #expect(found(all) == 0)
    }

    @Test func aCarriedKeyLeavesNothingOfTheOldGeneration() async throws {
        let all = try pieces(["payload", "wrapped", "recovery"], of: "wrapped_key")
        try await bench.enroll(.leftThumb, "other", keys: .carry)
        #expect(found(all) == 0)
    }

    @Test func aRemovedOrReplacedPrintLeavesNothing() async throws {
        let first = try pieces(["sealed"], of: "print")
        #expect(found(first) > first.count / 2)
        try await bench.enroll(.rightIndexFinger, String(repeating: "other", count: 2000))
        #expect(found(first) == 0)
        let second = try pieces(["sealed"], of: "print")
        _ = try await bench.vault.removeFinger(
            .rightIndexFinger, grant: bench.credential(.changeEnrollment))
        #expect(found(second) == 0)
    }

    @Test func revokedConsentLeavesNothingThatAFingerOpened() async throws {
        try await bench.put(
            String(repeating: "0ther", count: 2000), as: "lonely-key", access: .biometryAny,
            hasRecovery: false)
        let prints = try pieces(["sealed"], of: "print")
        let deleted = try ["payload", "wrapped"].flatMap { column in
            try bench.blob(column, of: "wrapped_key", where: "name = 'lonely-key'").pieces
        }
        let branches = try fingerBranch(of: "key").pieces
        #expect(found(prints) > 0 && found(deleted) > 0 && found(branches) > 0)
        _ = try await bench.vault.revokeConsent(bench.credential(.changeConsent), at: 0)
        #expect(found(prints) == 0 && found(deleted) == 0 && found(branches) == 0)
        #expect(!bench.files().holds("lonely-key".utf8))
    }

    // The part of a wrapped key that a finger alone opens.
    private func fingerBranch(of name: String) throws -> [UInt8] {
        let wrapped = try WrappedKey(
            encoded: bench.blob("wrapped", of: "wrapped_key", where: "name = '\(name)'"))
        return try #require(wrapped.parts.first)
    }

    @Test func aResetLeavesNothing() async throws {
        let all =
            try pieces(["payload", "wrapped", "recovery"], of: "wrapped_key")
            + pieces(["sealed"], of: "print") + pieces(["credential", "recovery"], of: "subject")
        let key = try #require(bench.temporary.contents(of: "storage.key"))
        #expect(found(all) > all.count / 2)
        #expect(bench.files().holds(VaultBench.subject.name.utf8))
        _ = try await bench.vault.reset(bench.nothing(.reset)) { _ in }
        #expect(found(all) == 0)
        #expect(!bench.files().holds(VaultBench.subject.name.utf8))
        #expect(!bench.files().holds(VaultBench.reader.driver.utf8))
        for name in bench.temporary.names() {
            #expect(bench.temporary.contents(of: name)?.holds(key) == false, "\(name)")
        }
    }

    @Test func nothingIsEverThereInTheClear() {
        #expect(!bench.files().holds("s3crets3cret".utf8))
        #expect(!bench.files().holds("ridgeridge".utf8))
    }
}

extension [UInt8] {
    fileprivate var pieces: [ArraySlice<UInt8>] {
        stride(from: Swift.min(64, count / 2), to: count - 16, by: 256).map { self[$0..<($0 + 16)] }
    }
}
