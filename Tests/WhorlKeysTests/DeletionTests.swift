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
        try columns.flatMap { column in
            let bytes = try bench.blob(column, of: table)
            return stride(from: 64, to: bytes.count - 16, by: 256).map { bytes[$0..<($0 + 16)] }
        }
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

    @Test func nothingIsEverThereInTheClear() {
        #expect(!bench.files().holds("s3crets3cret".utf8))
        #expect(!bench.files().holds("ridgeridge".utf8))
    }
}
