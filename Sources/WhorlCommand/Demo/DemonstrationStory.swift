internal import Synchronization
internal import WhorlBiometrics
internal import WhorlKit
internal import WhorlSecrets

/// The main job, told step by step on a reader that needs no person.
struct DemonstrationStory: Sendable {
    let demonstration: any Demonstration
    let narrator: Narrator
    let interruptions: Interruptions

    private var host: any CommandHost { demonstration.host }

    // Both are for show, and go with the demonstration's store.
    private static let pin = "481516"
    private static let secret = "correct horse battery staple"
    private static let finger = Finger.rightIndexFinger
    private static let name = "demo/token"

    /// Tells the story.
    ///
    /// - Throws: ``CommandFailure`` where a step went otherwise than it should.
    func tell() async throws(CommandFailure) {
        try narrator.introduce(introduction)
        try await setUp()
        let prompter = DemonstrationPrompter(
            demonstration, narrator: narrator, interruptions: interruptions)
        let opened: any CommandSession
        do {
            opened = try await host.open(demonstration.options, prompter: prompter)
        } catch {
            throw CommandFailure(error)
        }
        do throws(CommandFailure) {
            try await tell(on: opened.session, prompter)
            await opened.close()
        } catch {
            await opened.close()
            throw error
        }
    }

    private func tell(
        on session: any WhorlSession, _ prompter: DemonstrationPrompter
    ) async throws(CommandFailure) {
        try await enroll(on: session)
        try await put(on: session)
        try await openByFinger(on: session)
        if case .simulated = demonstration.stage {
            await prompter.use(.stranger)
            try await refuse(
                "Touch three times with another finger", on: session, expecting: .noMatch)
            try await refuse(
                "Twice more with that finger: five in all, and fingers are locked out",
                on: session, expecting: .lockedOut(remainingSeconds: 0))
            try await openByPIN(on: session)
            await prompter.use(.owner)
        }
        try await removeFinger(on: session)
    }

    private var introduction: String {
        switch demonstration.stage {
        case .simulated:
            "This plays on a simulated reader: no sensor, no finger, no proof. What is opened here "
                + "only shows how it goes."
        case .recording(let name):
            "This plays the recorded USB traffic of a real sensor (\(DisplayText(name))) to its "
                + "real driver. The touches were made when it was recorded."
        }
    }

    // MARK: Steps

    private func setUp() async throws(CommandFailure) {
        try await step("Set Whorl up: consent, a PIN, a recovery key") {
            () async throws(VaultError) in
            let request = SetupRequest(credential: try held(Self.pin), adoption: .none)
            _ = try await host.setUp(
                request, options: demonstration.options, recipient: DroppedRecoveryKey())
            return "a store of its own is there; the recovery key would be shown now, once"
        }
    }

    private func enroll(on session: any WhorlSession) async throws(CommandFailure) {
        try await step("Enrol the right index finger, which needs the PIN") {
            () async throws(VaultError) in
            // A tape holds no touch for the confirmation.
            let result = try await session.fingers.enroll(
                Self.finger, confirm: demonstration.stage == .simulated, keys: .drop,
                request: try request(withPIN: true))
            return "\(result.finger.finger.rawValue) is enrolled"
        }
    }

    private func put(on session: any WhorlSession) async throws(CommandFailure) {
        try await step("Put a secret behind that finger or the PIN") {
            () async throws(VaultError) in
            let key = try await session.vault.put(
                secret(Self.secret), as: KeyName(checking: Self.name), options: KeyOptions())
            return "\(key.name) is stored; opened by: \(key.access)"
        }
    }

    private func openByFinger(on session: any WhorlSession) async throws(CommandFailure) {
        try await step("Touch with the enrolled finger") { () async throws(VaultError) in
            try await get(on: session, withPIN: false)
            return "the secret came out, byte for byte"
        }
    }

    private func openByPIN(on session: any WhorlSession) async throws(CommandFailure) {
        try await step("Give the PIN instead") { () async throws(VaultError) in
            try await get(on: session, withPIN: true)
            return "the secret came out, and fingers count again"
        }
    }

    private func refuse(
        _ title: String, on session: any WhorlSession, expecting expected: AuthenticationError
    ) async throws(CommandFailure) {
        try await step(title) { () async throws(VaultError) in
            let error = try await refusal(on: session)
            guard case .authentication(let reason) = error,
                reason.entry.identifier == expected.entry.identifier
            else { throw error }
            return "no secret: \(reason.sentence)"
        }
    }

    private func removeFinger(on session: any WhorlSession) async throws(CommandFailure) {
        try await step("Remove the finger") { () async throws(VaultError) in
            _ = try await session.fingers.remove(
                Self.finger, request: try request(withPIN: true))
            let key = try await session.vault.info(KeyName(checking: Self.name))
            guard key.state == .fingerDead else {
                throw .internalError("the key outlived the fingers that it was bound to")
            }
            let error = try await refusal(on: session)
            return "the finger's way into the secret is dead for good: \(error.sentence)"
        }
    }

    // MARK: What steps share

    private func step(
        _ title: String, _ body: () async throws(VaultError) -> String
    ) async throws(CommandFailure) {
        if let cancelled = interruptions.error { throw CommandFailure(cancelled) }
        try narrator.begin(title)
        let result: String
        do throws(VaultError) {
            result = try await body()
        } catch {
            throw CommandFailure(error)
        }
        try narrator.end(title, result)
    }

    private func get(on session: any WhorlSession, withPIN: Bool) async throws(VaultError) {
        let found = try await session.vault.get(
            KeyName(checking: Self.name), request: request(withPIN: withPIN))
        guard found.isEqual(to: try secret(Self.secret)) else {
            throw .internalError("the demonstration got another secret than it put")
        }
    }

    // The error with which a finger is refused; an error itself where it is not.
    private func refusal(on session: any WhorlSession) async throws(VaultError) -> VaultError {
        do throws(VaultError) {
            try await get(on: session, withPIN: false)
        } catch {
            return error
        }
        throw .internalError("the demonstration got a secret that it should not have")
    }

    private func request(withPIN: Bool) throws(VaultError) -> AuthenticationRequest {
        do {
            return AuthenticationRequest(
                reason: try Reason("this is a demonstration"),
                credential: withPIN ? try held(Self.pin) : nil)
        } catch let error as ReasonError {
            throw .invalidReason(error)
        } catch let error as VaultError {
            throw error
        } catch {
            throw .internalError("a request could not be made")
        }
    }

    private func held(_ text: String) throws(VaultError) -> HeldSecret {
        HeldSecret(try secret(text))
    }

    private func secret(_ text: String) throws(VaultError) -> SecretBytes {
        let bytes = [UInt8](text.utf8)
        do {
            return try unsafe SecretBytes(copying: bytes.span.bytes)
        } catch {
            throw .storage(error.description)
        }
    }
}

/// Lets a recovery key go, since the store that it belongs to is about to go too.
private struct DroppedRecoveryKey: RecoveryKeyRecipient {
    func receive(_ key: borrowing SecretBytes) async throws(VaultError) {}
}

extension CommandRunner {
    func demo(recording: String?) async throws(CommandFailure) -> Answer {
        let demonstration = try await call { () async throws(VaultError) in
            try await host.demonstration(recording: recording)
        }
        watch.noteSimulation()
        let narrator = Narrator(console: console, isJSON: options.isJSON)
        let story = DemonstrationStory(
            demonstration: demonstration, narrator: narrator, interruptions: interruptions)
        do throws(CommandFailure) {
            try await story.tell()
            await demonstration.finish()
        } catch {
            await demonstration.finish()
            throw error
        }
        var answer = Answer()
        answer.isSimulated = true
        return answer
    }
}
