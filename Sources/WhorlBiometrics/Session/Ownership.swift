public import WhorlSecrets

/// What only the owner of a store does with it: its credential, its recovery key, its end.
///
/// Each call needs the credential, or the recovery key where the request brings it; it is asked for
/// as for every other request. Nothing in it may be impossible over D-Bus.
public protocol Ownership: Sendable {
    /// Changes the credential; by the recovery key, resets it.
    ///
    /// - Parameters:
    ///   - credential: The new PIN or passphrase, 6 to 1024 bytes.
    ///   - request: How to ask for the old one, or the recovery key.
    /// - Returns: The keys that the credential does not open any more, by name: after a reset those
    ///   that the recovery key does not open.
    /// - Throws: ``VaultError/unacceptableCredential(_:)`` for a PIN that breaks a rule;
    ///   ``VaultError/authentication(_:)`` where the answer is anything but yes.
    func changeCredential(
        to credential: HeldSecret, request: AuthenticationRequest
    ) async throws(VaultError) -> [KeyName]

    /// Checks a recovery key, and that it opens what it should.
    ///
    /// - Parameter recoveryKey: The key in its written form.
    /// - Returns: The keys that it opens, by name.
    /// - Throws: ``VaultError/invalidRecoveryKey(_:)`` for one that is mistyped;
    ///   ``VaultError/authentication(_:)`` with `wrongRecoveryKey` for another one;
    ///   ``VaultError/damaged(_:)`` where it does not open a key that it should.
    func checkRecovery(_ recoveryKey: HeldSecret) async throws(VaultError) -> [KeyName]

    /// Puts a new recovery key in the place of the one there is.
    ///
    /// - Parameters:
    ///   - request: How to ask for the credential, or the old recovery key.
    ///   - deliver: Gets the new key in its written form, once, before anything is kept; if it
    ///     throws, the old one is as good as before.
    /// - Returns: The keys that no recovery key opens any more, by name: those that what was given
    ///   does not open.
    /// - Throws: What `deliver` throws; ``VaultError/authentication(_:)`` where the answer is anything
    ///   but yes.
    func renewRecovery(
        request: AuthenticationRequest,
        deliver: @escaping @Sendable (borrowing SecretBytes) async throws(VaultError) -> Void
    ) async throws(VaultError) -> [KeyName]

    // MARK: Consent

    /// What the owner said to the use of fingers.
    ///
    /// - Throws: ``VaultError`` where the store cannot be read.
    func consent() async throws(VaultError) -> Consent

    /// What revoking the consent to fingers would do.
    ///
    /// Nobody is asked.
    ///
    /// - Throws: ``VaultError`` where the store cannot be read.
    func revocation() async throws(VaultError) -> ConsentRevocation

    /// Revokes the consent to fingers: prints and the fingers' ways into keys go, for good.
    ///
    /// Keys with another way in stay. A second time it changes nothing, and asks nobody.
    ///
    /// - Parameter request: How to ask for the credential, or the recovery key.
    /// - Returns: What went, and what stays.
    /// - Throws: ``VaultError/authentication(_:)`` where the answer is anything but yes.
    func revokeConsent(
        request: AuthenticationRequest
    ) async throws(VaultError) -> ConsentRevocation

    /// Gives the consent again that was revoked; then fingers may be enrolled.
    ///
    /// - Parameter request: How to ask for the credential, or the recovery key.
    /// - Throws: ``VaultError/alreadySetUp`` where it stands;
    ///   ``VaultError/authentication(_:)`` where the answer is anything but yes.
    func giveConsent(request: AuthenticationRequest) async throws(VaultError)

    // MARK: Switching off

    /// Switches fingers off; prints and keys stay.
    ///
    /// Nobody is asked, since it lets nobody in.
    ///
    /// - Throws: ``VaultError/notSetUp``, and ``VaultError`` where it cannot be recorded.
    func disableFingers() async throws(VaultError)

    /// Switches fingers on again; where they are on, nobody is asked.
    ///
    /// - Parameter request: How to ask for the credential, or the recovery key.
    /// - Throws: ``VaultError/authentication(_:)`` where the answer is anything but yes.
    func enableFingers(request: AuthenticationRequest) async throws(VaultError)

    // MARK: The end

    /// Everything that the store keeps of its owner, as far as it can be read.
    ///
    /// Nobody is asked, and nothing vouches for it.
    ///
    /// - Throws: ``VaultError/notSetUp`` where there is nothing, ``VaultError`` where the store cannot
    ///   be read at all.
    func contents() async throws(VaultError) -> StoreContents

    /// Deletes everything of the owner: keys, prints, credential, consent and counts.
    ///
    /// The session is of no more use after it.
    ///
    /// - Parameter request: How to ask for the credential, or the recovery key; nil where the owner
    ///   has neither any more. That opens nothing, so nobody is asked.
    /// - Returns: What went.
    /// - Throws: ``VaultError/authentication(_:)`` where the answer is anything but yes;
    ///   ``VaultError/notSetUp`` where there is nothing.
    func reset(request: AuthenticationRequest?) async throws(VaultError) -> StoreContents
}
