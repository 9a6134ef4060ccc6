import Testing
import WhorlCrypto
import WhorlSecrets

struct P256AgreementTests {
    struct Vector {
        let peerX: String
        let peerY: String
        let scalar: String
        let shared: String
    }

    /// NIST CAVP, "KAS_ECC_CDH_PrimitiveTest.txt", P-256, counts 0 and 1.
    @Test(arguments: [
        Vector(
            peerX: "700c48f77f56584c5cc632ca65640db91b6bacce3a4df6b42ce7cc838833d287",
            peerY: "db71e509e3fd9b060ddb20ba5c51dcc5948d46fbf640dfe0441782cab85fa4ac",
            scalar: "7d7dc5f71eb29ddaf80d6214632eeae03d9058af1fb6d22ed80badb62bc1a534",
            shared: "46fc62106420ff012e54a434fbdd2d25ccc5852060561e68040dd7778997bd7b"),
        Vector(
            peerX: "809f04289c64348c01515eb03d5ce7ac1a8cb9498f5caa50197e58d43a86a7ae",
            peerY: "b29d84e811197f25eba8f5194092cb6ff440e26d4421011372461f579271cda3",
            scalar: "38f65d6dce47676044d58ce5139582d568f64bb16098d179dbab07741dd5caf5",
            shared: "057d636096cb80b67a8c038c890e887d1adfa4195e9b3ce241c8a778c59cda67"),
    ])
    func agreementMatchesItsVectors(vector: Vector) throws {
        let key = try P256PrivateKey(scalar: secret(hex(vector.scalar)))
        let peer = try P256PublicKey(uncompressed: hex("04" + vector.peerX + vector.peerY))
        let shared = try key.sharedSecret(with: peer)
        #expect(revealed(shared) == hex(vector.shared))
    }

    @Test func bothSidesAgree() throws {
        let one = try P256PrivateKey()
        let other = try P256PrivateKey()
        let left = try one.sharedSecret(with: other.publicKey)
        let right = try other.sharedSecret(with: one.publicKey)
        let same = left.isEqual(to: right)
        #expect(same)
    }
}

struct P256SealingTests {
    @Test(arguments: [0, 1, 32, 1 << 20])
    func whatIsSealedToAKeyOpensWithIt(count: Int) throws {
        let key = try P256PrivateKey()
        let plaintext = try SecretBytes(randomCount: count)
        let box = try key.publicKey.seal(plaintext, info: [1], authenticating: [2])
        #expect(box.count == count + P256PublicKey.sealingOverheadCount)
        let opened = try key.open(box, info: [1], authenticating: [2])
        let same = opened.isEqual(to: plaintext)
        #expect(same)
    }

    /// Made with pyca/cryptography from the documented construction: the recipient is the key of
    /// RFC 6979, A.2.5, the key for this box that of CAVP's count 0, the nonce 00 01 … 0b.
    @Test func theConstructionIsTheDocumentedOne() throws {
        let box = hex(
            """
            04ead218590119e8876b29146ff89ca61770c4edbbf97d38ce385ed281d8a6b230
            28af61281fd35e2fa7002523acc85a429cb06ee6648325389f59edfce1405141
            000102030405060708090a0b2151e650d9d3f618d5b705b77464dc729b188c23
            55a5e74eb8e3896b996f
            """)
        let key = try exampleKey()
        let opened = try key.open(box, info: "purpose".bytes, authenticating: "row 7".bytes)
        #expect(revealed(opened) == "attack at dawn".bytes)
    }

    @Test func aChangeOfAnyByteIsFound() throws {
        let key = try P256PrivateKey()
        let box = try key.publicKey.seal(secret("secret".bytes), info: [], authenticating: [])
        for index in box.indices {
            var changed = box
            changed[index] ^= 0x01
            #expect(throws: CryptoError.authenticationFailed, "byte \(index)") {
                _ = try key.open(changed, info: [], authenticating: [])
            }
        }
    }

    @Test func aCutOfAnyLengthIsFound() throws {
        let key = try P256PrivateKey()
        let box = try key.publicKey.seal(secret([1]), info: [], authenticating: [])
        for count in 0..<box.count {
            #expect(throws: CryptoError.authenticationFailed, "\(count) bytes") {
                _ = try key.open(Array(box.prefix(count)), info: [], authenticating: [])
            }
        }
    }

    @Test func anotherKeyPurposeOrContextOpensNothing() throws {
        let key = try P256PrivateKey()
        let other = try P256PrivateKey()
        let box = try key.publicKey.seal(secret([1]), info: [1], authenticating: [2])
        #expect(throws: CryptoError.authenticationFailed) {
            _ = try other.open(box, info: [1], authenticating: [2])
        }
        #expect(throws: CryptoError.authenticationFailed) {
            _ = try key.open(box, info: [], authenticating: [2])
        }
        #expect(throws: CryptoError.authenticationFailed) {
            _ = try key.open(box, info: [1], authenticating: [1])
        }
    }

    @Test func eachBoxHasAKeyOfItsOwn() throws {
        let key = try P256PrivateKey()
        let one = try key.publicKey.seal(secret([1]), info: [], authenticating: [])
        let other = try key.publicKey.seal(secret([1]), info: [], authenticating: [])
        #expect(one.prefix(65) != other.prefix(65))
    }
}
