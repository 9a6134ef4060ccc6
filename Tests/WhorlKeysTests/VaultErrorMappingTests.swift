import Testing
import WhorlBiometrics
import WhorlCrypto
import WhorlDatabase

@testable import WhorlKeys

struct VaultErrorMappingTests {
    @Test(
        arguments: [
            (.notPrivate(path: "/s", .tooOpen(mode: 0o644)), "unsafe-permissions"),
            (.notPrivate(path: "/s", .symbolicLink), "unsafe-permissions"),
            (.missing(path: "/s"), "not-set-up"), (.notOurs(path: "/s"), "foreign-store"),
            (.newerSchema(module: "vault", found: 2, known: 1), "newer-store"),
            (.damaged(code: 11), "damaged"), (.busy(code: 5), "store-busy"),
            (.full(code: 13), "storage"),
            (.readOnly(code: 8), "storage"), (.inputOutput(code: 10), "storage"),
            (.system(function: "open", errno: 5), "storage"),
            (.constraint(code: 19), "internal-error"),
            (.library(code: 1), "internal-error"),
        ] as [(DatabaseError, String)])
    func everyDatabaseErrorIsOneOfOurs(error: DatabaseError, identifier: String) {
        #expect(VaultError(error).identifier == identifier)
    }

    @Test(
        arguments: [
            (.authenticationFailed, "damaged"), (.badKey, "damaged"), (.badParameters, "damaged"),
            (.tooLong(limit: 1), "too-large"), (.library(code: 1), "internal-error"),
        ] as [(CryptoError, String)])
    func everyCryptoErrorIsOneOfOurs(error: CryptoError, identifier: String) {
        #expect(VaultError(error, in: "a key").identifier == identifier)
    }
}
