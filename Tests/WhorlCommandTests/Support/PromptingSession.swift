import Synchronization
import WhorlBiometrics
import WhorlSecrets
import WhorlSensorLab

@testable import WhorlCommand

/// The lab's scripted session, with the prompts that a real one would show.
struct PromptingSession: WhorlSession, SecretVault, Fingers {
    let host: ScriptedHost
    let prompter: any Prompter

    var vault: any SecretVault { self }
    var signingKeys: any SigningKeys { PromptingSigningKeys(session: self) }
    var fingers: any Fingers { self }
    fileprivate var inner: ScriptedSession { host.session }

    // MARK: The person

    private func ask(
        _ action: String, needsPIN: Bool = false, finger: Finger? = nil,
        _ request: AuthenticationRequest
    ) async throws(AuthenticationError) {
        let refusal = host.state.withLock { state -> AuthenticationError? in
            guard request.credential == nil, case .isNotAsked(let error) = state.person.first else {
                return nil
            }
            state.person.removeFirst()
            return error
        }
        if let refusal { throw refusal }
        if let recoveryKey = request.recoveryKey {
            guard let given = recoveryKey.take(), revealed(given) == ScriptedHost.recoveryKey else {
                throw .wrongRecoveryKey
            }
            let factor = AuthenticationResult(
                factors: [.recoveryKey], rating: nil, isSimulated: false)
            return inner.expect(.yes(factor))
        }
        let hasFinger = !needsPIN
        let prompt = Prompt(
            origin: RequestOrigin(program: "whorl", processID: 4711), action: DisplayText(action),
            reason: request.reason, detail: nil, reader: hasFinger ? .virtual : nil, finger: finger,
            takesCredential: finger == nil, needsBoth: false)
        let inputs = try await prompter.show(prompt)
        do throws(AuthenticationError) {
            let factor = try await answer(to: request, inputs, needsPIN: needsPIN)
            let result = AuthenticationResult(
                factors: [factor],
                rating: factor == .finger ? StrengthRating(.convenience, basis: .notReal) : nil,
                isSimulated: factor == .finger)
            await prompter.dismiss(.succeeded(result))
            inner.expect(.yes(result))
        } catch {
            await prompter.dismiss(.failed(error))
            throw error
        }
    }

    private func answer(
        to request: AuthenticationRequest, _ inputs: AsyncStream<PromptInput>, needsPIN: Bool
    ) async throws(AuthenticationError) -> AuthenticationFactor {
        if let credential = request.credential { return try check(credential) }
        let person = host.state.withLock { $0.person.isEmpty ? .types : $0.person.removeFirst() }
        switch person {
        case .touches where !needsPIN:
            await prompter.update(.touchSensor)
            await prompter.update(.fingerSeen)
            return .finger
        case .strangerTouches(let error):
            await prompter.update(.touchSensor)
            await prompter.update(.noMatch(triesLeft: 1))
            throw error
        case .touches, .types, .isNotAsked:
            await prompter.update(needsPIN ? .enterCredential : .touchSensor)
            for await input in inputs {
                switch input {
                case .credential(let typed): return try check(typed)
                case .systemCancelled: throw .systemCancelled
                default: throw .userCancelled
                }
            }
            throw .notInteractive
        }
    }

    private func check(_ held: HeldSecret) throws(AuthenticationError) -> AuthenticationFactor {
        let pin = host.state.withLock { $0.pin }
        guard let given = held.take(), revealed(given) == pin else { throw .wrongCredential }
        return .deviceCredential
    }

    fileprivate func open(_ action: String, _ request: AuthenticationRequest)
        async throws(VaultError)
    {
        do {
            try await ask(action, request)
        } catch {
            throw .authentication(error)
        }
    }

    func takePIN(
        _ action: String, _ request: AuthenticationRequest
    ) async throws(VaultError) {
        do {
            try await ask(action, needsPIN: true, request)
        } catch {
            throw .authentication(error)
        }
    }

    // MARK: WhorlSession

    func canAuthenticate(_ authenticators: Authenticators) async -> Availability { .ready }

    func authenticate(
        _ authenticators: Authenticators, request: AuthenticationRequest
    ) async throws(AuthenticationError) -> AuthenticationResult {
        try await ask("authenticate", request)
        return try await inner.authenticate(authenticators, request: request)
    }

    func unlock(request: AuthenticationRequest) async throws(AuthenticationError) {
        try await ask("end the lockout", needsPIN: true, request)
        try await inner.unlock(request: request)
    }

    func lock() async { await inner.lock() }
    func cancel() async { await inner.cancel() }
    func states() async -> AsyncStream<SessionState> { await inner.states() }

    // MARK: SecretVault

    func put(
        _ secret: consuming SecretBytes, as name: KeyName, options: KeyOptions
    ) async throws(VaultError) -> KeyInfo {
        try await inner.vault.put(secret, as: name, options: options)
    }

    func replace(
        _ secret: consuming SecretBytes, as name: KeyName, options: KeyOptions,
        request: AuthenticationRequest
    ) async throws(VaultError) -> KeyInfo {
        try await open("replace \(name)", request)
        return try await inner.vault.replace(secret, as: name, options: options, request: request)
    }

    func get(
        _ name: KeyName, request: AuthenticationRequest
    ) async throws(VaultError) -> SecretBytes {
        try await open("open \(name)", request)
        return try await inner.vault.get(name, request: request)
    }

    func list() async throws(VaultError) -> [KeyInfo] { try await inner.vault.list() }
    func info(_ name: KeyName) async throws(VaultError) -> KeyInfo {
        try await inner.vault.info(name)
    }

    func rebind(
        _ names: [KeyName]?, request: AuthenticationRequest
    ) async throws(VaultError) -> KeyRenewal {
        do throws(AuthenticationError) {
            try await ask("bind keys to the fingers enrolled now", needsPIN: true, request)
        } catch {
            throw .authentication(error)
        }
        return try await inner.vault.rebind(names, request: request)
    }

    func remove(
        _ name: KeyName, request: AuthenticationRequest
    ) async throws(VaultError) {
        try await open("remove \(name)", request)
        try await inner.vault.remove(name, request: request)
    }

    // MARK: Fingers

    func list() async throws(VaultError) -> [EnrolledFinger] { try await inner.fingers.list() }

    func enroll(
        _ finger: Finger, confirm: Bool, keys: KeyCarry, request: AuthenticationRequest
    ) async throws(VaultError) -> EnrollmentResult {
        try await takePIN("enrol your \(finger.words)", request)
        host.state.withLock { $0.calls.append("enroll confirm \(confirm) \(keys.rawValue)") }
        return try await inner.fingers.enroll(
            finger, confirm: confirm, keys: keys, request: request)
    }

    func verify(
        _ finger: Finger?, request: AuthenticationRequest
    ) async throws(VaultError) -> AuthenticationResult {
        if try await inner.fingers.list().isEmpty { throw .authentication(.notEnrolled) }
        do {
            try await ask("check a finger", finger: finger ?? .leftThumb, request)
        } catch {
            throw .authentication(error)
        }
        return try await inner.fingers.verify(finger, request: request)
    }

    func remove(
        _ finger: Finger, request: AuthenticationRequest
    ) async throws(VaultError) -> RemovalResult {
        try await takePIN("remove your \(finger.words)", request)
        return try await inner.fingers.remove(finger, request: request)
    }
}

/// The signing keys of a prompting session.
private struct PromptingSigningKeys: SigningKeys {
    let session: PromptingSession

    private var inner: any SigningKeys { session.inner.signingKeys }

    func create(
        _ name: KeyName, options: SigningKeyOptions
    ) async throws(VaultError) -> KeyInfo {
        try await inner.create(name, options: options)
    }

    func list() async throws(VaultError) -> [KeyInfo] { try await inner.list() }
    func info(_ name: KeyName) async throws(VaultError) -> KeyInfo { try await inner.info(name) }

    func publicKey(_ name: KeyName) async throws(VaultError) -> SigningPublicKey {
        try await inner.publicKey(name)
    }

    func sign(
        _ input: SigningInput, with name: KeyName, request: AuthenticationRequest
    ) async throws(VaultError) -> SigningSignature {
        try await session.open("sign with \(name)", request)
        return try await inner.sign(input, with: name, request: request)
    }

    func remove(_ name: KeyName, request: AuthenticationRequest) async throws(VaultError) {
        try await session.open("remove \(name)", request)
        try await inner.remove(name, request: request)
    }
}
