import Testing

@testable import WhorlCommand

struct TokenTests {
    @Test func argumentsAreToldApartByTheirForm() {
        let tokens = Token.tokens(of: ["get", "--out", "a", "--tries=2", "-h", "-"])
        #expect(
            tokens == [
                .value("get"), .option(name: "out", value: nil), .value("a"),
                .option(name: "tries", value: "2"), .letter("h"), .value("-"),
            ])
    }

    @Test func everythingAfterTwoDashesIsAValue() {
        let tokens = Token.tokens(of: ["--json", "--", "--json", "--", "-h"])
        #expect(
            tokens == [
                .option(name: "json", value: nil), .value("--json"), .value("--"), .value("-h"),
            ])
    }

    @Test func aValueMayHoldEqualsSignsOrNothing() {
        #expect(
            Token.tokens(of: ["--tpm=swtpm:path=/s", "--out="]) == [
                .option(name: "tpm", value: "swtpm:path=/s"), .option(name: "out", value: ""),
            ])
    }

    @Test func anEmptyArgumentIsAValue() {
        #expect(Token.tokens(of: [""]) == [.value("")])
    }
}
