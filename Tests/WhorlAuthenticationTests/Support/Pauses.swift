import Synchronization
import WhorlBiometrics
import WhorlDatabase
import WhorlKeys
import WhorlSecrets
import WhorlSensorLab

@testable import WhorlAuthentication

/// Stops a request at one of the places where it waits, until a test lets it go on.
final class Pauses: Sendable {
    /// The places where a request for a finger waits, in the order in which it comes by.
    enum Point: String, CaseIterable {
        case recover, lockout, readers, open, show, arm, touchSensor, charge, fingerSeen
        case clear, close, dismiss

        /// Whether the verdict is still open there, so that a cancel must be heard.
        var isBeforeVerdict: Bool {
            switch self {
            case .recover, .lockout, .readers, .open, .show, .arm: true
            case .touchSensor, .charge, .fingerSeen, .clear, .close, .dismiss: false
            }
        }

        /// Whether the secret is decided on there, so that a cancel comes too late.
        var isAfterVerdict: Bool {
            switch self {
            case .clear, .close, .dismiss: true
            default: false
            }
        }
    }

    private struct State {
        var isReached = false
        var isReleased = false
        var waiting: CheckedContinuation<Void, Never>?
    }
    private let state = Mutex(State())
    private let point: Point?

    /// Stops whoever comes first to `point`.
    init(at point: Point?) { self.point = point }

    func come(to point: Point) async {
        guard point == self.point else { return }
        await withCheckedContinuation { continuation in
            let goesOn = state.withLock { state in
                if state.isReached || state.isReleased { return true }
                state.isReached = true
                state.waiting = continuation
                return false
            }
            if goesOn { continuation.resume() }
        }
    }

    func isReached(within limit: Duration = .seconds(60)) async -> Bool {
        let deadline = ContinuousClock.now + limit
        while !state.withLock({ $0.isReached }) {
            guard ContinuousClock.now < deadline else { return false }
            try? await Task.sleep(for: .milliseconds(1))
        }
        return true
    }

    func release() {
        let waiting = state.withLock { state in
            state.isReleased = true
            return state.waiting.take()
        }
        waiting?.resume()
    }
}

/// Another session on the store of a bench, all of whose parts come by the pauses.
func pausingSession(on bench: SessionBench, _ pauses: Pauses) async throws -> InProcessSession {
    let database = try await StoreDatabase.open(folder: bench.folder + "/store", creating: false)
    let opened = try await Vault.open(
        database: database, timekeeper: bench.timekeeper, scrypt: try .cheap)
    let reader = PausingReader(inner: bench.reader, pauses: pauses)
    let parts = InProcessSession.Parts(
        source: PausingSource(reader: reader, pauses: pauses),
        prompter: PausingPrompter(inner: bench.prompter, pauses: pauses),
        seat: FixedSeat(presence: .local), timekeeper: bench.timekeeper,
        policy: AuthenticatorPolicy(simulatedStrength: .weak, waitSeconds: 0),
        origin: RequestOrigin(program: "test", processID: 1))
    let ledger = PausingLedger(
        inner: try await DatabaseAttemptLedger.open(database), pauses: pauses)
    return InProcessSession(
        opened: opened, ledger: ledger, folder: bench.folder + "/store",
        subject: SessionBench.subject, parts: parts)
}

private struct PausingSource: ReaderSource {
    let reader: PausingReader
    let pauses: Pauses

    func readers() async throws(AuthenticationError) -> [any FingerprintReader] {
        await pauses.come(to: .readers)
        return [reader]
    }

    func changes() async -> AsyncStream<ReaderChange> { AsyncStream { $0.finish() } }
}

private struct PausingReader: FingerprintReader {
    let inner: ScriptedReader
    let pauses: Pauses

    var description: ReaderDescription { get async { await inner.description } }

    func perform(_ command: ReaderCommand) async -> AsyncStream<ReaderEvent> {
        switch command {
        case .open: await pauses.come(to: .open)
        case .close: await pauses.come(to: .close)
        case .verify, .identify: await pauses.come(to: .arm)
        default: break
        }
        return await inner.perform(command)
    }

    func cancel() async { await inner.cancel() }
}

private struct PausingPrompter: Prompter {
    let inner: TestPrompter
    let pauses: Pauses

    var takesCredentials: Bool { inner.takesCredentials }

    func show(_ prompt: Prompt) async throws(AuthenticationError) -> AsyncStream<PromptInput> {
        await pauses.come(to: .show)
        return try await inner.show(prompt)
    }

    func update(_ state: PromptState) async {
        if state == .touchSensor { await pauses.come(to: .touchSensor) }
        if state == .fingerSeen { await pauses.come(to: .fingerSeen) }
        await inner.update(state)
    }

    func dismiss(_ ending: PromptEnding) async {
        await pauses.come(to: .dismiss)
        await inner.dismiss(ending)
    }
}

private struct PausingLedger: AttemptLedger {
    let inner: any AttemptLedger
    let pauses: Pauses

    func recover(_ subject: Subject, at now: BootInstant) async throws(VaultError) {
        await pauses.come(to: .recover)
        try await inner.recover(subject, at: now)
    }

    func lockout(
        of subject: Subject, at now: BootInstant
    ) async throws(VaultError) -> LockoutStatus {
        await pauses.come(to: .lockout)
        return try await inner.lockout(of: subject, at: now)
    }

    func failures(of subject: Subject) async throws(VaultError) -> Int {
        try await inner.failures(of: subject)
    }

    func charge(_ subject: Subject) async throws(VaultError) {
        await pauses.come(to: .charge)
        try await inner.charge(subject)
    }

    func settleNoMatch(
        _ subject: Subject, at now: BootInstant
    ) async throws(VaultError) -> LockoutStatus {
        try await inner.settleNoMatch(subject, at: now)
    }

    func refund(_ subject: Subject) async throws(VaultError) { try await inner.refund(subject) }

    func clear(_ subject: Subject) async throws(VaultError) {
        await pauses.come(to: .clear)
        try await inner.clear(subject)
    }

    func credentialWait(
        of subject: Subject, at now: BootInstant
    ) async throws(VaultError) -> Int? {
        try await inner.credentialWait(of: subject, at: now)
    }

    func chargeCredential(_ subject: Subject, at now: BootInstant) async throws(VaultError) {
        try await inner.chargeCredential(subject, at: now)
    }

    func clearCredential(_ subject: Subject) async throws(VaultError) {
        try await inner.clearCredential(subject)
    }

    func approvedPorts(
        of subject: Subject, driver: String, deviceID: String
    ) async throws(VaultError) -> Set<String> {
        try await inner.approvedPorts(of: subject, driver: driver, deviceID: deviceID)
    }

    func approve(_ reader: ReaderIdentity, for subject: Subject) async throws(VaultError) {
        try await inner.approve(reader, for: subject)
    }

    func forget(_ subject: Subject, in database: Database) throws(DatabaseError) {
        try inner.forget(subject, in: database)
    }
}
