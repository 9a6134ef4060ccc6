import Foundation
import Testing

/// What libFuzzer found worth keeping, run again; it stops the program where a target does.
@Suite(.timeLimit(.minutes(2)))
struct CorpusTests {
    private static func corpus(of target: FuzzTarget) throws -> [[UInt8]] {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../Fixtures/fuzz/\(target.rawValue)")
        return try FileManager.default.contentsOfDirectory(
            at: folder, includingPropertiesForKeys: nil
        ).map { [UInt8](try Data(contentsOf: $0)) }
    }

    @Test(arguments: FuzzTarget.allCases)
    func everyInputOfTheCorpusIsTakenOrRefused(target: FuzzTarget) throws {
        let corpus = try Self.corpus(of: target)
        #expect(corpus.count >= 5)
        let taken = corpus.filter { target.examine($0) }
        // Of a corpus that is all taken or all refused the target would see one side only.
        #expect(!taken.isEmpty)
        #expect(taken.count < corpus.count)
    }

    @Test func everyCorpusHasItsTarget() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../Fixtures/fuzz")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .filter { !$0.hasSuffix(".md") }
        #expect(Set(names) == Set(FuzzTarget.allCases.map(\.rawValue)))
    }
}
