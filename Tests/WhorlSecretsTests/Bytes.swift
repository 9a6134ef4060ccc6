import Glibc
import Testing
import WhorlSecrets

/// The bytes as an array, which only a test may ask for.
func revealed(_ secret: borrowing SecretBytes) -> [UInt8] {
    secret.withBytes { bytes in
        unsafe bytes.withUnsafeBytes { unsafe [UInt8]($0) }
    }
}

func secret(_ bytes: [UInt8]) throws -> SecretBytes {
    try SecretBytes(copying: bytes.span)
}

func secret(_ text: String) throws -> SecretBytes {
    try secret([UInt8](text.utf8))
}

func address(of secret: borrowing SecretBytes) -> UInt {
    unsafe secret.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) }
}

/// A file with no name, open for reading and writing.
func openUnnamedFile() throws -> CInt {
    var path = "/tmp/whorl-secrets-test-XXXXXX".utf8CString
    let descriptor = unsafe path.withUnsafeMutableBufferPointer { path in
        guard let start = path.baseAddress else { return CInt(-1) }
        let descriptor = unsafe mkstemp(start)
        _ = unsafe unlink(start)
        return descriptor
    }
    try #require(descriptor >= 0)
    return descriptor
}
