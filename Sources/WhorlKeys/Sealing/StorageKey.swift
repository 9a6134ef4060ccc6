import WhorlBiometrics
import WhorlCrypto
import WhorlSecrets

/// The machine's storage key: everything that the store keeps is sealed or authenticated under it.
///
/// It is only ever derived from, with the vault's id as salt: what was made for one vault or one
/// purpose is nothing to another.
package final class StorageKey: Sendable {
    static let count = 32

    private let secret: SecretBytes
    private let authenticationKey: SecretBytes
    let vaultID: [UInt8]

    init(_ secret: consuming SecretBytes, vaultID: [UInt8]) throws(VaultError) {
        authenticationKey = try Self.derive(
            from: secret, salt: vaultID, info: CanonicalBytes("whorl/authentication/1").bytes)
        self.secret = secret
        self.vaultID = vaultID
    }

    /// Derives a key for a purpose.
    func key(for info: CanonicalBytes) throws(VaultError) -> SecretBytes {
        try Self.derive(from: secret, salt: vaultID, info: info.bytes)
    }

    /// Derives a key for a purpose that needs another secret too.
    func key(
        for info: CanonicalBytes, with other: borrowing SecretBytes
    ) throws(VaultError) -> SecretBytes {
        let both = try joined(with: other)
        return try Self.derive(from: both, salt: vaultID, info: info.bytes)
    }

    private func joined(with other: borrowing SecretBytes) throws(VaultError) -> SecretBytes {
        do throws(SecretMemoryError) {
            return try secret.concatenating(other)
        } catch {
            throw .storage(error.description)
        }
    }

    /// The code that shows that this store wrote something.
    func authenticationCode(for message: CanonicalBytes) throws(VaultError) -> [UInt8] {
        try crypto("storage.key") { () throws(CryptoError) in
            try HMACSHA256.authenticationCode(for: message.bytes, key: authenticationKey)
        }
    }

    /// Checks that this store wrote something.
    ///
    /// - Throws: ``VaultError/damaged(_:)`` that names the part if it did not.
    func check(
        _ code: [UInt8], of message: CanonicalBytes, naming part: String
    ) throws(VaultError) {
        let isOurs = try crypto("storage.key") { () throws(CryptoError) in
            try HMACSHA256.isValid(code, for: message.bytes, key: authenticationKey)
        }
        guard isOurs else { throw .damaged("\(part) was changed") }
    }

    private static func derive(
        from secret: borrowing SecretBytes, salt: [UInt8], info: [UInt8]
    ) throws(VaultError) -> SecretBytes {
        do throws(CryptoError) {
            return try HKDFSHA256.deriveKey(from: secret, salt: salt, info: info)
        } catch {
            throw VaultError(error, in: "storage.key")
        }
    }
}
