internal import Synchronization
internal import WhorlBiometrics

// How a key of a scripted session opens: by the next answer, if its factors are among the key's ways.
struct ScriptedOpening {
    let keys: ScriptedKeys
    let person: ScriptedPerson

    func info(_ name: KeyName) throws(VaultError) -> KeyInfo {
        let info = keys.state.withLock { state in
            state.keys[name].map { ScriptedKeys.info(name, $0, in: state) }
        }
        guard let info else { throw .noSuchKey }
        return info
    }

    // A key that must be of a kind.
    func info(_ name: KeyName, kind: KeyKind) throws(VaultError) -> KeyInfo {
        let info = try info(name)
        guard info.kind == kind else { throw .wrongKind(info.kind) }
        return info
    }

    // All keys, by name.
    func list() -> [KeyInfo] {
        keys.state.withLock { state in
            state.keys.map { ScriptedKeys.info($0.key, $0.value, in: state) }
        }.sorted { $0.name.text < $1.name.text }
    }

    // Writes a key; where it replaces none, under a new name.
    func store(
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

    // Asks nobody for a key that has no way in left.
    func open(
        _ name: KeyName, kind: KeyKind, to verb: String, _ request: AuthenticationRequest
    ) async throws(VaultError) -> ScriptedKeys.Key {
        _ = try info(name, kind: kind)
        guard try !openWays(of: name).isEmpty else { throw .keyInvalidated }
        let action = "\(verb) \(name.text)"
        let result: AuthenticationResult
        do throws(AuthenticationError) {
            result = try await person.ask(action, request)
        } catch {
            throw .authentication(error)
        }
        // The enrolment may have changed while the prompt was there.
        let ways = try openWays(of: name)
        guard !ways.isEmpty else { throw .keyInvalidated }
        if result.factors == [.recoveryKey], try info(name).hasRecovery {
            return try key(name, kind: kind)
        }
        let isGiven = ways.contains { way in
            (!way.needsFinger || result.factors.contains(.finger))
                && (!way.needsCredential || result.factors.contains(.deviceCredential))
        }
        guard isGiven else { throw .misscripted(action, result) }
        return try key(name, kind: kind)
    }

    private func key(
        _ name: KeyName, kind: KeyKind
    ) throws(VaultError) -> ScriptedKeys.Key {
        guard let key = keys.state.withLock({ $0.keys[name] }) else { throw .noSuchKey }
        guard key.content.kind == kind else { throw .wrongKind(key.content.kind) }
        return key
    }

    private func openWays(of name: KeyName) throws(VaultError) -> [AccessWay] {
        let info = try info(name)
        let generation = keys.state.withLock { $0.generation }
        return info.access.ways.filter {
            !$0.isBoundToGeneration || info.generation == generation
        }
    }
}
