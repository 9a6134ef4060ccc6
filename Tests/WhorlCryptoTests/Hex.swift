import WhorlCrypto
import WhorlSecrets

/// The bytes of a hexadecimal text; spaces and line breaks are left out.
func hex(_ text: String) -> [UInt8] {
    let digits = text.compactMap { $0.isWhitespace ? nil : $0.hexDigitValue }
    precondition(digits.count % 2 == 0)
    return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
}

func secret(_ bytes: [UInt8]) throws -> SecretBytes {
    try SecretBytes(copying: bytes.span)
}

/// The bytes as an array, which only a test may ask for.
func revealed(_ secret: borrowing SecretBytes) -> [UInt8] {
    secret.withBytes { bytes in
        unsafe bytes.withUnsafeBytes { unsafe [UInt8]($0) }
    }
}

extension String {
    var bytes: [UInt8] { [UInt8](utf8) }
}

/// The one private key of RFC 6979, A.2.5, which several tests use.
func exampleKey() throws -> P256PrivateKey {
    try P256PrivateKey(
        scalar: secret(
            hex("C9AFA9D845BA75166B5C215767B1D6934E50C3DB36E89B127B8A622B120F6721")))
}
