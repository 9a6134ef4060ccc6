package import WhorlBiometrics
package import WhorlSecrets

/// Secrets from which can be told which key and version they belong to, and whether they are whole.
package enum KeySecret {
    /// Makes the secret of a key.
    package static func make(_ name: String, _ version: Int) throws(VaultError) -> SecretBytes {
        let bytes = bytes(name, version)
        do throws(SecretMemoryError) {
            return try SecretBytes(copying: bytes.span)
        } catch {
            throw .internalError("\(error)")
        }
    }

    /// The version that a secret is of; nil where it is not one of that key's.
    package static func version(of secret: borrowing SecretBytes, as name: String) -> Int? {
        let found = OwnerSecrets.bytes(of: secret)
        let head = found.prefix(64).split(separator: UInt8(ascii: "/"), maxSplits: 2)
        guard head.count == 3, let version = Int(String(decoding: head[1], as: UTF8.self)),
            found == bytes(name, version)
        else { return nil }
        return version
    }

    private static func bytes(_ name: String, _ version: Int) -> [UInt8] {
        let head = Array("\(name)/\(version)/".utf8)
        // Some pages where pages are to be many.
        let count = name == "big" ? 20_000 : 40
        var state = UInt64(truncatingIfNeeded: version) &* 0x9E37_79B9_7F4A_7C15 | 1
        return head
            + (0..<count).map { _ in
                state ^= state << 13
                state ^= state >> 7
                state ^= state << 17
                return UInt8(truncatingIfNeeded: state >> 24)
            }
    }
}

extension AccessControl {
    /// Whether a way of it is bound to the enrolled set.
    package var isBound: Bool { ways.contains { $0.isBoundToGeneration } }
}
