import Glibc
import WhorlSecrets

@testable import WhorlCommand

func secret(_ text: String) throws -> SecretBytes { try secret([UInt8](text.utf8)) }

func secret(_ bytes: [UInt8]) throws -> SecretBytes {
    try unsafe SecretBytes(copying: bytes.span.bytes)
}

/// The text of a secret, which only a test may ask for.
func revealed(_ secret: borrowing SecretBytes) -> String {
    secret.withBytes { bytes in
        unsafe bytes.withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) }
    }
}

/// A descriptor with bytes to be read to the end.
struct InputDescriptor: ~Copyable {
    let number: CInt

    init(_ text: String) { self.init([UInt8](text.utf8)) }

    init(_ bytes: [UInt8]) {
        // A file without a name, since a pipe holds only so much.
        var template = Array("/tmp/whorl-input-XXXXXX".utf8CString)
        number = unsafe mkstemp(&template)
        unsafe unlink(template)
        _ = unsafe write(number, bytes, bytes.count)
        lseek(number, 0, SEEK_SET)
    }

    deinit { close(number) }
}
