import Testing
import WhorlBiometrics

@testable import WhorlKeys

struct CredentialRuleTests {
    private func refusal(of pin: String, minimumCount: Int = 6) throws -> VaultError? {
        let credential = try secret(pin)
        do throws(VaultError) {
            try CredentialRule.check(credential, minimumCount: minimumCount)
            return nil
        } catch { return error }
    }

    @Test(arguments: ["", "1", "13579"])
    func aShortPinIsRefused(pin: String) throws {
        #expect(
            try refusal(of: pin)
                == .unacceptableCredential("the PIN is shorter than 6 characters"))
    }

    @Test func aStoreMayAskForMore() throws {
        #expect(try refusal(of: "1357924", minimumCount: 8) != nil)
        #expect(try refusal(of: "13579246", minimumCount: 8) == nil)
    }

    @Test func aPinOfMoreThan1024BytesIsRefused() throws {
        let fits = String(repeating: "ab", count: 512)
        #expect(try refusal(of: fits) == nil)
        #expect(
            try refusal(of: fits + "a")
                == .unacceptableCredential("the PIN is longer than 1024 bytes"))
    }

    @Test(arguments: ["111111", "aaaaaaaa", "      ", "éééé", "😀😀"])
    func oneCharacterAgainAndAgainIsRefused(pin: String) throws {
        #expect(
            try refusal(of: pin)
                == .unacceptableCredential("the PIN is one character again and again"))
    }

    @Test(arguments: [
        "123456", "654321", "abcdef", "fedcba", "456789", "567890", "890123", "210987", "абвгде",
    ])
    func aRunUpOrDownIsRefused(pin: String) throws {
        #expect(
            try refusal(of: pin)
                == .unacceptableCredential("the PIN is a run such as 123456 or fedcba"))
    }

    @Test(arguments: [
        "121212", "112345", "123457", "135791", "correct horse", "12345a", "éèéèéè", "543219",
    ])
    func anyOtherPinWillDo(pin: String) throws {
        #expect(try refusal(of: pin) == nil)
    }

    @Test(
        arguments: [
            [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], [0x31, 0x32, 0x33, 0x80, 0x34, 0x35],
            [0, 1, 3, 7, 9, 12],
        ] as [[UInt8]])
    func bytesThatAreNoTextAreAPassphraseToo(bytes: [UInt8]) throws {
        let credential = try secret(bytes)
        try CredentialRule.check(credential, minimumCount: 6)
    }
}
