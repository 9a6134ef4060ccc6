import WhorlBiometrics
import WhorlCrypto
import WhorlSecrets

extension VaultError {
    /// What a failure of cryptography is to the vault.
    ///
    /// Nothing here depends on a secret that a person gave, so a failure to authenticate is damage.
    init(_ error: CryptoError, in part: String) {
        switch error {
        case .authenticationFailed, .badKey, .badParameters:
            self = .damaged("\(part) was changed")
        case .tooLong(let limit): self = .tooLarge(limit: limit)
        case .memory(let error): self = .storage(error.description)
        case .library: self = .internalError(error.description)
        }
    }
}

/// Runs cryptography on a part of the store, which is named where it turns out damaged.
func crypto<Result: ~Copyable>(
    _ part: String, _ body: () throws(CryptoError) -> Result
) throws(VaultError) -> Result {
    do throws(CryptoError) {
        return try body()
    } catch {
        throw VaultError(error, in: part)
    }
}

/// Makes memory for a secret.
func memory<Result: ~Copyable>(
    _ body: () throws(SecretMemoryError) -> Result
) throws(VaultError) -> Result {
    do throws(SecretMemoryError) {
        return try body()
    } catch {
        throw .storage(error.description)
    }
}
