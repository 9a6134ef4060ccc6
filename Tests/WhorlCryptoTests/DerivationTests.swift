import Testing
import WhorlCrypto
import WhorlSecrets

struct DerivationTests {
    struct Vector {
        let keyMaterial: [UInt8]
        let salt: [UInt8]
        let info: [UInt8]
        let derived: String
    }

    /// RFC 5869, appendix A.1 to A.3.
    @Test(arguments: [
        Vector(
            keyMaterial: [UInt8](repeating: 0x0B, count: 22), salt: [UInt8](0x00...0x0C),
            info: [UInt8](0xF0...0xF9),
            derived: """
                3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf
                34007208d5b887185865
                """),
        Vector(
            keyMaterial: [UInt8](0x00...0x4F), salt: [UInt8](0x60...0xAF),
            info: [UInt8](0xB0...0xFF),
            derived: """
                b11e398dc80327a1c8e7f78c596a49344f012eda2d4efad8a050cc4c19afa97c
                59045a99cac7827271cb41c65e590e09da3275600c2f09b8367793a9aca3db71
                cc30c58179ec3e87c14c01d5c1f3434f1d87
                """),
        Vector(
            keyMaterial: [UInt8](repeating: 0x0B, count: 22), salt: [], info: [],
            derived: """
                8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d
                9d201395faa4b61a96c8
                """),
    ])
    func hkdfMatchesItsVectors(vector: Vector) throws {
        let expected = hex(vector.derived)
        let derived = try HKDFSHA256.deriveKey(
            from: secret(vector.keyMaterial), salt: vector.salt, info: vector.info,
            count: expected.count)
        #expect(revealed(derived) == expected)
    }

    @Test(arguments: [-1, 0, 255 * 32 + 1, Int.max])
    func hkdfRefusesACountOutOfRange(count: Int) {
        #expect(throws: CryptoError.badParameters) {
            _ = try HKDFSHA256.deriveKey(from: secret([1]), info: [], count: count)
        }
    }

    @Test func hkdfGivesUpToItsLimit() throws {
        let derived = try HKDFSHA256.deriveKey(
            from: secret([1]), info: [], count: HKDFSHA256.maximumCount)
        #expect(derived.count == 8160)
    }

    @Test func hkdfRefusesAnEmptySecret() {
        #expect(throws: CryptoError.badKey) {
            _ = try HKDFSHA256.deriveKey(from: secret([]), info: [])
        }
    }

    struct ScryptVector {
        let passphrase: String
        let salt: String
        let cost: Int
        let blockSize: Int
        let parallelization: Int
        let derived: String
    }

    /// RFC 7914, section 12, the first three (the fourth takes 1 GiB, more than is allowed here).
    @Test(arguments: [
        ScryptVector(
            passphrase: "", salt: "", cost: 16, blockSize: 1, parallelization: 1,
            derived: """
                77d6576238657b203b19ca42c18a0497f16b4844e3074ae8dfdffa3fede21442
                fcd0069ded0948f8326a753a0fc81f17e8d3e0fb2e0d3628cf35e20c38d18906
                """),
        ScryptVector(
            passphrase: "password", salt: "NaCl", cost: 1024, blockSize: 8, parallelization: 16,
            derived: """
                fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162
                2eaf30d92e22a3886ff109279d9830dac727afb94a83ee6d8360cbdfa2cc0640
                """),
        ScryptVector(
            passphrase: "pleaseletmein", salt: "SodiumChloride", cost: 16384, blockSize: 8,
            parallelization: 1,
            derived: """
                7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2
                d5432955613f0fcf62d49705242a9af9e61e85dc0d651e40dfcf017b45575887
                """),
    ])
    func scryptMatchesItsVectors(vector: ScryptVector) throws {
        let derived = try Scrypt.deriveKey(
            from: secret(vector.passphrase.bytes), salt: vector.salt.bytes,
            parameters: ScryptParameters(
                cost: vector.cost, blockSize: vector.blockSize,
                parallelization: vector.parallelization),
            count: 64)
        #expect(revealed(derived) == hex(vector.derived))
    }

    @Test func scryptAcceptsTheParametersForPassphrases() throws {
        let derived = try Scrypt.deriveKey(
            from: secret("1234".bytes), salt: [1], parameters: .passphrase)
        #expect(derived.count == 32)
        #expect(ScryptParameters.passphrase.memoryByteCount < 68 << 20)
    }

    @Test(arguments: [
        (0, 8, 1), (1, 8, 1), (-2, 8, 1), (3, 8, 1), (1000, 8, 1), (1024, 0, 1), (1024, -1, 1),
        (1024, 8, 0), (1024, 8, -1), (1 << 20, 8, 1), (1 << 40, 8, 1), (Int.min, 8, 1),
        (2, Int.max, 1), (2, 1, Int.max), (1024, Int.max, Int.max), (1 << 19, 8, 5),
    ])
    func scryptRefusesParametersOutOfRange(cost: Int, blockSize: Int, parallelization: Int) {
        #expect(throws: CryptoError.badParameters) {
            _ = try ScryptParameters(
                cost: cost, blockSize: blockSize, parallelization: parallelization)
        }
    }

    @Test(arguments: [0, -1, 1025])
    func scryptRefusesACountOutOfRange(count: Int) throws {
        let cheap = try ScryptParameters(cost: 2, blockSize: 1, parallelization: 1)
        #expect(throws: CryptoError.badParameters) {
            _ = try Scrypt.deriveKey(
                from: secret([1]), salt: [], parameters: cheap, count: count)
        }
    }

    @Test func randomBytesDifferAndHaveTheirCount() throws {
        #expect(try random(count: 0) == [])
        #expect(try random(count: 16).count == 16)
        #expect(try random(count: 16) != random(count: 16))
        #expect(throws: CryptoError.badParameters) { try random(count: -1) }
    }
}
