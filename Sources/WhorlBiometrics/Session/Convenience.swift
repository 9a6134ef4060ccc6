public import WhorlSecrets

extension SecretVault {
    /// Stores a secret under a new name, by plain words.
    ///
    /// - Throws: ``VaultError/invalidName(_:)`` where the name cannot stand, and what
    ///   ``put(_:as:options:)`` throws.
    @discardableResult
    public func put(
        _ secret: consuming SecretBytes, as name: String,
        access: AccessControl = .biometryCurrentSet.or(.deviceCredential)
    ) async throws(VaultError) -> KeyInfo {
        try await put(
            secret, as: KeyName(checking: name), options: KeyOptions(access: access))
    }

    /// Asks the person and gives out the secret, by plain words.
    ///
    /// - Throws: ``VaultError/invalidName(_:)`` or ``VaultError/invalidReason(_:)`` where the words
    ///   cannot stand, and what ``get(_:request:)`` throws.
    public func get(_ name: String, reason: String) async throws(VaultError) -> SecretBytes {
        let request: AuthenticationRequest
        do {
            request = AuthenticationRequest(reason: try Reason(reason))
        } catch {
            throw .invalidReason(error)
        }
        return try await get(KeyName(checking: name), request: request)
    }
}

extension KeyName {
    /// Makes a key name for a call that throws ``VaultError``.
    ///
    /// - Throws: ``VaultError/invalidName(_:)``.
    public init(checking text: String) throws(VaultError) {
        do {
            try self.init(text)
        } catch {
            throw .invalidName(error)
        }
    }
}
