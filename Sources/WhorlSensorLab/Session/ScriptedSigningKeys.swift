internal import Synchronization
public import WhorlBiometrics

/// The signing keys of a ``ScriptedSession``: names and ways in this process.
///
/// Whether a key signs, the next scripted answer says, if its factors are among the key's ways. What
/// it signs with, the test says with ``use(_:for:)``; without, a call that needs it fails.
public final class ScriptedSigningKeys: SigningKeys {
    private let opening: ScriptedOpening
    private let signers = Mutex<[KeyName: ScriptedSigner]>([:])

    init(opening: ScriptedOpening) { self.opening = opening }

    /// Says what a key signs with, once it is created.
    public func use(_ signer: ScriptedSigner, for name: KeyName) {
        signers.withLock { $0[name] = signer }
    }

    /// Makes a key under a new name.
    @discardableResult
    public func create(
        _ name: KeyName, options: SigningKeyOptions
    ) async throws(VaultError) -> KeyInfo {
        try opening.store(.signing, as: name, options: options.keyOptions, replacing: false)
    }

    /// The signing keys, by name.
    public func list() async throws(VaultError) -> [KeyInfo] {
        opening.list().filter { $0.kind == .signing }
    }

    /// What may be known of a key.
    public func info(_ name: KeyName) async throws(VaultError) -> KeyInfo {
        try opening.info(name, kind: .signing)
    }

    /// The public half that the test gave.
    public func publicKey(_ name: KeyName) async throws(VaultError) -> SigningPublicKey {
        _ = try opening.info(name, kind: .signing)
        return try signer(of: name).publicKey
    }

    /// Signs with what the test gave, where the next answer opens the key.
    public func sign(
        _ input: SigningInput, with name: KeyName, request: AuthenticationRequest
    ) async throws(VaultError) -> SigningSignature {
        if case .digest(let digest) = input, digest.count != 32 {
            throw .internalError("a digest of \(digest.count) bytes was to be signed")
        }
        _ = try await opening.open(name, kind: .signing, to: "sign with", request)
        return try signer(of: name).sign(input)
    }

    /// Removes a key, where the next answer opens it.
    public func remove(
        _ name: KeyName, request: AuthenticationRequest
    ) async throws(VaultError) {
        _ = try await opening.open(name, kind: .signing, to: "remove", request)
        opening.keys.state.withLock { $0.keys[name] = nil }
    }

    private func signer(of name: KeyName) throws(VaultError) -> ScriptedSigner {
        guard let signer = signers.withLock({ $0[name] }) else {
            throw .internalError("no signer is scripted for '\(name)'")
        }
        return signer
    }
}
