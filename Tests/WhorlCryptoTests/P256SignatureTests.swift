import Testing
import WhorlCrypto
import WhorlSecrets

struct P256SignatureTests {
    struct Vector {
        let message: String
        let r: String
        let s: String
    }

    /// RFC 6979, A.2.5, with SHA-256.
    private static let vectors = [
        Vector(
            message: "sample",
            r: "EFD48B2AACB6A8FD1140DD9CD45E81D69D2C877B56AAF991C34D0EA84EAF3716",
            s: "F7CB1C942D657C41D436C7A1B6E29F65F3E900DBB9AFF4064DC4AB2F843ACDA8"),
        Vector(
            message: "test",
            r: "F1ABB023518351CD71D881567B1EA663ED3EFCF6C5132B354F28D3B0B7D38367",
            s: "019F4113742A2B14BD25926B49C649155F267E60D3814B4C0CC84250E46F0083"),
    ]

    @Test(arguments: vectors)
    func theVectorsVerify(vector: Vector) throws {
        let publicKey = try examplePublicKey()
        let signature = try P256Signature(raw: hex(vector.r + vector.s))
        #expect(publicKey.isValid(signature, for: vector.message.bytes))
        #expect(!publicKey.isValid(signature, for: vector.message.bytes + [0]))
    }

    /// NIST, "P256_SHA256.pdf", the example of signature verification.
    @Test func theExampleOfNISTVerifies() throws {
        let publicKey = try P256PublicKey(
            uncompressed: hex(
                "04" + "B7E08AFDFE94BAD3F1DC8C734798BA1C62B3A0AD1E9EA2A38201CD0889BC7A19"
                    + "3603F747959DBF7A4BB226E41928729063ADC7AE43529E61B563BBC606CC5E09"))
        let signature = try P256Signature(
            raw: hex(
                "2B42F576D07F4165FF65D1F3B1500F81E44C316F1F0B3EF57325B69ACA46104F"
                    + "DC42C2122D6392CD3E3A993A89502A8198C1886FE69D262C4B329BDB6B63FAF1"))
        #expect(publicKey.isValid(signature, for: "Example of ECDSA with P-256".bytes))
    }

    @Test func whatIsSignedVerifiesInBothForms() throws {
        let key = try P256PrivateKey()
        let publicKey = key.publicKey
        for length in 0..<40 {
            let message = [UInt8](repeating: UInt8(length), count: length)
            let signature = try key.signature(for: message)
            #expect(publicKey.isValid(signature, for: message))
            #expect(try P256Signature(raw: signature.raw) == signature)
            #expect(try P256Signature(der: signature.der) == signature)
        }
    }

    @Test func twoSignaturesOfOneMessageDiffer() throws {
        let key = try P256PrivateKey()
        let one = try key.signature(for: [1])
        let other = try key.signature(for: [1])
        #expect(one != other)
    }

    @Test func aChangeOfAnyByteIsFound() throws {
        let publicKey = try examplePublicKey()
        let raw = hex(Self.vectors[0].r + Self.vectors[0].s)
        for index in raw.indices {
            var changed = raw
            changed[index] ^= 0x01
            let signature = try P256Signature(raw: changed)
            #expect(!publicKey.isValid(signature, for: "sample".bytes), "byte \(index)")
        }
    }

    @Test func numbersOutOfRangeNeverVerify() throws {
        let publicKey = try examplePublicKey()
        let zero = String(repeating: "0", count: 64)
        let order = "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551"
        let vector = Self.vectors[0]
        for (r, s) in [
            (zero, zero), (zero, vector.s), (vector.r, zero), (order, order), (vector.r, order),
            (order, vector.s), (vector.s, vector.r), (zero, String(repeating: "f", count: 64)),
        ] {
            let signature = try P256Signature(raw: hex(r + s))
            #expect(!publicKey.isValid(signature, for: "sample".bytes))
        }
    }

    @Test func anotherKeyDoesNotVerify() throws {
        let other = try P256PrivateKey()
        let signature = try P256Signature(raw: hex(Self.vectors[0].r + Self.vectors[0].s))
        #expect(!other.publicKey.isValid(signature, for: "sample".bytes))
    }

    @Test(arguments: [0, 31, 33])
    func aDigestOfAnotherSizeIsRefused(count: Int) throws {
        let key = try P256PrivateKey()
        let digest = [UInt8](repeating: 1, count: count)
        #expect(throws: CryptoError.badParameters) { _ = try key.signature(forDigest: digest) }
        let signature = try key.signature(for: [])
        #expect(!key.publicKey.isValid(signature, forDigest: digest))
    }

    @Test(arguments: [0, 63, 65])
    func aRawFormOfAnotherSizeIsRefused(count: Int) {
        #expect(throws: CryptoError.badParameters) {
            _ = try P256Signature(raw: [UInt8](repeating: 1, count: count))
        }
    }

    /// All say r = s = 1, or would, if BER were allowed.
    @Test(arguments: [
        "", "30", "3000", "3006020101", "3003020101", "020101",
        "300602010102010100",  // a byte too many
        "308106020101020101",  // a long length
        "30800201010201010000",  // no length
        "300702020001020101",  // a padded number
        "3006020101020181",  // a negative number
        "3006020101040101",  // another type
        "3106020101020101",  // a set
    ])
    func whatIsNoDERIsRefused(text: String) {
        #expect(throws: CryptoError.badParameters) { _ = try P256Signature(der: hex(text)) }
    }

    @Test func theSmallestDERIsAccepted() throws {
        let signature = try P256Signature(der: hex("3006020101020101"))
        #expect(
            signature.raw == [UInt8](repeating: 0, count: 31) + [1]
                + [UInt8](repeating: 0, count: 31) + [1])
    }

    @Test func aDERNumberBeyond32BytesIsRefused() {
        let long = hex("022200") + [UInt8](repeating: 0xFF, count: 33)
        #expect(throws: CryptoError.badParameters) {
            _ = try P256Signature(der: [0x30, UInt8(long.count + 3)] + long + hex("020101"))
        }
    }
}

private func examplePublicKey() throws -> P256PublicKey {
    let key = try exampleKey()
    return key.publicKey
}
