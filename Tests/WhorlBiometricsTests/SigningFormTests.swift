import Testing

@testable import WhorlBiometrics

/// The forms of public halves and signatures, against what the standards and OpenSSH print.
struct SigningFormTests {
    /// The key of RFC 7515, appendix A.3.1.
    private static let key = SigningPublicKey(
        uncompressed: [
            4, 127, 205, 206, 39, 112, 246, 196, 93, 65, 131, 203, 238, 111, 219, 75, 123, 88, 7,
            51, 53, 123, 233, 239, 19, 186, 207, 110, 60, 123, 209, 84, 69, 199, 241, 68, 205, 27,
            189, 155, 126, 135, 44, 223, 237, 185, 238, 185, 244, 179, 105, 93, 110, 169, 11, 36,
            173, 138, 70, 35, 40, 133, 136, 229, 173,
        ])
    /// The signature of RFC 7515, appendix A.3.1.
    private static let raw: [UInt8] = [
        14, 209, 33, 83, 121, 99, 108, 72, 60, 47, 127, 21, 88, 7, 212, 2, 163, 178, 40, 3, 58,
        249, 124, 126, 23, 129, 154, 195, 22, 158, 166, 101, 197, 10, 7, 211, 140, 60, 112, 229,
        216, 241, 45, 175, 8, 74, 84, 128, 166, 101, 144, 197, 242, 147, 80, 154, 143, 63, 127,
        138, 131, 163, 84, 213,
    ]

    private func signature() throws -> SigningSignature {
        try #require(
            SigningSignature(raw: Self.raw, der: [UInt8](repeating: 0, count: 70)))
    }

    @Test func otherFormsOfAKeyOrSignatureAreRefused() throws {
        let key = try #require(Self.key)
        for bytes in [[], Array(key.uncompressed.dropLast()), [2] + key.uncompressed.dropFirst()] {
            #expect(SigningPublicKey(uncompressed: bytes) == nil)
        }
        let der = [UInt8](repeating: 0, count: 70)
        #expect(SigningSignature(raw: Array(Self.raw.dropLast()), der: der) == nil)
        #expect(SigningSignature(raw: Self.raw, der: Array(der.prefix(7))) == nil)
        #expect(SigningSignature(raw: Self.raw, der: der + der) == nil)
    }

    /// RFC 4648, section 10.
    @Test(arguments: [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
        ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"),
    ])
    func base64MatchesItsVectors(text: String, encoded: String) {
        #expect(Base64.standard(Array(text.utf8)) == encoded)
        #expect(Base64.url(Array(text.utf8)) == encoded.filter { $0 != "=" })
    }

    @Test func theTwoAlphabetsDifferInTwoCharacters() {
        #expect(Base64.standard([0xFB, 0xEF, 0xFF]) == "++//")
        #expect(Base64.url([0xFB, 0xEF, 0xFF]) == "--__")
    }

    // MARK: JSON Web Key and Signature

    /// RFC 7515, appendix A.3.1.
    @Test func aWebSignatureIsThatOfItsStandard() throws {
        let payload = [
            #"{"iss":"joe","#, #" "exp":1300819380,"#, #" "http://example.com/is_root":true}"#,
        ].joined(separator: "\r\n")
        let prepared = JSONWebSignature(
            header: #"{"alg":"ES256"}"#, payload: Array(payload.utf8))
        let signed =
            "eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFt"
            + "cGxlLmNvbS9pc19yb290Ijp0cnVlfQ"
        #expect(prepared.signedMessage == Array(signed.utf8))
        #expect(
            try prepared.compact(signature()) == signed
                + ".DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-"
                + "Kg6NU1Q")
    }

    @Test func aWebSignatureNamesItsAlgorithmAndKey() throws {
        let prepared = JSONWebSignature(payload: [], thumbprint: [0xFB, 0xEF, 0xFF])
        let header = #"{"alg":"ES256","kid":"--__"}"#
        #expect(
            prepared.signedMessage == Array((Base64.url(Array(header.utf8)) + ".").utf8))
    }

    @Test func aWebKeyHasItsCoordinatesAndId() throws {
        let key = try #require(Self.key)
        #expect(
            key.jsonWebKey(thumbprint: [0xFB, 0xEF, 0xFF])
                == #"{"kty":"EC","crv":"P-256","x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU","#
                + #""y":"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0","use":"sig","alg":"ES256","#
                + #""kid":"--__"}"#)
    }

    // MARK: SSH

    /// What `ssh-keygen -i -m PKCS8` of OpenSSH 9.2 makes of the same key.
    @Test func anSSHKeyIsWrittenAsOpenSSHWritesIt() throws {
        let key = try #require(Self.key)
        #expect(
            try key.sshLine(comment: KeyName("work laptop"))
                == "ecdsa-sha2-nistp256 AAAAE2VjZHNhLXNoYTItbmlzdHAyNTYAAAAIbmlzdHAyNTYAAABBBH/Nzid"
                + "w9sRdQYPL7m/bS3tYBzM1e+nvE7rPbjx70VRFx/FEzRu9m36HLN/tue659LNpXW6pCyStikYjKIWI5a0"
                + "= work laptop")
    }

    /// RFC 4251, section 5: `mpint`, with and without zeros before.
    private static let numbers: [([UInt8], [UInt8])] = [
        ([0], [0, 0, 0, 0]), ([0x80], [0, 0, 0, 2, 0, 0x80]), ([0, 0, 0x7F], [0, 0, 0, 1, 0x7F]),
        (
            [0, 0x09, 0xA3, 0x78, 0xF9, 0xB2, 0xE3, 0x32, 0xA7],
            [0, 0, 0, 8, 0x09, 0xA3, 0x78, 0xF9, 0xB2, 0xE3, 0x32, 0xA7]
        ),
    ]

    @Test(arguments: numbers)
    func anSSHNumberHasAsManyBytesAsItNeeds(number: [UInt8], written: [UInt8]) {
        var wire = SSHWire()
        wire.append(number: number)
        #expect(wire.bytes == written)
    }

    /// `PROTOCOL.sshsig` of OpenSSH.
    @Test func anSSHSignatureSignsItsFieldsAndNotTheMessage() throws {
        let key = try #require(Self.key)
        let digest = [UInt8](repeating: 7, count: 32)
        let prepared = try #require(
            SSHSignature(ofDigest: digest, namespace: "git", publicKey: key))
        let fields: [UInt8] =
            Array("SSHSIG".utf8) + [0, 0, 0, 3] + Array("git".utf8) + [0, 0, 0, 0]
            + [0, 0, 0, 6] + Array("sha256".utf8) + [0, 0, 0, 32] + digest
        #expect(prepared.signedMessage == fields)
        let lines = try prepared.armored(signature()).split(separator: "\n").map(String.init)
        #expect(lines.first == "-----BEGIN SSH SIGNATURE-----")
        #expect(lines.last == "-----END SSH SIGNATURE-----")
        #expect(lines.dropFirst().dropLast(2).allSatisfy { $0.count == 70 })
    }

    @Test(arguments: ["", "two words", "new\nline", "né", String(repeating: "x", count: 256)])
    func aNamespaceThatIsNoneIsRefused(namespace: String) throws {
        let key = try #require(Self.key)
        let digest = [UInt8](repeating: 7, count: 32)
        #expect(!SSHSignature.isNamespace(namespace))
        #expect(SSHSignature(ofDigest: digest, namespace: namespace, publicKey: key) == nil)
    }

    @Test func aDigestOfAnotherSizeIsRefused() throws {
        let key = try #require(Self.key)
        for count in [0, 31, 33, 64] {
            let digest = [UInt8](repeating: 7, count: count)
            #expect(SSHSignature(ofDigest: digest, namespace: "git", publicKey: key) == nil)
        }
    }
}
