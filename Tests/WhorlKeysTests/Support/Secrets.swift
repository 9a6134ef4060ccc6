import Glibc
import WhorlBiometrics
import WhorlSecrets

/// The bytes as an array, which only a test may ask for.
func revealed(_ secret: borrowing SecretBytes) -> [UInt8] {
    secret.withBytes { bytes in
        unsafe bytes.withUnsafeBytes { unsafe [UInt8]($0) }
    }
}

func text(_ secret: borrowing SecretBytes) -> String {
    String(decoding: revealed(secret), as: UTF8.self)
}

func secret(_ bytes: [UInt8]) throws -> SecretBytes {
    try SecretBytes(copying: bytes.span)
}

func secret(_ text: String) throws -> SecretBytes {
    try secret(Array(text.utf8))
}

func held(_ text: String) throws -> HeldSecret {
    HeldSecret(try secret(text))
}

func print(_ text: String, onChip: Bool = false) throws -> Print {
    Print(serialized: try secret("FP3" + text), isStoredOnChip: onChip)
}

func bytes(of print: Print) -> [UInt8] {
    print.withSerialized { revealed($0) }
}

extension [UInt8] {
    /// Whether bytes are somewhere in these.
    func holds(_ bytes: some Collection<UInt8>) -> Bool {
        let part = Array(bytes)
        return unsafe withUnsafeBytes { whole in
            unsafe part.withUnsafeBytes { part in
                guard let start = part.baseAddress, var place = whole.baseAddress else {
                    return unsafe part.isEmpty
                }
                // memmem(3) does not import.
                var left = whole.count
                while left >= part.count,
                    let next = unsafe memchr(place, CInt(part[0]), left - part.count + 1)
                {
                    if unsafe memcmp(next, start, part.count) == 0 { return true }
                    unsafe left -= UnsafeRawPointer(next) - place + 1
                    unsafe place = UnsafeRawPointer(next) + 1
                }
                return false
            }
        }
    }
}
