internal import WhorlBiometrics
internal import WhorlKit
internal import WhorlSecrets

extension CommandRunner {
    func listKeys() async throws(CommandFailure) -> Answer {
        try await withSession { (session, _) async throws(CommandFailure) in
            let keys = try await call { () async throws(VaultError) in
                try await session.vault.list()
            }
            var answer = Answer(members: [.init("keys", .array(keys.map(JSON.listed)))])
            answer.lines = KeyText.lines(forList: keys)
            answer.isSimulated = keys.contains(where: \.isSimulated)
            return answer
        }
    }

    func info(_ name: String) async throws(CommandFailure) -> Answer {
        try await withSession { (session, _) async throws(CommandFailure) in
            answer(for: try await key(name, in: session))
        }
    }

    private func answer(for key: KeyInfo) -> Answer {
        var answer = Answer(members: JSON.members(of: key))
        answer.lines = KeyText.lines(for: key)
        answer.isSimulated = key.isSimulated
        return answer
    }

    private func key(
        _ name: String, in session: any WhorlSession
    ) async throws(CommandFailure) -> KeyInfo {
        try await call { () async throws(VaultError) in
            try await session.vault.info(KeyName(checking: name))
        }
    }

    // MARK: Putting

    func put(_ arguments: PutArguments) async throws(CommandFailure) -> Answer {
        try await withSession { (session, placement) async throws(CommandFailure) in
            let existing = try await existingKey(arguments.name, in: session)
            if let existing {
                guard arguments.replaces else { throw CommandFailure(.keyExists) }
                try checkIsSecret(existing)
                try checkWay(into: existing)
            }
            let name = try await call { () async throws(VaultError) in
                try KeyName(checking: arguments.name)
            }
            let keyOptions = try keyOptions(for: arguments)
            let request: AuthenticationRequest? =
                existing == nil ? nil : try await givenRequest()
            let secret = try readSecret()
            let key = try await store(
                secret, as: name, options: keyOptions, replacing: request, in: session)
            var answer = answer(for: key)
            answer.isResult = false
            answer.isSimulated = key.isSimulated || watch.isSimulated
            answer.lines = KeyText.lines(forStored: key, isReplaced: existing != nil)
            if key.reuseSeconds > 0, placement == .inProcess {
                console.note(
                    "in this process a match ends with the command; --reuse works with the service")
            }
            return answer
        }
    }

    private func store(
        _ secret: consuming SecretBytes, as name: KeyName, options: KeyOptions,
        replacing request: AuthenticationRequest?, in session: any WhorlSession
    ) async throws(CommandFailure) -> KeyInfo {
        do {
            if let request {
                return try await session.vault.replace(
                    secret, as: name, options: options, request: request)
            }
            return try await session.vault.put(secret, as: name, options: options)
        } catch {
            throw CommandFailure(error)
        }
    }

    func existingKey(
        _ name: String, in session: any WhorlSession
    ) async throws(CommandFailure) -> KeyInfo? {
        do {
            return try await session.vault.info(KeyName(checking: name))
        } catch .noSuchKey {
            return nil
        } catch {
            throw CommandFailure(error)
        }
    }

    private func keyOptions(for arguments: PutArguments) throws(CommandFailure) -> KeyOptions {
        var options = KeyOptions(
            minimumStrength: arguments.strength, reuseSeconds: arguments.reuseSeconds,
            isBootBound: arguments.isBootBound, hasRecovery: arguments.hasRecovery)
        if let text = arguments.access { options.access = try accessControl(text) }
        return options
    }

    func accessControl(_ text: String) throws(CommandFailure) -> AccessControl {
        do {
            return try AccessControl(parsing: text)
        } catch {
            throw CommandFailure(.invalidAccessControl(error))
        }
    }

    private func readSecret() throws(CommandFailure) -> SecretBytes {
        try blocking { () throws(CommandFailure) in
            let isTyped = terminal?.hideTyping(at: console.input) ?? false
            defer { if isTyped { terminal?.endReading() } }
            if isTyped {
                console.note("type the secret, which is not shown, then Enter and Ctrl-D")
            }
            return try SecretInput.read(console.input)
        }
    }

    // MARK: Opening

    func get(_ name: String, file: String?) async throws(CommandFailure) -> Answer {
        try await withSession { (session, _) async throws(CommandFailure) in
            let key = try await key(name, in: session)
            try checkIsSecret(key)
            try checkWay(into: key)
            if let file { try NewFile.check(file) }
            let request = try await givenRequest()
            let secret = try await secret(of: key.name, request, in: session)
            if let file {
                try NewFile.write(secret, to: file)
            } else {
                do throws(SystemError) {
                    try console.output.write(secret: secret)
                } catch {
                    throw .output(error)
                }
            }
            var answer = Answer(members: [
                .init("name", .string(key.name.text)), .init("out", JSON(file)),
                .init("bytes", .integer(secret.count)),
            ])
            let byRecovery = AuthenticationResult(
                factors: [.recoveryKey], rating: nil, isSimulated: false)
            answer.members += JSON.members(
                of: options.recoveryKey == nil ? watch.result : byRecovery)
            answer.isSimulated = key.isSimulated || watch.isSimulated
            return answer
        }
    }

    private func secret(
        of name: KeyName, _ request: AuthenticationRequest, in session: any WhorlSession
    ) async throws(CommandFailure) -> SecretBytes {
        do {
            return try await session.vault.get(name, request: request)
        } catch {
            throw CommandFailure(error)
        }
    }

    func removeKey(_ name: String) async throws(CommandFailure) -> Answer {
        try await withSession { (session, _) async throws(CommandFailure) in
            let key = try await key(name, in: session)
            try checkIsSecret(key)
            try checkWay(into: key)
            let request = try await givenRequest()
            try await call { () async throws(VaultError) in
                try await session.vault.remove(key.name, request: request)
            }
            var answer = Answer(members: [.init("name", .string(key.name.text))])
            answer.isResult = false
            answer.isSimulated = key.isSimulated || watch.isSimulated
            answer.lines = ["removed \(key.name)"]
            return answer
        }
    }

    private func checkIsSecret(_ key: KeyInfo) throws(CommandFailure) {
        guard key.kind == .secret else { throw CommandFailure(.wrongKind(key.kind)) }
    }

    // A key that only the PIN opens needs a way to give it.
    func checkWay(into key: KeyInfo) throws(CommandFailure) {
        guard options.recoveryKey == nil, key.access.ways.allSatisfy(\.needsCredential) else {
            return
        }
        try requireCredentialWay()
    }
}
