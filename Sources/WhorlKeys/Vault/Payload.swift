import WhorlBiometrics
import WhorlCrypto
import WhorlSecrets

/// A key's secret under its payload key.
enum Payload {
    static func seal(
        _ secret: borrowing SecretBytes, under payloadKey: borrowing SecretBytes,
        _ attributes: KeyAttributes
    ) throws(VaultError) -> [UInt8] {
        do throws(CryptoError) {
            return try AESGCM.seal(
                secret, key: payloadKey, authenticating: attributes.authenticated)
        } catch {
            throw VaultError(error, in: "the key \(attributes.name)")
        }
    }

    static func open(
        _ payload: [UInt8], under payloadKey: borrowing SecretBytes, _ attributes: KeyAttributes
    ) throws(VaultError) -> SecretBytes {
        do throws(CryptoError) {
            return try AESGCM.open(
                payload, key: payloadKey, authenticating: attributes.authenticated)
        } catch {
            throw VaultError(error, in: "the key \(attributes.name)")
        }
    }
}
