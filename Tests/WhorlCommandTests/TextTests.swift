import Testing
import WhorlAuthentication
import WhorlBiometrics

@testable import WhorlCommand

struct TextTests {
    @Test(
        arguments: [
            (0, "1970-01-01 00:00 UTC"), (-1, "1969-12-31 23:59 UTC"),
            (951_782_400, "2000-02-29 00:00 UTC"), (1_709_251_199, "2024-02-29 23:59 UTC"),
            (4_107_542_400, "2100-03-01 00:00 UTC"), (253_402_300_799, "9999-12-31 23:59 UTC"),
            (-62_167_219_200, "0000-01-01 00:00 UTC"),
        ] as [(Int64, String)])
    func timesAreThoseOfTheCalendar(seconds: Int64, words: String) {
        #expect(Timestamp.words(seconds) == words)
    }

    @Test(arguments: [Int64.min, .max])
    func noTimeEndsTheProgram(seconds: Int64) {
        #expect(Timestamp.words(seconds).hasSuffix(" UTC"))
    }

    @Test func textIsBrokenBetweenWords() {
        #expect(TextLayout.wrap("one two three", columns: 7) == ["one two", "three"])
        #expect(TextLayout.wrap("one two", indent: 2, columns: 6) == ["  one", "  two"])
        #expect(TextLayout.wrap("incomprehensible", columns: 5) == ["incomprehensible"])
        #expect(TextLayout.wrap("", columns: 5) == [])
    }

    @Test func columnsLineUp() {
        #expect(
            TextLayout.table([["a", "bb", "c"], ["aaa", "b"], []]) == ["a    bb  c", "aaa  b", ""])
        #expect(TextLayout.table([]) == [])
    }

    @Test func longTermsStandAboveTheirExplanation() {
        #expect(
            TextLayout.definitions([("x", "y"), ("longer", "z")], indent: 0, termColumns: 4) == [
                "x   y", "longer", "    z",
            ])
    }

    @Test(arguments: [
        ("biometryCurrentSet or deviceCredential", StoreKind.software, DiskThief.nothing),
        ("deviceCredential", .software, .pin),
        ("biometryAny and deviceCredential", .software, .pin),
        ("biometryAny", .software, .nothing), ("biometryAny", .tpm, .tpm),
    ])
    func whatStopsAThiefOfTheDiskIsSaid(
        access: String, store: StoreKind, thief: DiskThief
    ) throws {
        let key = KeyInfo(
            name: try KeyName("k"), kind: .secret, store: store,
            access: try AccessControl(parsing: access), minimumStrength: nil, reuseSeconds: 0,
            isBootBound: false, hasRecovery: true, created: 0, generation: 1, state: .open,
            isSimulated: false)
        #expect(DiskThief(key) == thief)
    }
}
