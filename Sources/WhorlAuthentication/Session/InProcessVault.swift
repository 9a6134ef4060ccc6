import WhorlBiometrics
import WhorlKeys
import WhorlSecrets

/// The vault as a session of this process shows it.
struct InProcessVault: SecretVault {
    let authenticator: Authenticator
    let subject: Subject

    private var vault: Vault { authenticator.vault }

    func put(
        _ secret: consuming SecretBytes, as name: KeyName, options: KeyOptions
    ) async throws(VaultError) -> KeyInfo {
        // The order in which refusals come: the store, the name, the input, and only then the ways.
        guard try await vault.isSetUp(subject) else { throw .notSetUp }
        guard try await !vault.has(name, of: subject) else { throw .keyExists }
        try checkInput(secret)
        let making = try await authenticator.making(options, for: subject)
        return try await vault.put(
            secret, as: name, for: subject, options: options, strength: making.strength,
            isSimulated: making.isSimulated, at: authenticator.timekeeper.unixTime())
    }

    func replace(
        _ secret: consuming SecretBytes, as name: KeyName, options: KeyOptions,
        request: AuthenticationRequest
    ) async throws(VaultError) -> KeyInfo {
        let key = try await vault.key(name, of: subject, kind: .secret)
        try checkInput(secret)
        let making = try await authenticator.making(options, for: subject)
        let plan = RequestPlan(opening: key, for: subject, action: "replace \(name)")
        let held = HeldSecret(secret)
        let vault = vault
        let now = authenticator.timekeeper.unixTime()
        return try await authenticator.withGrant(for: plan, request: request) {
            (grant, _) throws(VaultError) in
            guard let secret = held.take() else { throw .internalError("a secret was used twice") }
            return try await vault.replace(
                secret, as: name, options: options, strength: making.strength,
                isSimulated: making.isSimulated, grant: grant, at: now)
        }
    }

    func get(
        _ name: KeyName, request: AuthenticationRequest
    ) async throws(VaultError) -> SecretBytes {
        let key = try await vault.key(name, of: subject, kind: .secret)
        let plan = RequestPlan(opening: key, for: subject, action: "open \(name)")
        let vault = vault
        return try await authenticator.withGrant(for: plan, request: request) {
            (grant, _) throws(VaultError) in try await vault.open(name, grant: grant)
        }
    }

    func list() async throws(VaultError) -> [KeyInfo] {
        try await vault.keys(of: subject)
    }

    func info(_ name: KeyName) async throws(VaultError) -> KeyInfo {
        try await vault.key(name, of: subject).info
    }

    func rebind(
        _ names: [KeyName]?, request: AuthenticationRequest
    ) async throws(VaultError) -> KeyRenewal {
        for name in names ?? [] { _ = try await vault.key(name, of: subject) }
        let plan = RequestPlan.credential(
            of: subject, for: .renewKeys, action: Self.words(forRebinding: names))
        let vault = vault
        return try await authenticator.withOwnerGrant(for: plan, request: request) {
            (grant, _) throws(VaultError) in try await vault.renewKeys(names, grant: grant)
        }
    }

    private static func words(forRebinding names: [KeyName]?) -> String {
        guard let names else { return "bind every key to the fingers enrolled now" }
        let list = names.map(\.text).joined(separator: ", ")
        return "bind \(list) to the fingers enrolled now"
    }

    func remove(_ name: KeyName, request: AuthenticationRequest) async throws(VaultError) {
        try await authenticator.removeKey(name, kind: .secret, of: subject, request: request)
    }

    private func checkInput(_ secret: borrowing SecretBytes) throws(VaultError) {
        guard !secret.isEmpty else { throw .emptySecret }
        guard secret.count <= Vault.maximumSecretCount else {
            throw .tooLarge(limit: Vault.maximumSecretCount)
        }
    }
}

extension Gatekeeper {
    /// What the reader that a print was made on reaches, whether it is plugged in or not.
    func rating(of print: StoredPrint) -> StrengthRating {
        let reality: ReaderReality = print.isSimulated ? .simulated : .real
        let own = StrengthCatalogue.rating(driver: print.reader.driver, reality: reality)
        return rating(own: own, isSimulated: print.isSimulated, prints: 1)
    }
}
