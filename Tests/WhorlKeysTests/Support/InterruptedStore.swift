import Synchronization
import WhorlBiometrics
import WhorlCrypto
import WhorlSecrets

@testable import WhorlKeys

/// The software store, at whose every step a test may do something else first, or make it fail.
///
/// The vault waits at these steps, so this is where others get in between.
final class InterruptedStore: KeyStore {
    enum Step {
        case wrap
        case unwrap
        case carry
        case advance
        case makeSigningKey
        case sign
    }

    typealias Interruption = @Sendable () async throws(VaultError) -> Void

    private let inner: SoftwareKeyStore
    private let interruptions = Mutex<[Step: Interruption]>([:])

    init(_ storageKey: StorageKey) {
        inner = SoftwareKeyStore(storageKey: storageKey)
    }

    /// Runs once, at the next such step.
    func interrupt(_ step: Step, _ body: @escaping Interruption) {
        interruptions.withLock { $0[step] = body }
    }

    private func pass(_ step: Step) async throws(VaultError) {
        guard let body = interruptions.withLock({ $0.removeValue(forKey: step) }) else { return }
        try await body()
    }

    var kind: StoreKind { inner.kind }
    var strongestMinimum: Strength { inner.strongestMinimum }
    var bindsToBoot: Bool { inner.bindsToBoot }
    var minimumCredentialCount: Int { inner.minimumCredentialCount }

    func makeCredential(
        from derived: borrowing SecretBytes, for subject: Subject
    ) async throws(VaultError) -> [UInt8] {
        try await inner.makeCredential(from: derived, for: subject)
    }

    func changeCredential(
        _ object: [UInt8], to derived: borrowing SecretBytes, proof: borrowing CredentialProof
    ) async throws(VaultError) -> [UInt8] {
        try await inner.changeCredential(object, to: derived, proof: proof)
    }

    func withdrawFinger(
        from wrapped: WrappedKey, as attributes: KeyAttributes, grant: borrowing Grant
    ) async throws(VaultError) -> WrappedKey {
        try await inner.withdrawFinger(from: wrapped, as: attributes, grant: grant)
    }

    func checkCredential(
        _ derived: borrowing SecretBytes, against object: [UInt8], of subject: Subject
    ) async throws(VaultError) -> SecretBytes {
        try await inner.checkCredential(derived, against: object, of: subject)
    }

    func wrap(
        _ payloadKey: borrowing SecretBytes, as attributes: KeyAttributes, credential: [UInt8]
    ) async throws(VaultError) -> WrappedKey {
        try await pass(.wrap)
        return try await inner.wrap(payloadKey, as: attributes, credential: credential)
    }

    func unwrap(
        _ wrapped: WrappedKey, as attributes: KeyAttributes, through way: AccessWay,
        grant: borrowing Grant
    ) async throws(VaultError) -> SecretBytes {
        try await pass(.unwrap)
        return try await inner.unwrap(wrapped, as: attributes, through: way, grant: grant)
    }

    func unwrapByCredential(
        _ wrapped: WrappedKey, as attributes: KeyAttributes, grant: borrowing Grant
    ) async throws(VaultError) -> SecretBytes? {
        try await pass(.carry)
        return try await inner.unwrapByCredential(wrapped, as: attributes, grant: grant)
    }

    func makeSigningKey(
        as attributes: KeyAttributes, credential: [UInt8]
    ) async throws(VaultError) -> SigningKeyPair {
        try await pass(.makeSigningKey)
        return try await inner.makeSigningKey(as: attributes, credential: credential)
    }

    func sign(
        _ digest: [UInt8], with wrapped: WrappedKey, as attributes: KeyAttributes,
        through way: AccessWay, grant: borrowing Grant
    ) async throws(VaultError) -> P256Signature {
        try await pass(.sign)
        return try await inner.sign(
            digest, with: wrapped, as: attributes, through: way, grant: grant)
    }

    func firstGeneration(of subject: Subject) async throws(VaultError) -> Int64 {
        try await inner.firstGeneration(of: subject)
    }

    func advanceGeneration(of subject: Subject, to next: Int64) async throws(VaultError) {
        try await pass(.advance)
        try await inner.advanceGeneration(of: subject, to: next)
    }
}
