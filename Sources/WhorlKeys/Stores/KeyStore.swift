package import WhorlBiometrics
package import WhorlCrypto
package import WhorlSecrets

/// What wraps keys so that they open by their access control only.
///
/// The vault keeps the rows, checks grants and seals payloads; a store wraps and unwraps one
/// 256-bit payload key at a time, and makes and uses signing keys, whose private half the vault
/// never sees. Requirements wait where a store has to (a TPM on a thread of its own), so
/// the vault holds no transaction open meanwhile and looks again before it writes.
///
/// What a store is free to do its own way:
/// - It may keep one sealed part for each way in, or one object whose policy knows all ways.
/// - The credential object and the secret that a right credential brings out are bytes of its own:
///   a key pair and its private half, or a TPM object and its authorization value.
/// - The private half of a signing key may be wrapped as a payload key is, or never leave the store.
/// - The generation may be a number in the database, or a counter that only goes up.
package protocol KeyStore: Sendable {
    /// What kind it is; recorded with each key.
    var kind: StoreKind { get }

    /// The highest minimum strength that it can honestly promise.
    var strongestMinimum: Strength { get }

    /// Whether it can bind a finger's way to how the machine booted.
    var bindsToBoot: Bool { get }

    /// The fewest bytes of a new credential.
    var minimumCredentialCount: Int { get }

    // MARK: The credential

    /// Makes the object that stands for a subject's credential.
    ///
    /// - Parameters:
    ///   - derived: What key derivation made of the credential, 32 bytes.
    ///   - subject: Whose credential it is.
    /// - Returns: The object, which the vault authenticates and keeps.
    /// - Throws: ``VaultError``.
    func makeCredential(
        from derived: borrowing SecretBytes, for subject: Subject
    ) async throws(VaultError) -> [UInt8]

    /// Checks a credential.
    ///
    /// - Parameters:
    ///   - derived: What key derivation made of the credential, 32 bytes.
    ///   - object: What ``makeCredential(from:for:)`` returned.
    ///   - subject: Whose credential it is.
    /// - Returns: What opens the credential's way into that subject's keys.
    /// - Throws: ``VaultError/authentication(_:)`` with `wrongCredential`; other ``VaultError``s
    ///   where it could not be checked.
    func checkCredential(
        _ derived: borrowing SecretBytes, against object: [UInt8], of subject: Subject
    ) async throws(VaultError) -> SecretBytes

    /// Makes the object anew for another credential; what it opens stays as it was.
    ///
    /// - Parameters:
    ///   - object: What ``makeCredential(from:for:)`` returned.
    ///   - derived: What key derivation made of the new credential, 32 bytes.
    ///   - proof: The proof of the old one.
    /// - Returns: The object of the new credential.
    /// - Throws: ``VaultError``.
    func changeCredential(
        _ object: [UInt8], to derived: borrowing SecretBytes, proof: borrowing CredentialProof
    ) async throws(VaultError) -> [UInt8]

    // MARK: Keys

    /// Wraps a payload key for every way of its access control.
    ///
    /// No credential is needed for that.
    ///
    /// - Parameters:
    ///   - payloadKey: The key, 32 bytes.
    ///   - attributes: What it is bound to.
    ///   - credential: The subject's credential object.
    /// - Returns: The wrapped key.
    /// - Throws: ``VaultError``.
    func wrap(
        _ payloadKey: borrowing SecretBytes, as attributes: KeyAttributes, credential: [UInt8]
    ) async throws(VaultError) -> WrappedKey

    /// Unwraps a payload key.
    ///
    /// - Parameters:
    ///   - wrapped: What ``wrap(_:as:credential:)`` returned.
    ///   - attributes: What it was bound to.
    ///   - way: The way in, which the vault found open to the grant.
    ///   - grant: The authenticated request; with the proof of the credential where the way needs
    ///     it.
    /// - Returns: The key.
    /// - Throws: ``VaultError/damaged(_:)`` where anything is not as it was wrapped.
    func unwrap(
        _ wrapped: WrappedKey, as attributes: KeyAttributes, through way: AccessWay,
        grant: borrowing Grant
    ) async throws(VaultError) -> SecretBytes

    /// Unwraps a payload key by the credential alone, to wrap it again.
    ///
    /// - Parameters:
    ///   - wrapped: What ``wrap(_:as:credential:)`` returned.
    ///   - attributes: What it was bound to.
    ///   - grant: A grant with the proof of the credential.
    /// - Returns: The key, of a signing key its private half; nil where the credential alone is no
    ///   way into it, or where the key cannot leave the store. Such a key is not carried over a
    ///   change of the enrolment and not renewed: its finger's way dies, and the credential's stays.
    /// - Throws: ``VaultError``.
    func unwrapByCredential(
        _ wrapped: WrappedKey, as attributes: KeyAttributes, grant: borrowing Grant
    ) async throws(VaultError) -> SecretBytes?

    /// Takes every way with a finger out of a wrapped key.
    ///
    /// - Parameters:
    ///   - wrapped: What ``wrap(_:as:credential:)`` returned.
    ///   - attributes: What it was bound to, which stays as it is.
    ///   - grant: A grant with the proof of the credential or of the recovery key.
    /// - Returns: The wrapped key, which no finger opens any more.
    /// - Throws: ``VaultError``.
    func withdrawFinger(
        from wrapped: WrappedKey, as attributes: KeyAttributes, grant: borrowing Grant
    ) async throws(VaultError) -> WrappedKey

    // MARK: Signing keys

    /// Makes a P-256 key, with its private half wrapped for every way of its access control.
    ///
    /// No credential is needed for that. A store may keep the private half inside: what it returns
    /// is then its own object, which it alone can load.
    ///
    /// - Parameters:
    ///   - attributes: What it is bound to.
    ///   - credential: The subject's credential object.
    /// - Returns: The wrapped key and its public half, which the vault authenticates and keeps.
    /// - Throws: ``VaultError``.
    func makeSigningKey(
        as attributes: KeyAttributes, credential: [UInt8]
    ) async throws(VaultError) -> SigningKeyPair

    /// Signs a SHA-256 digest: ECDSA, with another signature each time.
    ///
    /// The vault checks the signature with the public half before it gives it out.
    ///
    /// - Parameters:
    ///   - digest: What to sign, 32 bytes.
    ///   - wrapped: What ``makeSigningKey(as:credential:)`` returned, or the vault wrapped again.
    ///   - attributes: What it was bound to.
    ///   - way: The way in, which the vault found open to the grant.
    ///   - grant: The authenticated request; with the proof of the credential where the way needs
    ///     it.
    /// - Returns: The signature.
    /// - Throws: ``VaultError/damaged(_:)`` where anything is not as it was wrapped.
    func sign(
        _ digest: [UInt8], with wrapped: WrappedKey, as attributes: KeyAttributes,
        through way: AccessWay, grant: borrowing Grant
    ) async throws(VaultError) -> P256Signature

    // MARK: The generation

    /// The generation that a subject begins with.
    func firstGeneration(of subject: Subject) async throws(VaultError) -> Int64

    /// Moves a subject's generation on by one, for good.
    ///
    /// Called when everything sealed for the next one exists, and before any of it counts. A crash
    /// after it leaves the vault's pending mark standing, and the finger opens nothing.
    ///
    /// - Parameters:
    ///   - subject: Whose generation it is.
    ///   - next: The one that it moves to.
    /// - Throws: ``VaultError`` where it is not there afterwards.
    func advanceGeneration(of subject: Subject, to next: Int64) async throws(VaultError)
}
