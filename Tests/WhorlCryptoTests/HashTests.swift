import Testing
import WhorlCrypto
import WhorlSecrets

struct HashTests {
    /// FIPS 180-4 example values of NIST, "SHA256.pdf"; the empty message from the CAVP set.
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
    ])
    func sha256MatchesItsVectors(message: String, digest: String) throws {
        #expect(try SHA256.digest(of: message.bytes) == hex(digest))
    }

    struct CodeVector {
        let key: [UInt8]
        let message: [UInt8]
        let code: String
    }

    /// RFC 4231, section 4, test cases 1 to 4, 6 and 7 (5 has a truncated code).
    @Test(arguments: [
        CodeVector(
            key: [UInt8](repeating: 0x0B, count: 20), message: "Hi There".bytes,
            code: "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"),
        CodeVector(
            key: "Jefe".bytes, message: "what do ya want for nothing?".bytes,
            code: "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"),
        CodeVector(
            key: [UInt8](repeating: 0xAA, count: 20), message: [UInt8](repeating: 0xDD, count: 50),
            code: "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"),
        CodeVector(
            key: [UInt8](1...25), message: [UInt8](repeating: 0xCD, count: 50),
            code: "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b"),
        CodeVector(
            key: [UInt8](repeating: 0xAA, count: 131),
            message: "Test Using Larger Than Block-Size Key - Hash Key First".bytes,
            code: "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"),
        CodeVector(
            key: [UInt8](repeating: 0xAA, count: 131),
            message: ("This is a test using a larger than block-size key and a larger than "
                + "block-size data. The key needs to be hashed before being used by the HMAC "
                + "algorithm.").bytes,
            code: "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2"),
    ])
    func hmacMatchesItsVectors(vector: CodeVector) throws {
        let key = try secret(vector.key)
        let code = try HMACSHA256.authenticationCode(for: vector.message, key: key)
        #expect(code == hex(vector.code))
        #expect(try isValid(code, for: vector.message, key: vector.key))
    }

    @Test func aWrongCodeIsRefused() throws {
        let code = hex("5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
        let message = "what do ya want for nothing?".bytes
        for index in code.indices {
            var wrong = code
            wrong[index] ^= 0x80
            #expect(try !isValid(wrong, for: message, key: "Jefe".bytes), "byte \(index)")
        }
        #expect(try !isValid(Array(code.dropLast()), for: message, key: "Jefe".bytes))
        #expect(try !isValid([], for: message, key: "Jefe".bytes))
        #expect(try !isValid(code, for: message, key: "Jeff".bytes))
        #expect(try !isValid(code, for: message + [0], key: "Jefe".bytes))
    }

    @Test func anEmptyKeyIsRefused() throws {
        let empty = try secret([])
        #expect(throws: CryptoError.badKey) {
            _ = try HMACSHA256.authenticationCode(for: [1], key: empty)
        }
        #expect(throws: CryptoError.badKey) {
            _ = try HMACSHA256.isValid([], for: [1], key: empty)
        }
    }
}

private func isValid(_ code: [UInt8], for message: [UInt8], key: [UInt8]) throws -> Bool {
    try HMACSHA256.isValid(code, for: message, key: secret(key))
}
