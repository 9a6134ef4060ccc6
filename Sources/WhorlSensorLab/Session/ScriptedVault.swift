internal import Synchronization
public import WhorlBiometrics
public import WhorlSecrets

/// The vault of a ``ScriptedSession``: keeps secrets in this process, and protects nothing.
///
/// Names, sizes and access control are checked as a real vault does it; whether a key opens, the
/// next scripted answer says, if its factors are among the key's ways.
public final class ScriptedVault: SecretVault {
    private let keys: ScriptedKeys
    private let person: ScriptedPerson

    /// The most bytes of a secret: 1 MiB.
    public static let maximumSecretLength = 1 << 20

    init(keys: ScriptedKeys, person: ScriptedPerson) {
        self.keys = keys
        self.person = person
    }

    /// Stores a secret under a new name.
    @discardableResult
    public func put(
        _ secret: consuming SecretBytes, as name: KeyName, options: KeyOptions
    ) async throws(VaultError) -> KeyInfo {
        let content = try Self.content(secret)
        return try store(content, as: name, options: options, replacing: false)
    }

    /// Replaces a secret, where the next answer opens the old one.
    @discardableResult
    public func replace(
        _ secret: consuming SecretBytes, as name: KeyName, options: KeyOptions,
        request: AuthenticationRequest
    ) async throws(VaultError) -> KeyInfo {
        let content = try Self.content(secret)
        _ = try await open(name, to: "replace", request)
        return try store(content, as: name, options: options, replacing: true)
    }

    private static func content(
        _ secret: consuming SecretBytes
    ) throws(VaultError) -> ScriptedKeys.Content {
        guard !secret.isEmpty else { throw .emptySecret }
        guard secret.count <= maximumSecretLength else {
            throw .tooLarge(limit: maximumSecretLength)
        }
        return ScriptedKeys.Content(secret)
    }

    private func store(
        _ content: ScriptedKeys.Content, as name: KeyName, options: KeyOptions, replacing: Bool
    ) throws(VaultError) -> KeyInfo {
        let result = keys.state.withLock { state -> Result<KeyInfo, VaultError> in
            guard replacing || state.keys[name] == nil else { return .failure(.keyExists) }
            guard !options.access.mentionsFinger || !state.fingers.isEmpty else {
                return .failure(.authentication(.notEnrolled))
            }
            let key = ScriptedKeys.Key(
                content: content, options: options, generation: state.generation)
            state.keys[name] = key
            return .success(ScriptedKeys.info(name, key, in: state))
        }
        return try result.get()
    }

    /// Gives out the secret, where the next answer opens it.
    public func get(
        _ name: KeyName, request: AuthenticationRequest
    ) async throws(VaultError) -> SecretBytes {
        let key = try await open(name, to: "get", request)
        do throws(SecretMemoryError) {
            return try key.content.secret.clone()
        } catch {
            throw .storage("\(error)")
        }
    }

    /// The keys, by name.
    public func list() async throws(VaultError) -> [KeyInfo] {
        keys.state.withLock { state in
            state.keys.map { ScriptedKeys.info($0.key, $0.value, in: state) }
        }.sorted { $0.name.text < $1.name.text }
    }

    /// What may be known of a key.
    public func info(_ name: KeyName) async throws(VaultError) -> KeyInfo {
        let info = keys.state.withLock { state in
            state.keys[name].map { ScriptedKeys.info(name, $0, in: state) }
        }
        guard let info else { throw .noSuchKey }
        return info
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
        _ = try await open(name, to: "remove", request)
        keys.state.withLock { $0.keys[name] = nil }
    }

    // Asks nobody for a key that has no way in left.
    private func open(
        _ name: KeyName, to verb: String, _ request: AuthenticationRequest
    ) async throws(VaultError) -> ScriptedKeys.Key {
        guard try await !openWays(of: name).isEmpty else { throw .keyInvalidated }
        let action = "\(verb) \(name.text)"
        let result: AuthenticationResult
        do throws(AuthenticationError) {
            result = try await person.ask(action, request)
        } catch {
            throw .authentication(error)
        }
        // The enrolment may have changed while the prompt was there.
        let ways = try await openWays(of: name)
        guard !ways.isEmpty else { throw .keyInvalidated }
        if result.factors == [.recoveryKey], try await info(name).hasRecovery {
            guard let key = keys.state.withLock({ $0.keys[name] }) else { throw .noSuchKey }
            return key
        }
        let isGiven = ways.contains { way in
            (!way.needsFinger || result.factors.contains(.finger))
                && (!way.needsCredential || result.factors.contains(.deviceCredential))
        }
        guard isGiven else { throw .misscripted(action, result) }
        guard let key = keys.state.withLock({ $0.keys[name] }) else { throw .noSuchKey }
        return key
    }

    private func openWays(of name: KeyName) async throws(VaultError) -> [AccessWay] {
        let info = try await info(name)
        let generation = keys.state.withLock { $0.generation }
        return info.access.ways.filter {
            !$0.isBoundToGeneration || info.generation == generation
        }
    }
}
