import Testing
import WhorlCrypto

struct PublicKeyFormTests {
    /// The key of RFC 7515, appendix A.3.1, as `openssl pkey -pubin` of OpenSSL 3.0 prints it.
    @Test func aPublicHalfIsWrittenAsOpenSSLWritesIt() throws {
        let key = try P256PublicKey(
            uncompressed: hex(
                """
                04 7fcdce2770f6c45d4183cbee6fdb4b7b580733357be9ef13bacf6e3c7bd15445
                c7f144cd1bbd9b7e872cdfedb9eeb9f4b3695d6ea90b24ad8a4623288588e5ad
                """))
        #expect(
            try key.pem() == """
                -----BEGIN PUBLIC KEY-----
                MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEf83OJ3D2xF1Bg8vub9tLe1gHMzV7
                6e8Tus9uPHvRVEXH8UTNG72bfocs3+257rn0s2ldbqkLJK2KRiMohYjlrQ==
                -----END PUBLIC KEY-----

                """)
    }

    @Test(arguments: [0, 1, 63, 64, 65, 1000])
    func aDigestInPiecesIsThatOfTheWhole(count: Int) throws {
        let message = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
        for piece in [1, 7, 64, 2000] {
            var stream = try SHA256Stream()
            for start in stride(from: 0, to: count, by: piece) {
                try stream.update(Array(message[start..<min(start + piece, count)]))
            }
            #expect(try stream.digest() == SHA256.digest(of: message))
        }
    }
}
