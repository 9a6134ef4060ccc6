public import WhorlBiometrics
public import WhorlSecrets

/// What a store is set up with.
///
/// Consent needs no place here: the command does not get this far without it.
public struct SetupRequest: Sendable {
    /// The owner's PIN or passphrase, to be taken once.
    public let credential: HeldSecret
    /// What becomes of the fingers that fprintd holds already.
    public let adoption: Adoption

    /// Makes a request.
    public init(credential: HeldSecret, adoption: Adoption) {
        self.credential = credential
        self.adoption = adoption
    }
}

/// What becomes of the fingers that fprintd holds when a store is set up.
public enum Adoption: String, Sendable, Hashable, CaseIterable {
    /// They open things here too.
    case all
    /// They open nothing here.
    case none
}

/// Where the recovery key goes, once.
public protocol RecoveryKeyRecipient: Sendable {
    /// Takes the recovery key in the form that people copy: ASCII, no newline at the end.
    ///
    /// - Throws: ``VaultError`` where it could not be handed to the owner; then there must be no
    ///   store that it belongs to.
    func receive(_ key: borrowing SecretBytes) async throws(VaultError)
}
