import WhorlBiometrics
import WhorlKeys
import WhorlSecrets

/// Decides who is let in: one request after another, each one state machine driven by one loop.
///
/// It holds the vault's only ``GrantMint``: a grant exists only where a machine ended in success.
/// Grants and proofs are minted and opened after the race between finger and credential is decided,
/// since a noncopyable value can cross no continuation.
actor Authenticator {
    nonisolated let gatekeeper: Gatekeeper
    nonisolated let prompter: any Prompter
    nonisolated let origin: RequestOrigin
    nonisolated let folder: String
    private let mint: GrantMint
    var queue = RequestQueue()
    var sinks: [RequestQueue.Ticket: AsyncStream<PromptEvent>.Continuation] = [:]
    var cancellations: [RequestQueue.Ticket: AuthenticationError] = [:]
    var observers: [Int: AsyncStream<SessionState>.Continuation] = [:]
    var nextObserver = 0
    private var closing: Task<Void, Never>?

    /// An authenticator for the vault that `mint` came from.
    init(
        mint: consuming GrantMint, gatekeeper: Gatekeeper, prompter: any Prompter,
        origin: RequestOrigin, folder: String
    ) {
        self.mint = mint
        self.gatekeeper = gatekeeper
        self.prompter = prompter
        self.origin = origin
        self.folder = folder
    }

    nonisolated var vault: Vault { gatekeeper.vault }
    nonisolated var ledger: any AttemptLedger { gatekeeper.ledger }
    nonisolated var timekeeper: any Timekeeper { gatekeeper.timekeeper }

    /// What a request that succeeded leaves for the one who goes on with it.
    struct Authorized: Sendable {
        let result: AuthenticationResult
        let admission: Admission
        let plan: RequestPlan
        let proof: HeldProof
    }

    /// Runs a request to its end, and lends what it granted to `use`.
    ///
    /// The outcome is recorded only after `use` returned: nothing is written between the verdict
    /// and the key. It returns before the reader is closed, which may take a reader its time; until
    /// then the turn lasts.
    ///
    /// - Throws: ``VaultError`` for every answer but yes, and what `use` throws.
    func withGrant<Value: ~Copyable & Sendable>(
        for plan: RequestPlan, request: AuthenticationRequest,
        use: @Sendable (consuming Grant, AuthenticationResult) async throws(VaultError) -> Value
    ) async throws(VaultError) -> Value {
        if let recoveryKey = request.recoveryKey {
            return try await withRecovery(recoveryKey, for: plan, use: use)
        }
        let turn = try await takeTurn()
        let authorized: Authorized
        do throws(VaultError) {
            authorized = try await authorize(plan, request: request, turn: turn)
        } catch {
            endTurn(turn)
            throw error
        }
        let value: Value
        do throws(VaultError) {
            value = try await use(grant(from: authorized), authorized.result)
        } catch {
            await finish(authorized, ending: .failed(AuthenticationError(error)))
            endTurn(turn)
            throw error
        }
        await record(authorized)
        await dismiss(.succeeded(authorized.result))
        closing = Task {
            await close(authorized.admission.arming)
            endTurn(turn)
        }
        return value
    }

    /// Waits until the reader of the request that ended last is closed.
    func settle() async {
        await closing?.value
    }

    /// Asks the person; on success the reader is still open and nothing is recorded yet.
    ///
    /// - Throws: ``VaultError`` for every answer but yes; then all is closed and recorded.
    func authorize(
        _ plan: RequestPlan, request: AuthenticationRequest, turn: Turn
    ) async throws(VaultError) -> Authorized {
        try await ledger.recover(plan.subject, at: timekeeper.now())
        let admission = try await gatekeeper.admit(
            plan, hasCredential: request.credential != nil,
            canEnterCredential: prompter.takesCredentials)
        let proof = HeldProof()
        let trouble = StoreTrouble()
        let verdict = await ask(
            plan, request, admission, proof: proof, trouble: trouble, turn: turn)
        let outcome: Result<AuthenticationResult, VaultError> =
            switch verdict {
            case .failure(let error): .failure(trouble.error(behind: error))
            case .success(let success): await confirm(success, plan, admission)
            }
        switch outcome {
        case .success(let result):
            return Authorized(result: result, admission: admission, plan: plan, proof: proof)
        case .failure(let error):
            // A right credential is no failed attempt, whatever became of the finger beside it.
            if proof.isHeld { try? await ledger.clearCredential(plan.subject) }
            // Nor is a finger that matched, where what it was asked for ended meanwhile.
            if case .success = verdict { try? await ledger.refund(plan.subject) }
            await close(admission.arming)
            await dismiss(.failed(AuthenticationError(error)))
            throw error
        }
    }

    /// Mints the grant of a request that succeeded; the proof of a credential goes into it.
    func grant(from authorized: Authorized) -> Grant {
        mint.mint(
            purpose: authorized.plan.purpose, subject: authorized.plan.subject,
            request: RequestID(), factors: authorized.result.factors,
            credential: authorized.proof.take(), strength: authorized.result.rating?.strength,
            isSimulated: authorized.result.isSimulated,
            allowsSimulated: gatekeeper.policy.simulatedStrength != nil,
            generation: authorized.admission.generation, at: timekeeper.now())
    }

    /// Mints a grant that says what was given, for one more step of the same request; it opens
    /// nothing.
    func attestedGrant(
        for purpose: GrantPurpose, of subject: Subject, factors: Set<AuthenticationFactor>
    ) -> Grant {
        mint.mint(
            purpose: purpose, subject: subject, request: RequestID(), factors: factors,
            credential: nil, strength: nil, isSimulated: false,
            allowsSimulated: gatekeeper.policy.simulatedStrength != nil, generation: 0,
            at: timekeeper.now())
    }

    /// Mints the grant of a request that the recovery key answered.
    func recoveryGrant(for purpose: GrantPurpose, _ proof: consuming RecoveryProof) -> Grant {
        mint.mint(
            purpose: purpose, recovery: proof, request: RequestID(),
            allowsSimulated: gatekeeper.policy.simulatedStrength != nil, at: timekeeper.now())
    }

    /// Records a success, closes the reader and takes the prompt away.
    func finish(_ authorized: Authorized, ending: PromptEnding) async {
        await record(authorized)
        await close(authorized.admission.arming)
        await dismiss(ending)
    }

    private func record(_ authorized: Authorized) async {
        let subject = authorized.plan.subject
        // A record that fails leaves the charge standing, which is the safe side, and must not
        // keep from its owner what was opened.
        if authorized.result.factors.contains(.deviceCredential) {
            try? await ledger.clearCredential(subject)
            await acceptRestoration(of: subject, factors: authorized.result.factors)
        }
        try? await ledger.clear(subject)
    }

    // A prompter that does not go away keeps nobody from what was decided already.
    private func dismiss(_ ending: PromptEnding) async {
        let prompter = prompter
        _ = await isDone(within: PromptPace.drawing, by: timekeeper) {
            await prompter.dismiss(ending)
        }
    }

    /// Cancels every request of this process: the one that runs, wherever it is, and those in line.
    func cancelAll(as error: AuthenticationError) {
        if let holder = queue.holder { cancellations[holder] = error }
        for ticket in queue.waitingTickets {
            cancellations[ticket] = error
            queue.leave(ticket)
        }
        for sink in sinks.values { sink.yield(.cancelled(error)) }
    }

    // MARK: One request

    private func ask(
        _ plan: RequestPlan, _ request: AuthenticationRequest, _ admission: Admission,
        proof: HeldProof, trouble: StoreTrouble, turn: Turn
    ) async -> Result<RequestMachine.Success, AuthenticationError> {
        let machine = RequestMachine(
            ways: admission.ways, command: admission.arming?.command, limits: request.limits,
            provided: request.credential, promptTakesCredential: prompter.takesCredentials,
            fingerRefusal: admission.fingerRefusal)
        let takesCredential =
            admission.ways.contains { $0.needsCredential } && request.credential == nil
            && prompter.takesCredentials
        let prompt = Prompt(
            origin: origin, action: plan.action, reason: request.reason, detail: request.detail,
            reader: admission.arming.map { $0.description.rated($0.rating) },
            finger: admission.arming?.finger,
            takesCredential: takesCredential,
            needsBoth: !admission.ways.contains { !$0.needsFinger || !$0.needsCredential })
        let subject = plan.subject
        return await run(
            machine, prompt: prompt, reader: admission.arming?.reader, subject: subject,
            trouble: trouble, turn: turn
        ) { secret in await self.check(secret, of: subject, proof: proof, trouble: trouble) }
    }

    /// Runs a machine in its loop; cancellation of the task cancels the request.
    func run<Machine: PromptMachine>(
        _ machine: Machine, prompt: Prompt, reader: (any FingerprintReader)?, subject: Subject,
        trouble: StoreTrouble, turn: Turn,
        checkCredential: @escaping @Sendable (HeldSecret) async -> CredentialVerdict
    ) async -> Result<Machine.Success, AuthenticationError> {
        let loop = RequestLoop()
        let sink = loop.sink
        if let error = cancellations[turn.ticket] { return .failure(error) }
        if Task.isCancelled { return .failure(.appCancelled) }
        sinks[turn.ticket] = sink
        defer { sinks[turn.ticket] = nil }
        publish(.prompting)
        let ledger = ledger
        let timekeeper = timekeeper
        let surroundings = RequestLoop.Surroundings(
            prompter: prompter, prompt: prompt, reader: reader, timekeeper: timekeeper,
            charge: {
                do throws(VaultError) {
                    try await ledger.charge(subject)
                    return .charged
                } catch { return .chargeFailed(trouble.keep(error)) }
            },
            settleNoMatch: {
                do throws(VaultError) {
                    return .settled(
                        try await ledger.settleNoMatch(subject, at: timekeeper.now()))
                } catch { return .settleFailed(trouble.keep(error)) }
            },
            // A refund that fails leaves the charge standing, which is the safe side.
            refund: { try? await ledger.refund(subject) },
            checkCredential: checkCredential)
        // In a task of its own: a cancelled one waits for no stream, so the reader would not be
        // stopped, and what it still has to say would neither count nor be refunded.
        let running = Task { await loop.run(machine, in: surroundings) }
        return await withTaskCancellationHandler {
            await running.value
        } onCancel: {
            sink.yield(.cancelled(.appCancelled))
        }
    }

    private func check(
        _ secret: HeldSecret, of subject: Subject, proof: HeldProof, trouble: StoreTrouble
    ) async -> CredentialVerdict {
        do throws(VaultError) {
            let now = timekeeper.now()
            if let wait = try await ledger.credentialWait(of: subject, at: now) {
                return .refused(.credentialThrottled(remainingSeconds: wait))
            }
            try await ledger.chargeCredential(subject, at: now)
            proof.hold(try await vault.checkCredential(subject, pin: secret))
            return .right
        } catch {
            if error == .authentication(.wrongCredential) { return .wrong }
            return .refused(trouble.keep(error))
        }
    }

    // Whether what matched is still what was enrolled when the sensor was armed.
    private func confirm(
        _ success: RequestMachine.Success, _ plan: RequestPlan, _ admission: Admission
    ) async -> Result<AuthenticationResult, VaultError> {
        guard success.factors.contains(.finger) else {
            return .success(
                AuthenticationResult(factors: success.factors, rating: nil, isSimulated: false))
        }
        guard let arming = admission.arming, let index = success.matchIndex,
            arming.prints.indices.contains(index)
        else {
            let error = SourceError.whorl("the reader named a print that it was not given")
            return .failure(.authentication(.readerFault(error)))
        }
        do throws(VaultError) {
            let now = try await vault.enrollment(of: plan.subject)
            guard now.stateHash == admission.stateHash, !now.isPending else {
                return .failure(.authentication(.enrollmentChanged))
            }
            guard try await vault.permitsFingers(plan.subject) else {
                return .failure(.authentication(.disabledByPolicy))
            }
        } catch {
            return .failure(error)
        }
        return .success(
            AuthenticationResult(
                factors: success.factors, rating: arming.rating,
                isSimulated: arming.description.isSimulated))
    }

    private func close(_ arming: Arming?) async {
        // A reader that does not close keeps nobody from what was decided already.
        _ = await arming?.reader.answer(to: .close, by: timekeeper)
    }
}

extension Result {
    /// The error, where there is one.
    var failure: Failure? {
        if case .failure(let error) = self { error } else { nil }
    }
}
