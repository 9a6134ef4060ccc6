internal import WhorlBiometrics
internal import WhorlKit
internal import WhorlSecrets

/// Carries out one command: asks the host, and makes the answer.
///
/// Refusals come in the order of the contract: what is wrong with the command line, with the store,
/// with names that exist or do not, with the input, and only then with the ways in.
struct CommandRunner: Sendable {
    var invocation: Invocation
    let host: any CommandHost
    let console: Console
    /// The person's terminal; nil where there is none.
    let terminal: (any Terminal)?
    let style: PromptScreen.Style
    let interruptions: Interruptions
    /// What the prompts of this command were like.
    let watch: PromptWatch

    init(
        invocation: Invocation, host: any CommandHost, console: Console,
        terminal: (any Terminal)?, style: PromptScreen.Style, interruptions: Interruptions
    ) {
        self.invocation = invocation
        self.host = host
        self.console = console
        self.terminal = terminal
        self.style = style
        self.interruptions = interruptions
        let prompter: any Prompter =
            if let terminal {
                TerminalPrompter(
                    terminal: terminal, takesCredentials: invocation.options.pinDescriptor == nil,
                    style: style, interruptions: interruptions)
            } else {
                LinePrompter(
                    sink: console.errors, isQuiet: console.isQuiet, interruptions: interruptions)
            }
        watch = PromptWatch(prompter)
    }

    var options: GlobalOptions { invocation.options }

    /// Carries the command out.
    ///
    /// - Throws: ``CommandFailure`` that says why not.
    func run() async throws(CommandFailure) -> Answer {
        switch invocation.command {
        case .help(let path): return help(path)
        case .version: return version
        case .taxonomy(let isMarkdown): return taxonomy(isMarkdown: isMarkdown)
        case .readers: return try await readers()
        case .status(let showsSettings): return try await status(showsSettings: showsSettings)
        case .setUp(let arguments): return try await setUp(arguments)
        case .enroll(let arguments): return try await enroll(arguments)
        case .listFingers: return try await listFingers()
        case .verify(let finger): return try await verify(finger)
        case .removeFinger(let finger): return try await removeFinger(finger)
        case .put(let arguments): return try await put(arguments)
        case .get(let name, let file): return try await get(name, file: file)
        case .listKeys: return try await listKeys()
        case .info(let name): return try await info(name)
        case .removeKey(let name): return try await removeKey(name)
        case .createKey(let arguments): return try await createKey(arguments)
        case .listSigningKeys: return try await listSigningKeys()
        case .publicKey(let name, let form): return try await publicKey(name, as: form)
        case .sign(let arguments): return try await sign(arguments)
        case .removeSigningKey(let name): return try await removeSigningKey(name)
        case .rebind(let name): return try await rebind(name)
        case .changePIN(let descriptor): return try await changePIN(newDescriptor: descriptor)
        case .resetPIN(let descriptor): return try await resetPIN(newDescriptor: descriptor)
        case .checkRecovery: return try await checkRecovery()
        case .renewRecovery(let file): return try await renewRecovery(file: file)
        case .showConsent: return try await showConsent()
        case .declineConsent: return try await declineConsent()
        case .revokeConsent(let isAgreed): return try await revokeConsent(isAgreed: isAgreed)
        case .disable: return try await disable()
        case .enable: return try await enable()
        case .reset(let arguments): return try await reset(arguments)
        case .recover(let arguments): return try await recover(arguments)
        case .backUp(let file): return try await backUp(to: file)
        case .restore(let file): return try await restore(from: file)
        case .lock: return try await lock()
        case .unlock: return try await unlock()
        case .exercise(let operations, let allowsDestruction):
            return try await exercise(operations, allowsDestruction: allowsDestruction)
        case .demo(let recording): return try await demo(recording: recording)
        }
    }

    // MARK: What commands share

    /// Runs something of the host's, with its error as the command's.
    func call<Result>(
        _ body: () async throws(VaultError) -> Result
    ) async throws(CommandFailure) -> Result {
        do {
            return try await body()
        } catch {
            throw CommandFailure(error)
        }
    }

    /// Refuses a key store that this version does not have.
    func checkKeyStore() throws(CommandFailure) {
        guard case .tpm(let tcti) = options.host.keyStore else { return }
        throw CommandFailure(
            .storeUnavailable(
                "this version has no TPM key store, so it cannot use '\(tcti)'; "
                    + "leave --tpm out, or say --tpm none"))
    }

    /// Opens a session, and closes it whatever happens.
    func withSession(
        _ body: (any WhorlSession, Placement) async throws(CommandFailure) -> Answer
    ) async throws(CommandFailure) -> Answer {
        try await withOpened { (opened) async throws(CommandFailure) in
            try await body(opened.session, opened.placement)
        }
    }

    /// Opens a session with all that the command has of it, and closes it whatever happens.
    ///
    /// - Parameters:
    ///   - isReset: Whether all that is wanted of it is its end.
    ///   - body: What to do with it.
    /// - Returns: What the body returns.
    /// - Throws: ``CommandFailure`` where it does not open, and what the body throws.
    func withOpened(
        forReset isReset: Bool = false,
        _ body: (any CommandSession) async throws(CommandFailure) -> Answer
    ) async throws(CommandFailure) -> Answer {
        try checkKeyStore()
        let opened = try await call { () async throws(VaultError) in
            isReset
                ? try await host.openForReset(options.host, prompter: watch)
                : try await host.open(options.host, prompter: watch)
        }
        if opened.placement == .inProcess {
            console.note(
                "working in this process: a program that runs as the same user could read what is "
                    + "unlocked")
        }
        do throws(CommandFailure) {
            let answer = try await body(opened)
            await opened.close()
            return answer
        } catch {
            await opened.close()
            throw error
        }
    }

    /// Refuses a command that needs the PIN where there is no way to give it.
    func requireCredentialWay() throws(CommandFailure) {
        guard options.pinDescriptor == nil, options.recoveryKey == nil, terminal == nil else {
            return
        }
        throw CommandFailure(
            UsageError(
                "'\(invocation.name)' needs the PIN, and there is no terminal to type it at",
                advice: "give it with --pin-fd N"))
    }

    /// The PIN from its descriptor; nil where it is to be typed.
    func credential() throws(CommandFailure) -> HeldSecret? {
        guard let descriptor = options.pinDescriptor else { return nil }
        return try read(.pin(descriptor))
    }

    /// A PIN or recovery key from its descriptor.
    func read(_ input: CredentialInput) throws(CommandFailure) -> HeldSecret {
        HeldSecret(try blocking { () throws(CommandFailure) in try input.read() })
    }

    /// Questions at the terminal.
    ///
    /// - Throws: ``CommandFailure`` where there is none.
    func dialogue() throws(CommandFailure) -> Dialogue {
        guard let terminal else { throw CommandFailure(.notInteractive) }
        return Dialogue(terminal: terminal, interruptions: interruptions)
    }

    /// The recovery key, from its descriptor or typed; nil where it is not to serve.
    func recoveryKey() async throws(CommandFailure) -> HeldSecret? {
        switch options.recoveryKey {
        case .none: return nil
        case .descriptor(let number): return try read(.recoveryKey(number))
        case .typed:
            let dialogue = try dialogue()
            do throws(AuthenticationError) {
                return HeldSecret(try await dialogue.secret("Recovery key: "))
            } catch {
                throw CommandFailure(error)
            }
        }
    }

    /// Reads something that somebody else must write: meanwhile a signal kills at once.
    func blocking<Value: ~Copyable>(
        _ read: () throws(CommandFailure) -> Value
    ) throws(CommandFailure) -> Value {
        if let cancelled = interruptions.error { throw CommandFailure(cancelled) }
        interruptions.hold(false)
        defer { interruptions.hold(true) }
        return try read()
    }

    /// How a person is to be asked in this command, with the PIN or the recovery key that it was
    /// given.
    func givenRequest() async throws(CommandFailure) -> AuthenticationRequest {
        if let recoveryKey = try await recoveryKey() {
            return try request(recoveryKey: recoveryKey)
        }
        return try request(credential: try credential())
    }

    /// How a person is to be asked in this command.
    func request(
        credential: HeldSecret? = nil, recoveryKey: HeldSecret? = nil
    ) throws(CommandFailure) -> AuthenticationRequest {
        do {
            return AuthenticationRequest(
                reason: try Reason("you ran 'whorl \(invocation.name)'"), limits: options.limits,
                credential: credential, recoveryKey: recoveryKey)
        } catch {
            throw CommandFailure(.invalidReason(error))
        }
    }
}
