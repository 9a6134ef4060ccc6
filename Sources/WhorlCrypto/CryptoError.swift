public import WhorlSecrets

/// Why a cryptographic operation gave no result.
///
/// No case carries key material, plaintext or anything derived from it.
@nonexhaustive
public enum CryptoError: Error, Equatable {
    /// The bytes were changed, cut short or sealed under another key or for another purpose.
    case authenticationFailed
    /// A key has the wrong size or is not one: off the curve, zero, out of range.
    case badKey
    /// A parameter is out of its range.
    case badParameters
    /// There are more bytes than this limit.
    case tooLong(limit: Int)
    /// There is no memory fit for a secret.
    case memory(SecretMemoryError)
    /// OpenSSL refused something that it should not refuse.
    ///
    /// The payload is the code of its error queue; `openssl errstr` explains its hexadecimal form.
    case library(code: UInt)
}

extension CryptoError: CustomStringConvertible {
    /// What happened and what to do, in one sentence.
    public var description: String {
        switch self {
        case .authenticationFailed:
            "sealed data is damaged or was sealed under another key; restore it from a backup"
        case .badKey:
            "a key is damaged or of another kind; restore it from a backup"
        case .badParameters:
            "a cryptographic parameter is out of range; the stored data is damaged"
        case .tooLong(let limit):
            "there are more than \(limit) bytes; give fewer"
        case .memory(let error):
            error.description
        case .library(let code):
            "OpenSSL failed (error \(String(code, radix: 16))); "
                + "`openssl errstr \(String(code, radix: 16))` explains it"
        }
    }
}
