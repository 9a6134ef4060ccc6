import Synchronization
import WhorlBiometrics
import WhorlKit
import WhorlSecrets
import WhorlSensorLab

@testable import WhorlCommand

/// A machine in memory: the lab's scripted session behind prompts, and whatever a test adds.
final class ScriptedHost: CommandHost {
    /// What the person does at a prompt that nobody gave a PIN to.
    enum Person: Sendable {
        /// Touches with a finger that matches.
        case touches
        /// Touches so often with one that does not.
        case strangerTouches(then: AuthenticationError)
        /// Is not asked: no way in is open.
        case isNotAsked(AuthenticationError)
        /// Types, or presses Ctrl-C, at the terminal.
        case types
    }

    struct State {
        var isSetUp = true
        var pin = "271828"
        var openError: VaultError?
        var statusError: VaultError?
        var setUpError: VaultError?
        /// Comes after the new recovery key was handed out.
        var renewalError: VaultError?
        var readersError: VaultError?
        var listing = ReaderListing(readers: [.virtual], failures: [])
        var placement = Placement.inProcess
        var person: [Person] = []
        var calls: [String] = []
        var openSessions = 0
        var options: [HostOptions] = []
        var isPlayingDemonstration = false
        var consent = Consent.given(at: 1_780_000_000)
        var isDisabled = false
        var leftOnReader: [LeftPrint] = []
        var adoption: Adoption?
    }

    let state: Mutex<State>
    let session: ScriptedSession
    static let recoveryKey = "WHRL-AAAA-BBBB-CCCC"

    init(enrolled: Set<Finger> = [.rightIndexFinger], _ change: (inout State) -> Void = { _ in }) {
        var state = State()
        change(&state)
        self.state = Mutex(state)
        session = ScriptedSession(availability: .ready, enrolled: enrolled)
    }

    var calls: [String] { state.withLock { $0.calls } }
    var openSessions: Int { state.withLock { $0.openSessions } }
    var options: [HostOptions] { state.withLock { $0.options } }

    private func note(_ call: String, _ options: HostOptions) {
        state.withLock { state in
            state.calls.append(call)
            state.options.append(options)
        }
    }

    // MARK: CommandHost

    func readers(_ options: HostOptions) async throws(VaultError) -> ReaderListing {
        note("readers", options)
        if let error = state.withLock({ $0.readersError }) { throw error }
        return state.withLock { $0.listing }
    }

    func reader(_ options: HostOptions) async throws(VaultError) -> any FingerprintReader {
        note("reader", options)
        if let error = state.withLock({ $0.readersError }) { throw error }
        return ScriptedReader()
    }

    func status(_ options: HostOptions) async throws(VaultError) -> StatusReport {
        note("status", options)
        if let error = state.withLock({ $0.statusError }) { throw error }
        return try await report()
    }

    func report() async throws(VaultError) -> StatusReport {
        let (isSetUp, listing, placement) = state.withLock {
            ($0.isSetUp, $0.listing, $0.placement)
        }
        let (consent, isDisabled) = state.withLock { ($0.consent, $0.isDisabled) }
        guard isSetUp else {
            return StatusReport(
                placement: placement, storeFolder: "/home/ada/.local/state/whorl",
                consent: consent.isYes ? .notAsked : consent, readers: listing)
        }
        return StatusReport(
            placement: placement, storeFolder: "/home/ada/.local/state/whorl",
            storeKind: .software, generation: 3, hasCredential: true,
            consent: consent, isDisabled: isDisabled, lockout: LockoutReport(failures: 2),
            readers: listing, fingers: try await session.fingers.list(),
            keys: try await session.vault.list(),
            settings: [Setting(name: "lockout.failures", value: "5", source: "default")])
    }

    func setUp(
        _ request: SetupRequest, options: HostOptions, recipient: any RecoveryKeyRecipient
    ) async throws(VaultError) -> StatusReport {
        note("setUp", options)
        guard let given = request.credential.take() else { throw .internalError("taken") }
        guard given.count >= 6 else {
            throw .unacceptableCredential("the PIN is shorter than 6 bytes")
        }
        let key: SecretBytes
        do {
            key = try secret(Self.recoveryKey)
        } catch {
            throw .storage("\(error)")
        }
        try await recipient.receive(key)
        if let error = state.withLock({ $0.setUpError }) { throw error }
        let pin = revealed(given)
        state.withLock { state in
            state.isSetUp = true
            state.pin = pin
            state.adoption = request.adoption
        }
        return try await report()
    }

    func open(
        _ options: HostOptions, prompter: any Prompter
    ) async throws(VaultError) -> any CommandSession {
        note("open", options)
        if let error = state.withLock({ $0.openError }) { throw error }
        guard state.withLock({ $0.isSetUp }) else { throw .notSetUp }
        state.withLock { $0.openSessions += 1 }
        return ScriptedCommandSession(host: self, prompter: prompter)
    }

    func openForReset(
        _ options: HostOptions, prompter: any Prompter
    ) async throws(VaultError) -> any CommandSession {
        note("openForReset", options)
        state.withLock { $0.openSessions += 1 }
        return ScriptedCommandSession(host: self, prompter: prompter)
    }

    func declineConsent(_ options: HostOptions) async throws(VaultError) -> Consent {
        note("declineConsent", options)
        let consent = state.withLock { ($0.isSetUp, $0.consent) }
        if consent.0, consent.1.isYes { throw .consentStands }
        return state.withLock { state in
            if !state.isSetUp { state.consent = .declined(at: 1_780_000_000) }
            return state.consent
        }
    }

    func recovery(
        from file: String?, options: HostOptions
    ) async throws(VaultError) -> StoreRecovery {
        note("recovery", options)
        guard let file else { throw .notSetUp }
        return try await StoreRecovery.read(file)
    }

    func demonstration(recording: String?) async throws(VaultError) -> any Demonstration {
        state.withLock { state in
            state.isSetUp = false
            state.isPlayingDemonstration = true
            state.calls.append("demonstration \(recording ?? "simulated")")
        }
        return ScriptedDemonstration(host: self, recording: recording)
    }
}

private struct ScriptedCommandSession: CommandSession {
    let host: ScriptedHost
    let prompter: any Prompter

    var placement: Placement { host.state.withLock { $0.placement } }
    var session: any WhorlSession { prompting }
    var ownership: any Ownership { prompting }
    var backups: any Backups { prompting }
    private var prompting: PromptingSession { PromptingSession(host: host, prompter: prompter) }

    func close() async { host.state.withLock { $0.openSessions -= 1 } }
}

extension Consent {
    var isYes: Bool { if case .given = self { true } else { false } }
}

extension ReaderStatus {
    /// A simulated reader that was allowed.
    static let virtual = ReaderStatus(
        description: .virtual, rating: StrengthRating(.convenience, basis: .notReal))
    /// A sensor that matches on its chip.
    static let sensor = ReaderStatus(
        description: .sensor, rating: ReaderDescription.sensor.rating)
}

extension ReaderDescription {
    static let virtual = ReaderDescription(
        identity: ReaderIdentity(driver: "virtual_image", deviceID: "0", port: .none),
        name: "Virtual image device for debugging", reality: .simulated,
        features: [.capture, .identify, .verify], scanType: .swipe, enrollStages: 5,
        matchesOnChip: false, rating: StrengthRating(nil, basis: .notReal))
    static let sensor = ReaderDescription(
        identity: ReaderIdentity(
            driver: "synaptics", deviceID: "0",
            port: .usb(sysfsPath: "pci0000:00/0000:00:14.0/usb1/1-7", removable: false)),
        name: "Synaptics Sensors", reality: .real,
        features: [.identify, .verify, .storage, .storageList, .storageDelete, .storageClear],
        scanType: .press, enrollStages: 8, matchesOnChip: true,
        rating: StrengthCatalogue.rating(driver: "synaptics", reality: .real))
}
