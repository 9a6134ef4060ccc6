package import WhorlBiometrics
import WhorlKeys

/// What admission found: the ways that are open, and the reader to arm for them.
struct Admission: Sendable {
    /// The ways that are open; at least one.
    let ways: [RequestWay]
    /// The finger's side; nil where no open way needs one.
    let arming: Arming?
    /// Why the finger's way is closed, where one was asked for and another way is open.
    let fingerRefusal: AuthenticationError?
    /// The enrolment as it was before anything was armed; nil where it is damaged, and no way with a
    /// finger is open then.
    let enrollment: EnrollmentState?

    /// The generation that a finger was compared with.
    var generation: Int64 { enrollment?.generation ?? 0 }
    /// The state of the set that a finger was compared with.
    var stateHash: [UInt8]? { enrollment?.stateHash }
}

/// The reader of a request, opened, and what it will compare with.
struct Arming: Sendable {
    let reader: any FingerprintReader
    let description: ReaderDescription
    let command: ReaderCommand
    /// The prints of the command, in its order.
    let prints: [StoredPrint]
    /// The one finger that serves, where the reader can compare with one print only.
    let finger: Finger?
    /// What a match is worth here.
    let rating: StrengthRating
}

/// Decides, before anything is armed or shown, which ways into something are open.
///
/// Refusals come in one order: locked; nothing enrolled; dead; not permitted; not there; busy.
struct Gatekeeper: Sendable {
    let vault: Vault
    let ledger: any AttemptLedger
    let source: any ReaderSource
    let seat: any SeatObserver
    let policy: AuthenticatorPolicy
    let timekeeper: any Timekeeper

    /// The prints of this host's matcher that one capture is compared with at the most: more would
    /// keep libfprint's thread busy for seconds.
    static let largestHostGallery = 30

    /// Admits a request, or says why not.
    ///
    /// - Parameters:
    ///   - plan: What is asked for.
    ///   - hasCredential: The caller gave the credential with the request: then only ways that take
    ///     it are tried, where there are any.
    ///   - canEnterCredential: The person can enter it at the prompt.
    /// - Returns: The ways that are open, and the reader for them, opened.
    /// - Throws: ``VaultError`` of the first way that this call could have used.
    func admit(
        _ plan: RequestPlan, hasCredential: Bool, canEnterCredential: Bool
    ) async throws(VaultError) -> Admission {
        let enrollment = try await enrollment(of: plan.subject)
        var ways = plan.ways
        if hasCredential, ways.contains(where: { $0.needsCredential }) {
            ways = ways.filter { $0.needsCredential }
        }
        let mayGiveCredential = hasCredential || canEnterCredential
        var refusals: [VaultError] = []
        var open: [RequestWay] = []
        var arming: Arming?
        var fingerRefusal: AuthenticationError?
        // Whether the finger is in order is asked once, whichever of its ways come first.
        for way in ways.sorted(by: { !$0.needsCredential && $1.needsCredential }) {
            do throws(VaultError) {
                if way.needsCredential {
                    try await checkCredential(plan, mayGive: mayGiveCredential)
                    if way.isDead, !way.needsFinger { throw .credentialWithdrawn }
                }
                if way.needsFinger {
                    do throws(VaultError) {
                        let enrollment = try enrollment.get()
                        try await checkFinger(plan, way, enrollment)
                        try checkSimulation(plan)
                        if arming == nil { arming = try await findReader(plan, enrollment) }
                    } catch {
                        fingerRefusal = fingerRefusal ?? AuthenticationError(error)
                        throw error
                    }
                }
                try checkSimulation(plan)
                open.append(
                    RequestWay(
                        needsFinger: way.needsFinger, needsCredential: way.needsCredential))
            } catch {
                refusals.append(error)
            }
        }
        guard !open.isEmpty else {
            throw Self.refusal(from: refusals, for: ways, mayGiveCredential: mayGiveCredential)
        }
        return Admission(
            ways: open, arming: arming, fingerRefusal: arming == nil ? fingerRefusal : nil,
            enrollment: try? enrollment.get())
    }

    // A list of fingers that was changed by something else closes their ways, and not the PIN's.
    private func enrollment(
        of subject: Subject
    ) async throws(VaultError) -> Result<EnrollmentState, VaultError> {
        do throws(VaultError) {
            return .success(try await vault.enrollment(of: subject))
        } catch {
            guard case .damaged = error else { throw error }
            return .failure(error)
        }
    }

    /// Whether a plan would be admitted now.
    ///
    /// Opens no reader.
    func availability(of plan: RequestPlan) async -> Availability {
        do throws(VaultError) {
            let enrollment = try await enrollment(of: plan.subject)
            var firstRefusal: VaultError?
            for way in plan.ways {
                do throws(VaultError) {
                    if way.needsCredential {
                        try await checkCredential(plan, mayGive: true)
                        if way.isDead, !way.needsFinger { throw .credentialWithdrawn }
                    }
                    if way.needsFinger {
                        let enrollment = try enrollment.get()
                        try await checkFinger(plan, way, enrollment)
                        let choice = try await candidates(plan, enrollment)
                        try checkStrength(of: choice[0].description, prints: 1, plan)
                    }
                    return .ready
                } catch {
                    firstRefusal = firstRefusal ?? error
                }
            }
            throw firstRefusal ?? .authentication(.notEnrolled)
        } catch {
            return Availability(AuthenticationError(error))
        }
    }

    // What was made with a simulated reader opens by no way where none is allowed.
    private func checkSimulation(_ plan: RequestPlan) throws(VaultError) {
        if plan.isSimulated, policy.simulatedStrength == nil {
            throw .authentication(.simulatedNotAllowed)
        }
    }

    // Of several refusals, that of a way which this call could have used at all.
    private static func refusal(
        from refusals: [VaultError], for ways: [RequestPlan.Way], mayGiveCredential: Bool
    ) -> VaultError {
        let usable = refusals.first { $0 != .authentication(.notInteractive) }
        return usable ?? refusals.first ?? .authentication(.notEnrolled)
    }

    // MARK: The credential

    /// Whether the credential may be given now.
    func checkCredential(_ plan: RequestPlan, mayGive: Bool) async throws(VaultError) {
        guard try await vault.isSetUp(plan.subject) else {
            throw .authentication(.noDeviceCredential)
        }
        guard mayGive else { throw .authentication(.notInteractive) }
        if let wait = try await ledger.credentialWait(of: plan.subject, at: timekeeper.now()) {
            throw .authentication(.credentialThrottled(remainingSeconds: wait))
        }
    }

    // MARK: The finger

    private func checkFinger(
        _ plan: RequestPlan, _ way: RequestPlan.Way, _ enrollment: EnrollmentState
    ) async throws(VaultError) {
        let lockout = try await ledger.lockout(of: plan.subject, at: timekeeper.now())
        if let refusal = lockout.refusal { throw .authentication(refusal) }
        guard try await vault.permitsFingers(plan.subject) else {
            throw .authentication(.disabledByPolicy)
        }
        if let restoration = try await vault.restoration(of: plan.subject) {
            throw .authentication(.storeRestored(restoration))
        }
        // An enrolment that was cut off: nobody knows whose finger is on the chip.
        if enrollment.isPending { throw .authentication(.stepUpDue) }
        guard !enrollment.prints.isEmpty else { throw .authentication(.notEnrolled) }
        if let finger = plan.onlyFinger {
            guard enrollment.prints.contains(where: { $0.finger == finger }) else {
                throw .noSuchFinger(finger)
            }
        }
        if way.isDead { throw .keyInvalidated }
    }

    // The prints that count for this plan, as far as simulation goes.
    private func countingPrints(
        _ plan: RequestPlan, _ enrollment: EnrollmentState
    ) throws(VaultError) -> [StoredPrint] {
        let wanted = enrollment.prints.filter {
            plan.onlyFinger == nil || $0.finger == plan.onlyFinger
        }
        let counting = wanted.filter { !$0.isSimulated || policy.simulatedStrength != nil }
        guard !counting.isEmpty else { throw .authentication(.simulatedNotAllowed) }
        return counting
    }

    // A reader that is here and may be used for a plan, and the prints that were made on it.
    private struct Candidate {
        let reader: any FingerprintReader
        let description: ReaderDescription
        let prints: [StoredPrint]
    }

    private func candidates(
        _ plan: RequestPlan, _ enrollment: EnrollmentState
    ) async throws(VaultError) -> [Candidate] {
        let prints = try countingPrints(plan, enrollment)
        var holding: [Candidate] = []
        var onOtherPort = false
        for (reader, description) in try await permittedReaders() {
            let here = prints.filter {
                $0.reader.driver == description.identity.driver
                    && $0.reader.deviceID == description.identity.deviceID
            }
            guard !here.isEmpty else { continue }
            let approved = try await ledger.approvedPorts(
                of: plan.subject, driver: description.identity.driver,
                deviceID: description.identity.deviceID)
            let port = description.identity.port.key
            let sameKind = here.filter { $0.isSimulated == description.isSimulated }
            let trusted = sameKind.filter { $0.reader.port.key == port || approved.contains(port) }
            if trusted.isEmpty {
                onOtherPort = onOtherPort || !sameKind.isEmpty
            } else {
                holding.append(
                    Candidate(reader: reader, description: description, prints: trusted))
            }
        }
        if holding.isEmpty {
            // The same kind of reader on another port could be a fake: the credential first.
            throw .authentication(onOtherPort ? .stepUpDue : .readerNotFound)
        }
        return holding
    }

    /// The readers that are here, asked for, and allowed; never empty.
    func permittedReaders() async throws(VaultError) -> [(
        reader: any FingerprintReader, description: ReaderDescription
    )] {
        let readers: [any FingerprintReader]
        do {
            readers = try await source.readers()
        } catch {
            throw .authentication(error)
        }
        var permitted: [(reader: any FingerprintReader, description: ReaderDescription)] = []
        var refused: AuthenticationError?
        let presence = await seat.presence()
        for reader in readers {
            let description = await reader.description
            if let selector = policy.reader, !selector.includes(description.identity) { continue }
            if description.isSimulated {
                guard policy.simulatedStrength != nil else {
                    refused = refused ?? .simulatedNotAllowed
                    continue
                }
            } else if presence != .local {
                refused = .remoteSession
                continue
            }
            permitted.append((reader, description))
        }
        if permitted.isEmpty {
            let absent: AuthenticationError = policy.reader == nil ? .noReader : .readerNotFound
            throw .authentication(refused ?? absent)
        }
        return permitted
    }

    private func findReader(
        _ plan: RequestPlan, _ enrollment: EnrollmentState
    ) async throws(VaultError) -> Arming {
        var refusal: VaultError?
        for candidate in try await candidates(plan, enrollment) {
            do throws(VaultError) {
                return try await arming(candidate, plan)
            } catch {
                refusal = refusal ?? error
            }
        }
        throw refusal ?? .authentication(.noReader)
    }

    private func arming(
        _ candidate: Candidate, _ plan: RequestPlan
    ) async throws(VaultError) -> Arming {
        let features = candidate.description.features
        var prints = candidate.prints
        var finger = plan.onlyFinger
        if prints.count > 1, !features.contains(.identify) {
            // Such a reader compares with one print a touch, so the prompt must say which.
            prints = [prints.first { $0.finger == .rightIndexFinger } ?? prints[0]]
            finger = prints[0].finger
        }
        if !candidate.description.matchesOnChip, prints.count > Self.largestHostGallery {
            throw .authentication(
                .readerUnsupported(
                    .whorl("more than \(Self.largestHostGallery) prints for one capture")))
        }
        let rating = try checkStrength(
            of: candidate.description, prints: prints.count, plan)
        var loaded: [Print] = []
        for print in prints { loaded.append(try await vault.print(print.id, of: plan.subject)) }
        let command: ReaderCommand =
            if loaded.count == 1, let only = loaded.first { .verify(only) } else {
                .identify(loaded)
            }
        try await open(candidate.reader)
        return Arming(
            reader: candidate.reader, description: candidate.description, command: command,
            prints: prints, finger: finger, rating: rating)
    }

    /// Opens a reader, or says why it does not open.
    func open(_ reader: any FingerprintReader) async throws(VaultError) {
        switch await reader.answer(to: .open, by: timekeeper) {
        case .done: return
        case .failed(let error): throw .authentication(error)
        case .cancelled: throw .authentication(.systemCancelled)
        default:
            throw .authentication(
                .readerFault(.whorl("the reader answered 'open' with something else")))
        }
    }

    // MARK: Strength

    /// What a match on this reader is worth with this store.
    ///
    /// Strong means the sensor and a hardware-backed key. Among more prints a chance match is
    /// likelier, so identify among more than 10 counts one class lower, among more than 100 as
    /// convenience.
    func rating(of description: ReaderDescription, prints: Int) -> StrengthRating {
        rating(own: description.rating, isSimulated: description.isSimulated, prints: prints)
    }

    func rating(own: StrengthRating, isSimulated: Bool, prints: Int) -> StrengthRating {
        let base = isSimulated ? policy.simulatedStrength : own.strength
        guard let base else { return own }
        let ceiling: Strength = vault.storeKind == .tpm ? .strong : .weak
        var strength = min(base, ceiling)
        if prints > 100 {
            strength = .convenience
        } else if prints > 10 {
            strength = Strength(rawValue: strength.rawValue - 1) ?? .convenience
        }
        return StrengthRating(strength, basis: own.basis)
    }

    @discardableResult
    private func checkStrength(
        of description: ReaderDescription, prints: Int, _ plan: RequestPlan
    ) throws(VaultError) -> StrengthRating {
        let rating = rating(of: description, prints: prints)
        guard let strength = rating.strength else { throw .authentication(.simulatedNotAllowed) }
        if let minimum = plan.minimumStrength, strength < minimum {
            // A key that exists was made when the reader reached what it asks for.
            if case .openKey = plan.purpose { throw .authentication(.strengthLowered) }
            throw .authentication(.strengthNotReached)
        }
        return rating
    }
}

extension AuthenticationError {
    /// What an error of the vault is to someone who only authenticates.
    package init(_ error: VaultError) {
        switch error {
        case .authentication(let inner): self = inner
        case .notSetUp: self = .noDeviceCredential
        case .noSuchFinger: self = .notEnrolled
        case .storeBusy: self = .busy
        case .keyInvalidated: self = .enrollmentChanged
        case .credentialWithdrawn: self = .notPermitted(.whorl(error.sentence))
        case .storage(let what): self = .storeFailed(.whorl(what))
        default: self = .internalError(.whorl(error.sentence))
        }
    }
}
