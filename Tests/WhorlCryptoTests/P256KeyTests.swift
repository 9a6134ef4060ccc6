import Testing
import WhorlCrypto
import WhorlSecrets

/// SEC 2 and FIPS 186-4, D.1.2.3: the field prime, the order and the base point.
private let prime = "ffffffff00000001000000000000000000000000ffffffffffffffffffffffff"
private let order = "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551"
private let baseX = "6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296"
private let baseY = "4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5"

struct P256KeyTests {
    @Test func theBasePointIsAPublicKey() throws {
        let key = try P256PublicKey(uncompressed: hex("04" + baseX + baseY))
        #expect(key.uncompressed == hex("04" + baseX + baseY))
    }

    @Test(arguments: [
        "", "00", "04", "04" + baseX, "04" + baseX + baseY + "00", baseX + baseY,
        // Infinity, alone and padded.
        "00" + String(repeating: "0", count: 128), "04" + String(repeating: "0", count: 128),
        // Compressed and hybrid forms.
        "03" + baseX, "02" + baseX, "07" + baseX + baseY, "06" + baseX + baseY,
        // The coordinates of another point, swapped, or beyond the prime.
        "04" + baseY + baseX, "04" + baseX + prime, "04" + prime + baseY,
        "04" + baseX + baseX, "04" + baseX + String(repeating: "f", count: 64),
        // The point of the next test, with the prime added to its x: the same point to a careless
        // reader.
        "04ffffffff00000001000000000000000000000000ffffffffffffffffffffffff"
            + "66485c780e2f83d72433bd5d84a06bb6541c2af31dae871728bf856a174f93f4",
    ])
    func whatIsNoPointIsNoPublicKey(text: String) {
        #expect(throws: CryptoError.badKey) {
            _ = try P256PublicKey(uncompressed: hex(text))
        }
    }

    @Test func aPointWithASmallCoordinateIsAPublicKey() throws {
        _ = try P256PublicKey(
            uncompressed: hex(
                "040000000000000000000000000000000000000000000000000000000000000000"
                    + "66485c780e2f83d72433bd5d84a06bb6541c2af31dae871728bf856a174f93f4"))
    }

    @Test func aChangeOfAnyByteOfAPointIsFound() {
        let point = hex("04" + baseX + baseY)
        for index in point.indices {
            var changed = point
            changed[index] ^= 0x01
            // A changed x has a point on the curve in half of all cases, but not with this y.
            #expect(throws: CryptoError.badKey, "byte \(index)") {
                _ = try P256PublicKey(uncompressed: changed)
            }
        }
    }

    @Test func theScalarOneGivesTheBasePoint() throws {
        let one = [UInt8](repeating: 0, count: 31) + [1]
        #expect(try publicPoint(ofScalar: one) == hex("04" + baseX + baseY))
    }

    @Test func theLargestScalarGivesTheBasePointMirrored() throws {
        var scalar = hex(order)
        scalar[31] -= 1
        let point = try publicPoint(ofScalar: scalar)
        #expect(point.prefix(33) == hex("04" + baseX)[...])
        #expect(point != hex("04" + baseX + baseY))
    }

    /// RFC 6979, A.2.5.
    @Test func thePublicHalfMatchesItsVector() throws {
        let point = try publicPoint(
            ofScalar: hex("C9AFA9D845BA75166B5C215767B1D6934E50C3DB36E89B127B8A622B120F6721"))
        #expect(
            point
                == hex(
                    "04"
                        + "60FED4BA255A9D31C961EB74C6356D68C049B8923B61FA6CE669622E60F29FB6"
                        + "7903FE1008B8BC99A41AE9E95628BC64F2F1B20C2D7E9F5177A3C294D4462299"))
    }

    @Test(arguments: [
        "", "01", order, String(repeating: "f", count: 64), String(repeating: "0", count: 64),
        "01" + order, String(repeating: "0", count: 62), String(repeating: "1", count: 66),
        "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632552",
    ])
    func aScalarOutOfRangeIsRefused(text: String) {
        #expect(throws: CryptoError.badKey) {
            _ = try P256PrivateKey(scalar: secret(hex(text)))
        }
    }

    @Test func newKeysDiffer() throws {
        #expect(try newPublicKey() != newPublicKey())
    }

    @Test func aKeySurvivesStorage() throws {
        let key = try P256PrivateKey()
        let publicKey = key.publicKey
        let restored = try P256PrivateKey(scalar: key.intoScalar())
        #expect(restored.publicKey == publicKey)
    }

    /// Computed with pyca/cryptography from the documented construction.
    @Test func aDerivedKeyIsAlwaysTheSame() throws {
        let key = try P256PrivateKey(
            derivedFrom: secret([UInt8](0..<32)), info: "whorl/test".bytes)
        #expect(
            key.publicKey.uncompressed
                == hex(
                    """
                    045cea277795560b41364b28cd002f1be0ecb232ce04f56756a4746ce9c1cc36c1
                    4d310d969f78b3e7fb3083f2eac172dfac16d41a975646c55862e2d338eb79c3
                    """))
        #expect(
            revealed(key.intoScalar())
                == hex("28a8ccf1286ca91ef38e06a72c01d32c166af6e4ab3161d1d2e5f39f805264f3"))
    }

    @Test func keysDerivedForOtherPurposesDiffer() throws {
        let one = try P256PrivateKey(derivedFrom: secret([UInt8](0..<32)), info: [1])
        let other = try P256PrivateKey(derivedFrom: secret([UInt8](0..<32)), info: [2])
        #expect(one.publicKey != other.publicKey)
    }

    @Test(arguments: [0, 16, 31])
    func aShortSecretDerivesNoKey(count: Int) {
        #expect(throws: CryptoError.badKey) {
            _ = try P256PrivateKey(derivedFrom: SecretBytes(randomCount: count), info: [])
        }
    }
}

private func newPublicKey() throws -> P256PublicKey {
    let key = try P256PrivateKey()
    return key.publicKey
}

private func publicPoint(ofScalar scalar: [UInt8]) throws -> [UInt8] {
    let key = try P256PrivateKey(scalar: secret(scalar))
    return key.publicKey.uncompressed
}
