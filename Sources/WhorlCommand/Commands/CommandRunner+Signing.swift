internal import WhorlBiometrics
internal import WhorlKit

extension CommandRunner {
    func createKey(_ arguments: CreateKeyArguments) async throws(CommandFailure) -> Answer {
        try await withSession { (session, placement) async throws(CommandFailure) in
            guard try await existingKey(arguments.name, in: session) == nil else {
                throw CommandFailure(.keyExists)
            }
            var options = SigningKeyOptions(
                minimumStrength: arguments.strength, reuseSeconds: arguments.reuseSeconds,
                isBootBound: arguments.isBootBound)
            if let text = arguments.access { options.access = try accessControl(text) }
            let made = options
            let key = try await call { () async throws(VaultError) in
                try await session.signingKeys.create(
                    KeyName(checking: arguments.name), options: made)
            }
            var answer = Answer(members: JSON.members(of: key))
            answer.isResult = false
            answer.isSimulated = key.isSimulated
            answer.lines = KeyText.lines(forMade: key)
            return answer
        }
    }

    func listSigningKeys() async throws(CommandFailure) -> Answer {
        try await withSession { (session, _) async throws(CommandFailure) in
            let keys = try await call { () async throws(VaultError) in
                try await session.signingKeys.list()
            }
            var answer = Answer(members: [.init("keys", .array(keys.map(JSON.listed)))])
            answer.lines = KeyText.lines(forList: keys)
            answer.isSimulated = keys.contains(where: \.isSimulated)
            return answer
        }
    }

    func publicKey(
        _ name: String, as form: PublicKeyForm
    ) async throws(CommandFailure) -> Answer {
        try await withSession { (session, _) async throws(CommandFailure) in
            let key = try await signingKey(name, in: session)
            let text = try await call { () async throws(VaultError) in
                let publicKey = try await session.signingKeys.publicKey(key.name)
                return switch form {
                case .pem: try publicKey.pem()
                case .ssh: publicKey.sshLine(comment: key.name)
                case .jwk: publicKey.jsonWebKey(thumbprint: try publicKey.thumbprint())
                }
            }
            var answer = Answer(members: [
                .init("name", .string(key.name.text)), .init("format", .string(form.rawValue)),
                .init("publicKey", .string(text)),
            ])
            answer.isSimulated = key.isSimulated
            answer.lines = text.split(separator: "\n").map(String.init)
            return answer
        }
    }

    // MARK: Signing

    func sign(_ arguments: SignArguments) async throws(CommandFailure) -> Answer {
        try await withSession { (session, _) async throws(CommandFailure) in
            let key = try await signingKey(arguments.name, in: session)
            try checkWay(into: key)
            if let file = arguments.file { try NewFile.check(file) }
            let publicKey = try await call { () async throws(VaultError) in
                try await session.signingKeys.publicKey(key.name)
            }
            let request = try request(credential: try credential())
            let prepared = try prepare(arguments, publicKey)
            let signature = try await call { () async throws(VaultError) in
                try await session.signingKeys.sign(
                    prepared.input, with: key.name, request: request)
            }
            try write(prepared.bytes(signature), to: arguments.file)
            var answer = Answer(members: [
                .init("name", .string(key.name.text)),
                .init("format", .string(arguments.form.rawValue)),
                .init("signature", .string(prepared.text(signature))),
                .init("out", JSON(arguments.file)),
            ])
            answer.members += JSON.members(of: watch.result)
            answer.isSimulated = key.isSimulated || watch.isSimulated
            return answer
        }
    }

    private func prepare(
        _ arguments: SignArguments, _ publicKey: SigningPublicKey
    ) throws(CommandFailure) -> PreparedSignature {
        let isWhole = arguments.form == .jws
        let input = try blocking { () throws(CommandFailure) in
            isWhole
                ? try MessageInput.whole(console.input) : try MessageInput.digest(console.input)
        }
        switch arguments.form {
        case .der: return .der(digest: input)
        case .raw: return .raw(digest: input)
        case .ssh:
            let prepared = SSHSignature(
                ofDigest: input, namespace: arguments.namespace, publicKey: publicKey)
            guard let prepared else {
                throw CommandFailure(.internalError("a namespace was not checked"))
            }
            return .ssh(prepared)
        case .jws:
            do throws(VaultError) {
                return .jws(
                    JSONWebSignature(payload: input, thumbprint: try publicKey.thumbprint()))
            } catch {
                throw CommandFailure(error)
            }
        }
    }

    // With --json the signature stands in the answer.
    private func write(_ bytes: [UInt8], to file: String?) throws(CommandFailure) {
        if let file {
            try NewFile.write(bytes: bytes, to: file)
        } else if !options.isJSON {
            do throws(SystemError) {
                try console.output.write(bytes: bytes)
            } catch {
                throw .output(error)
            }
        }
    }

    func removeSigningKey(_ name: String) async throws(CommandFailure) -> Answer {
        try await withSession { (session, _) async throws(CommandFailure) in
            let key = try await signingKey(name, in: session)
            try checkWay(into: key)
            let request = try request(credential: try credential())
            try await call { () async throws(VaultError) in
                try await session.signingKeys.remove(key.name, request: request)
            }
            var answer = Answer(members: [.init("name", .string(key.name.text))])
            answer.isResult = false
            answer.isSimulated = key.isSimulated || watch.isSimulated
            answer.lines = ["removed \(key.name)"]
            return answer
        }
    }

    private func signingKey(
        _ name: String, in session: any WhorlSession
    ) async throws(CommandFailure) -> KeyInfo {
        try await call { () async throws(VaultError) in
            try await session.signingKeys.info(KeyName(checking: name))
        }
    }
}
