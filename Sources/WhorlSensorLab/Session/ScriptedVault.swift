internal import Synchronization
public import WhorlBiometrics
public import WhorlSecrets

/// The vault of a ``ScriptedSession``: keeps secrets in this process, and protects nothing.
///
/// Names, sizes and access control are checked as a real vault does it; whether a key opens, the
/// next scripted answer says, if its factors are among the key's ways.
public final class ScriptedVault: SecretVault {
    private let opening: ScriptedOpening
    private var keys: ScriptedKeys { opening.keys }
    private var person: ScriptedPerson { opening.person }

    /// The most bytes of a secret: 1 MiB.
    public static let maximumSecretLength = 1 << 20

    init(opening: ScriptedOpening) { self.opening = opening }

    /// Stores a secret under a new name.
    @discardableResult
    public func put(
        _ secret: consuming SecretBytes, as name: KeyName, options: KeyOptions
    ) async throws(VaultError) -> KeyInfo {
        let content = try Self.content(secret)
        return try opening.store(content, as: name, options: options, replacing: false)
    }

    /// Replaces a secret, where the next answer opens the old one.
    @discardableResult
    public func replace(
        _ secret: consuming SecretBytes, as name: KeyName, options: KeyOptions,
        request: AuthenticationRequest
    ) async throws(VaultError) -> KeyInfo {
        let content = try Self.content(secret)
        _ = try await opening.open(name, kind: .secret, to: "replace", request)
        return try opening.store(content, as: name, options: options, replacing: true)
    }

    private static func content(
        _ secret: consuming SecretBytes
    ) throws(VaultError) -> ScriptedKeys.Content {
        guard !secret.isEmpty else { throw .emptySecret }
        guard secret.count <= maximumSecretLength else {
            throw .tooLarge(limit: maximumSecretLength)
        }
        return .secret(ScriptedKeys.Secret(secret))
    }

    /// Gives out the secret, where the next answer opens it.
    public func get(
        _ name: KeyName, request: AuthenticationRequest
    ) async throws(VaultError) -> SecretBytes {
        let key = try await opening.open(name, kind: .secret, to: "get", request)
        guard case .secret(let secret) = key.content else { throw .wrongKind(key.content.kind) }
        do throws(SecretMemoryError) {
            return try secret.bytes.clone()
        } catch {
            throw .storage("\(error)")
        }
    }

    /// The keys of both kinds, by name.
    public func list() async throws(VaultError) -> [KeyInfo] { opening.list() }

    /// What may be known of a key of either kind.
    public func info(_ name: KeyName) async throws(VaultError) -> KeyInfo {
        try opening.info(name)
    }

    /// Makes keys open again, where the next answer is the credential or the recovery key.
    public func rebind(
        _ names: [KeyName]?, request: AuthenticationRequest
    ) async throws(VaultError) -> KeyRenewal {
        let all = try await list()
        for name in names ?? [] where !all.contains(where: { $0.name == name }) {
            throw .noSuchKey
        }
        let result: AuthenticationResult
        do throws(AuthenticationError) {
            result = try await person.ask("rebind", request)
        } catch {
            throw .authentication(error)
        }
        let wanted = all.filter { names?.contains($0.name) ?? true }
        let opened = wanted.filter { ScriptedKeys.isRenewed($0, by: result.factors) }
        return keys.state.withLock { state in
            for info in opened { state.keys[info.name]?.generation = state.generation }
            let renewed = opened.compactMap { info in
                state.keys[info.name].map { ScriptedKeys.info(info.name, $0, in: state) }
            }
            return KeyRenewal(
                renewed: renewed,
                unopened: wanted.map(\.name).filter { name in
                    !opened.contains { $0.name == name }
                })
        }
    }

    /// Removes a key, where the next answer opens it.
    public func remove(
        _ name: KeyName, request: AuthenticationRequest
    ) async throws(VaultError) {
        _ = try await opening.open(name, kind: .secret, to: "remove", request)
        keys.state.withLock { $0.keys[name] = nil }
    }
}
