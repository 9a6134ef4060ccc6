import WhorlBiometrics
import WhorlCrypto
import WhorlSecrets

/// How much work a new credential is made to cost.
///
/// As much as this machine does in ``target``, within bounds, since what a thief can try each second
/// depends on it and on nothing else in the software store. It is recorded with the credential, so
/// that machines and versions to come may ask for more.
enum CredentialCost {
    /// The least: 32 MiB, about a tenth of a second on a small machine.
    static let least = 1 << 15
    /// The most: 128 MiB, which a machine that opens the store later must have too.
    static let most = 1 << 17
    static let target = Duration.milliseconds(250)

    /// What a machine can afford that took so long for the ``least``.
    static func affordable(leastTook elapsed: Duration) -> Int {
        var cost = least
        var expected = elapsed * 2
        while cost < most, expected <= target {
            cost *= 2
            expected *= 2
        }
        return cost
    }
}

/// What key derivation made of a new credential.
struct DerivedCredential: ~Copyable, Sendable {
    /// 32 bytes.
    let secret: SecretBytes
    let salt: [UInt8]
    let parameters: ScryptParameters
}

extension KeyDerivation {
    /// Derives 32 bytes from a new PIN or passphrase, with a new salt.
    ///
    /// - Parameters:
    ///   - credential: The PIN or passphrase.
    ///   - fixed: What it costs; nil for what is measured here.
    /// - Returns: The bytes, with what they were derived with.
    /// - Throws: ``VaultError``.
    func derive(
        fromNew credential: HeldSecret, costing fixed: ScryptParameters?
    ) throws(VaultError) -> DerivedCredential {
        guard let credential = credential.take() else {
            throw .internalError("a PIN was used twice")
        }
        let salt = randomIdentifier()
        if let fixed {
            return DerivedCredential(
                secret: try Self.derive(credential, salt, fixed), salt: salt, parameters: fixed)
        }
        let least = try Self.parameters(cost: CredentialCost.least)
        let start = ContinuousClock.now
        let first = try Self.derive(credential, salt, least)
        let cost = CredentialCost.affordable(leastTook: .now - start)
        guard cost > CredentialCost.least else {
            return DerivedCredential(secret: first, salt: salt, parameters: least)
        }
        let parameters = try Self.parameters(cost: cost)
        return DerivedCredential(
            secret: try Self.derive(credential, salt, parameters), salt: salt,
            parameters: parameters)
    }

    private static func parameters(cost: Int) throws(VaultError) -> ScryptParameters {
        try crypto("scrypt") { () throws(CryptoError) in
            try ScryptParameters(cost: cost, blockSize: 8, parallelization: 1)
        }
    }

    private static func derive(
        _ credential: borrowing SecretBytes, _ salt: [UInt8], _ parameters: ScryptParameters
    ) throws(VaultError) -> SecretBytes {
        do throws(CryptoError) {
            return try Scrypt.deriveKey(from: credential, salt: salt, parameters: parameters)
        } catch {
            throw VaultError(error, in: "the credential's record")
        }
    }
}
