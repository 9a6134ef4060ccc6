import Foundation
import Glibc
import Testing

/// The built program on a store that an earlier version wrote; what is in it stands in
/// Fixtures/stores/README.md.
@Suite(
    .timeLimit(.minutes(5)),
    .enabled(if: geteuid() == 0, "the stores of Fixtures/stores are of uid 0"))
struct UpgradeTests {
    private func expectWhole(_ bench: Bench) async throws {
        let list = try await bench.whorl("vault", "list", "--json")
        expect(list, 0)
        let names = try list.object()["keys"]?.array?.compactMap { $0["name"]?.text }
        #expect(names == ["bank", "both", "github", "pin-only"])
        let status = try await bench.status()
        #expect(status["restored"] == .null)
        #expect(status["lockout"]?["failures"]?.integer == 3)
    }

    @Test(arguments: [1])
    func itsFingerAndItsPINOpenItsKeys(version: Int) async throws {
        try await Bench.with { bench in
            try bench.copyStore(ofVersion: version)
            try await expectWhole(bench)
            let opened = try await bench.whorl("vault", "get", "github", touching: ["f1"])
            expect(opened, 0)
            #expect(opened.text == "s3cret")
            let byPIN = try await bench.whorl("vault", "get", "pin-only", manner: .withPIN)
            expect(byPIN, 0)
            #expect(byPIN.text == "pin-secret")
        }
    }

    // Each size is another write, up to that from which on the upgrade goes through.
    @Test func anUpgradeThatIsCutOffAtAWriteGoesOn() async throws {
        try await Bench.with { bench in
            var hasFailed = false
            var hasSucceeded = false
            for size in stride(from: 32_768, through: 65_536, by: 1024) where !hasSucceeded {
                try bench.copyStore(ofVersion: 1)
                let child = try bench.start(
                    writingAtMost: size, ["--store", bench.store, "vault", "list"])
                let ending = await child.end()
                hasSucceeded = ending == .exited(0)
                hasFailed = hasFailed || ending.isCutOff
                #expect(hasSucceeded || ending.isCutOff, "\(size): \(ending) \(child.errors)")
                try await expectWhole(bench)
            }
            #expect(hasFailed && hasSucceeded)
        }
    }

    @Test func severalMayUpgradeAtOnce() async throws {
        try await Bench.with { bench in
            try bench.copyStore(ofVersion: 1)
            let children = try (0..<4).map { _ in try bench.start(["vault", "list"]) }
            for child in children {
                #expect(await child.end() == .exited(0), "\(child.errors)")
            }
            try await expectWhole(bench)
        }
    }
}
