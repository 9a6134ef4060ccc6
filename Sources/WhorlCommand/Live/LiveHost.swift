public import WhorlBiometrics
public import WhorlKit
internal import WhorlSecrets

/// The machine as it is: libfprint's readers, and the store of this process's user.
public struct LiveHost: CommandHost {
    /// The name under which this program asks.
    static let name = "whorl"

    private let source: any ReaderSource

    /// Makes the host of a program.
    public init() {
        Whorl.hushLibraries()
        source = Whorl.libfprint
    }

    /// Makes a host with other readers than libfprint's.
    init(source: any ReaderSource) {
        self.source = source
    }

    /// The readers that libfprint finds in this process.
    public func readers(_ options: HostOptions) async throws(VaultError) -> ReaderListing {
        var listed: [ReaderStatus] = []
        for reader in try await found() {
            let description = await reader.description
            listed.append(
                ReaderStatus(
                    description: description, rating: Self.rating(of: description, options)))
        }
        return ReaderListing(readers: listed, failures: [])
    }

    /// The one reader that the options choose, not yet opened.
    public func reader(_ options: HostOptions) async throws(VaultError) -> any FingerprintReader {
        try Self.checkSelector(options.reader)
        let readers = try await found()
        for reader in readers {
            let identity = await reader.description.identity
            if options.reader?.includes(identity) ?? true { return reader }
        }
        throw .authentication(options.reader == nil ? .noReader : .readerNotFound)
    }

    /// What there is and what state it is in.
    public func status(_ options: HostOptions) async throws(VaultError) -> StatusReport {
        let folder =
            if let named = options.storeFolder { named } else { try StoreFolder.ofThisUser() }
        let listing = await listingOrFailure(options)
        let report: StoreReport
        do throws(VaultError) {
            report = try await session(options, prompter: Nobody(), create: false).report()
        } catch {
            guard error == .notSetUp else { throw error }
            return StatusReport(placement: .inProcess, storeFolder: folder, readers: listing)
        }
        guard report.isSetUp else {
            return StatusReport(
                placement: .inProcess, storeFolder: folder, consent: report.consent,
                readers: listing)
        }
        return StatusReport(
            placement: .inProcess, storeFolder: folder, storeKind: report.storeKind,
            generation: report.generation, hasCredential: true,
            isCredentialDue: report.isEnrollmentPending, restoration: report.restoration,
            consent: report.consent, isDisabled: report.isDisabled,
            lockout: LockoutReport(report), readers: listing, fingers: report.fingers,
            keys: report.keys)
    }

    /// Sets up the store of this process's user.
    public func setUp(
        _ request: SetupRequest, options: HostOptions, recipient: any RecoveryKeyRecipient
    ) async throws(VaultError) -> StatusReport {
        let session = try await session(options, prompter: Nobody(), create: true)
        try await session.setUp(credential: request.credential) {
            (key: borrowing SecretBytes) async throws(VaultError) in
            try await recipient.receive(key)
        }
        return try await status(options)
    }

    /// Opens a session in this process.
    public func open(
        _ options: HostOptions, prompter: any Prompter
    ) async throws(VaultError) -> any CommandSession {
        try Self.checkSelector(options.reader)
        let session = try await session(options, prompter: prompter, create: false)
        guard try await session.report().isSetUp else { throw .notSetUp }
        return LiveSession(inProcess: session)
    }

    /// Opens a session in this process on a store that is to be deleted.
    public func openForReset(
        _ options: HostOptions, prompter: any Prompter
    ) async throws(VaultError) -> any CommandSession {
        try Self.checkSelector(options.reader)
        return LiveSession(
            inProcess: try await session(
                options, prompter: prompter, create: false, allowsOtherAccount: true))
    }

    /// Records a no in the store of this process's user, which it makes where there is none.
    public func declineConsent(_ options: HostOptions) async throws(VaultError) -> Consent {
        try await session(options, prompter: Nobody(), create: true).declineConsent()
    }

    /// Reads a file from which the recovery key opens keys.
    public func recovery(
        from file: String?, options: HostOptions
    ) async throws(VaultError) -> StoreRecovery {
        if let file { return try await StoreRecovery.read(file) }
        let folder =
            if let named = options.storeFolder { named } else { try StoreFolder.ofThisUser() }
        return try await StoreRecovery.read(ofStore: folder)
    }

    /// Prepares a store and a reader that `whorl demo` may play with.
    public func demonstration(recording: String?) async throws(VaultError) -> any Demonstration {
        if let recording { return try await RecordedDemonstration.open(folder: recording) }
        return try SimulatedDemonstration()
    }

    // MARK: Parts

    private func session(
        _ options: HostOptions, prompter: any Prompter, create: Bool,
        allowsOtherAccount: Bool = false
    ) async throws(VaultError) -> InProcessSession {
        try await Whorl.inProcess(
            for: Self.name, prompter: prompter,
            options: Whorl.Options(
                storeFolder: options.storeFolder, reader: options.reader,
                simulatedStrength: options.simulatedClass),
            create: create, allowsOtherAccount: allowsOtherAccount, source: source)
    }

    private func found() async throws(VaultError) -> [any FingerprintReader] {
        do {
            return try await source.readers()
        } catch {
            throw .authentication(error)
        }
    }

    private func listingOrFailure(_ options: HostOptions) async -> ReaderListing {
        do throws(VaultError) {
            return try await readers(options)
        } catch {
            let failure = ReaderFailure(name: "libfprint", error: AuthenticationError(error))
            return ReaderListing(readers: [], failures: [failure])
        }
    }

    // What the store does to it is said where a key is made.
    private static func rating(
        of description: ReaderDescription, _ options: HostOptions
    ) -> StrengthRating {
        guard description.isSimulated, let allowed = options.simulatedClass else {
            return description.rating
        }
        return StrengthRating(allowed, basis: description.rating.basis)
    }

    private static func checkSelector(_ selector: ReaderSelector?) throws(VaultError) {
        switch selector {
        case .fprintd:
            throw .authentication(
                .readerUnavailable(.whorl("this version does not work through fprintd")))
        case .recorded:
            throw .authentication(
                .readerUnavailable(.whorl("this version does not play session recordings")))
        default: return
        }
    }
}

/// A session in this process.
private struct LiveSession: CommandSession {
    let inProcess: InProcessSession
    var session: any WhorlSession { inProcess }
    var ownership: any Ownership { inProcess.ownership }
    var backups: any Backups { inProcess.backups }
    var placement: Placement { .inProcess }

    func close() async { await inProcess.close() }
}

/// The prompter of calls that ask nobody.
private struct Nobody: Prompter {
    var takesCredentials: Bool { false }

    func show(_ prompt: Prompt) async throws(AuthenticationError) -> AsyncStream<PromptInput> {
        throw .notInteractive
    }

    func update(_ state: PromptState) async {}
    func dismiss(_ ending: PromptEnding) async {}
}

extension LockoutReport {
    fileprivate init(_ report: StoreReport) {
        switch report.lockout {
        case .timed(let seconds):
            self.init(failures: report.failures, remainingSeconds: seconds)
        case .permanent: self.init(failures: report.failures, isPermanent: true)
        default: self.init(failures: report.failures)
        }
    }
}
