public import WhorlBiometrics
import WhorlCrypto

/// The SHA-256 digest of a message that comes in pieces, which ``SigningInput/digest(_:)`` takes.
public struct MessageDigest: ~Copyable {
    private var stream: SHA256Stream

    /// Begins with no bytes.
    ///
    /// - Throws: ``VaultError/internalError(_:)`` if OpenSSL offers no SHA-256.
    public init() throws(VaultError) {
        do throws(CryptoError) {
            stream = try SHA256Stream()
        } catch {
            throw VaultError(hashing: error)
        }
    }

    /// Takes more of the message.
    ///
    /// - Throws: ``VaultError/internalError(_:)``.
    public mutating func update(_ bytes: [UInt8]) throws(VaultError) {
        do throws(CryptoError) {
            try stream.update(bytes)
        } catch {
            throw VaultError(hashing: error)
        }
    }

    /// Ends.
    ///
    /// - Returns: The digest of the whole message, 32 bytes.
    /// - Throws: ``VaultError/internalError(_:)``.
    public consuming func value() throws(VaultError) -> [UInt8] {
        do throws(CryptoError) {
            return try stream.digest()
        } catch {
            throw VaultError(hashing: error)
        }
    }

    /// The digest of a message that is there as a whole.
    ///
    /// - Returns: 32 bytes.
    /// - Throws: ``VaultError/internalError(_:)``.
    public static func of(_ message: [UInt8]) throws(VaultError) -> [UInt8] {
        do throws(CryptoError) {
            return try SHA256.digest(of: message)
        } catch {
            throw VaultError(hashing: error)
        }
    }
}

extension VaultError {
    /// What can go wrong with a hash, which nobody but us has to answer for.
    fileprivate init(hashing error: CryptoError) { self = .internalError(error.description) }
}
