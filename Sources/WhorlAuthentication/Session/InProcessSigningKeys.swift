import WhorlBiometrics
import WhorlKeys

/// The signing keys as a session of this process shows them.
struct InProcessSigningKeys: SigningKeys {
    let authenticator: Authenticator
    let subject: Subject

    private var vault: Vault { authenticator.vault }

    func create(
        _ name: KeyName, options: SigningKeyOptions
    ) async throws(VaultError) -> KeyInfo {
        // The order in which refusals come: the store, the name, and only then the ways.
        guard try await vault.isSetUp(subject) else { throw .notSetUp }
        guard try await !vault.has(name, of: subject) else { throw .keyExists }
        let making = try await authenticator.making(options.keyOptions, for: subject)
        return try await vault.createSigningKey(
            name, for: subject, options: options, strength: making.strength,
            isSimulated: making.isSimulated, at: authenticator.timekeeper.unixTime())
    }

    func list() async throws(VaultError) -> [KeyInfo] {
        try await vault.keys(of: subject).filter { $0.kind == .signing }
    }

    func info(_ name: KeyName) async throws(VaultError) -> KeyInfo {
        try await vault.key(name, of: subject, kind: .signing).info
    }

    func publicKey(_ name: KeyName) async throws(VaultError) -> SigningPublicKey {
        try await vault.publicKey(of: name, of: subject)
    }

    func sign(
        _ input: SigningInput, with name: KeyName, request: AuthenticationRequest
    ) async throws(VaultError) -> SigningSignature {
        let key = try await vault.key(name, of: subject, kind: .signing)
        // Nobody is asked for what is not signed then.
        let digest = try digest(of: input)
        let plan = RequestPlan(opening: key, for: subject, action: "sign with \(name)")
        let vault = vault
        return try await authenticator.withGrant(for: plan, request: request) {
            (grant, _) throws(VaultError) in
            try await vault.sign(digest: digest, with: name, grant: grant)
        }
    }

    func remove(_ name: KeyName, request: AuthenticationRequest) async throws(VaultError) {
        try await authenticator.removeKey(name, kind: .signing, of: subject, request: request)
    }

    private func digest(of input: SigningInput) throws(VaultError) -> [UInt8] {
        switch input {
        case .message(let message): return try MessageDigest.of(message)
        case .digest(let digest):
            guard digest.count == Vault.digestCount else {
                throw .internalError("a digest of \(digest.count) bytes was to be signed")
            }
            return digest
        }
    }
}
