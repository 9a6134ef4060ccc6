import Testing
import WhorlCrypto
import WhorlSecrets

struct AESGCMTests {
    struct Vector {
        let key: String
        let nonce: String
        let plaintext: String
        let additionalData: String
        let ciphertext: String
        let tag: String
    }

    /// McGrew and Viega, "The Galois/Counter Mode of Operation", submitted to NIST, appendix B, test
    /// cases 13 to 16: those with a 256-bit key and a 96-bit nonce.
    @Test(arguments: [
        Vector(
            key: String(repeating: "0", count: 64), nonce: String(repeating: "0", count: 24),
            plaintext: "", additionalData: "", ciphertext: "",
            tag: "530f8afbc74536b9a963b4f1c4cb738b"),
        Vector(
            key: String(repeating: "0", count: 64), nonce: String(repeating: "0", count: 24),
            plaintext: String(repeating: "0", count: 32), additionalData: "",
            ciphertext: "cea7403d4d606b6e074ec5d3baf39d18", tag: "d0d1c8a799996bf0265b98b5d48ab919"),
        Vector(
            key: "feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308",
            nonce: "cafebabefacedbaddecaf888",
            plaintext: """
                d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72
                1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b391aafd255
                """,
            additionalData: "",
            ciphertext: """
                522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa
                8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662898015ad
                """,
            tag: "b094dac5d93471bdec1a502270e3cc6c"),
        Vector(
            key: "feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308",
            nonce: "cafebabefacedbaddecaf888",
            plaintext: """
                d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72
                1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39
                """,
            additionalData: "feedfacedeadbeeffeedfacedeadbeefabaddad2",
            ciphertext: """
                522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa
                8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662
                """,
            tag: "76fc6ece0f4e1768cddf8853bb2d551b"),
    ])
    func openingMatchesTheVectors(vector: Vector) throws {
        let opened = try AESGCM.open(
            hex(vector.nonce + vector.ciphertext + vector.tag), key: secret(hex(vector.key)),
            authenticating: hex(vector.additionalData))
        #expect(revealed(opened) == hex(vector.plaintext))
    }

    @Test(arguments: [0, 1, 15, 16, 17, 1000, 1 << 20])
    func whatIsSealedOpens(count: Int) throws {
        let key = try SecretBytes(randomCount: 32)
        let plaintext = try SecretBytes(randomCount: count)
        let box = try AESGCM.seal(plaintext, key: key, authenticating: [1, 2, 3])
        #expect(box.count == count + AESGCM.overheadCount)
        let opened = try AESGCM.open(box, key: key, authenticating: [1, 2, 3])
        let same = opened.isEqual(to: plaintext)
        #expect(same)
    }

    @Test func theSameSecretIsSealedDifferentlyEachTime() throws {
        let key = try SecretBytes(randomCount: 32)
        let plaintext = try secret("abc".bytes)
        let one = try AESGCM.seal(plaintext, key: key, authenticating: [])
        let other = try AESGCM.seal(plaintext, key: key, authenticating: [])
        #expect(one.prefix(12) != other.prefix(12))
        #expect(one.dropFirst(12) != other.dropFirst(12))
    }

    @Test func aChangeOfAnyByteIsFound() throws {
        let key = try SecretBytes(randomCount: 32)
        let box = try AESGCM.seal(
            secret("attack at dawn".bytes), key: key, authenticating: "row".bytes)
        for index in box.indices {
            for bit in [0x01, 0x80] as [UInt8] {
                var changed = box
                changed[index] ^= bit
                #expect(throws: CryptoError.authenticationFailed, "byte \(index)") {
                    _ = try AESGCM.open(changed, key: key, authenticating: "row".bytes)
                }
            }
        }
    }

    @Test func aCutOfAnyLengthIsFound() throws {
        let key = try SecretBytes(randomCount: 32)
        let box = try AESGCM.seal(secret("attack".bytes), key: key, authenticating: [])
        for count in 0..<box.count {
            #expect(throws: CryptoError.authenticationFailed, "\(count) bytes") {
                _ = try AESGCM.open(Array(box.prefix(count)), key: key, authenticating: [])
            }
        }
        #expect(throws: CryptoError.authenticationFailed) {
            _ = try AESGCM.open(box + [0], key: key, authenticating: [])
        }
    }

    @Test(arguments: ["", "ro", "row ", "Row"])
    func otherAdditionalDataIsFound(additionalData: String) throws {
        let key = try SecretBytes(randomCount: 32)
        let box = try AESGCM.seal(secret([1]), key: key, authenticating: "row".bytes)
        #expect(throws: CryptoError.authenticationFailed) {
            _ = try AESGCM.open(box, key: key, authenticating: additionalData.bytes)
        }
    }

    @Test func anotherKeyOpensNothing() throws {
        let box = try AESGCM.seal(
            secret([1]), key: SecretBytes(randomCount: 32), authenticating: [])
        #expect(throws: CryptoError.authenticationFailed) {
            _ = try AESGCM.open(box, key: SecretBytes(randomCount: 32), authenticating: [])
        }
    }

    @Test(arguments: [0, 16, 24, 31, 33])
    func aKeyOfAnotherSizeIsRefused(count: Int) throws {
        let key = try SecretBytes(zeroedCount: count)
        #expect(throws: CryptoError.badKey) {
            _ = try AESGCM.seal(secret([1]), key: key, authenticating: [])
        }
        #expect(throws: CryptoError.badKey) {
            _ = try AESGCM.open([UInt8](repeating: 0, count: 40), key: key, authenticating: [])
        }
    }

    @Test func moreThanTheLimitIsRefused() throws {
        let key = try SecretBytes(randomCount: 32)
        let limit = AESGCM.maximumPlaintextCount
        #expect(throws: CryptoError.tooLong(limit: limit)) {
            _ = try AESGCM.seal(SecretBytes(zeroedCount: limit + 1), key: key, authenticating: [])
        }
        let box = [UInt8](repeating: 0, count: limit + 1 + AESGCM.overheadCount)
        #expect(throws: CryptoError.tooLong(limit: limit)) {
            _ = try AESGCM.open(box, key: key, authenticating: [])
        }
    }
}
