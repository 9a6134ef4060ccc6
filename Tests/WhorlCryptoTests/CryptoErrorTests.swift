import Testing
import WhorlCrypto

struct CryptoErrorTests {
    @Test(
        arguments: [
            .authenticationFailed, .badKey, .badParameters, .tooLong(limit: 1),
            .library(code: 0x0308_010C),
        ] as [CryptoError])
    func everyErrorSaysWhatToDo(error: CryptoError) {
        let parts = "\(error)".split(separator: ";")
        #expect(parts.count == 2, "what happened; what to do: \(error)")
    }
}
