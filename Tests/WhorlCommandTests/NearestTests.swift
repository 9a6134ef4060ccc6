import Testing

@testable import WhorlCommand

struct NearestTests {
    @Test(arguments: [
        ("stauts", "status", 1), ("vault", "vault", 0), ("vlt", "vault", 2), ("", "lock", 4),
        ("lock", "", 4), ("ca", "abc", 3), ("unlok", "unlock", 1),
    ])
    func slipsAreCounted(word: String, other: String, distance: Int) {
        #expect(Nearest.distance(word, other) == distance)
    }

    @Test(arguments: [
        ("stauts", "status"), ("vlt", "vault"), ("loc", "lock"), ("read", "readers"),
        ("taxonmy", "taxonomy"),
    ])
    func aSlipLeadsToTheWordMeant(word: String, meant: String) {
        let words = ["status", "readers", "taxonomy", "vault", "lock", "unlock"]
        #expect(Nearest.candidate(to: word, among: words) == meant)
    }

    @Test(arguments: ["", "xyzzy", "banana", String(repeating: "a", count: 100_000)])
    func whatIsNoSlipLeadsNowhere(word: String) {
        #expect(Nearest.candidate(to: word, among: ["status", "lock", "vault"]) == nil)
        #expect(Nearest.candidate(to: word, among: []) == nil)
    }
}
