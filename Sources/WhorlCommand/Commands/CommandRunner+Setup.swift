internal import WhorlBiometrics
internal import WhorlSecrets

extension CommandRunner {
    // How often a person may try to type an acceptable PIN, or the same one twice.
    static let attempts = 3

    func setUp(_ arguments: SetupArguments) async throws(CommandFailure) -> Answer {
        try await requireUnattended(arguments)
        try checkKeyStore()
        let before = try await call { () async throws(VaultError) in
            try await host.status(options.host)
        }
        if before.isRevoked { return try await giveConsent(arguments) }
        guard !before.isSetUp else { throw CommandFailure(.alreadySetUp) }
        if let file = arguments.recoveryFile { try NewFile.check(file) }
        if !arguments.acceptsConsent { try await askConsent("Set Whorl up?") }
        let report = try await setUp(arguments, attempt: 1)
        var answer = Self.answer(for: report, showsSettings: false)
        answer.members.append(.init("recoveryOut", JSON(arguments.recoveryFile)))
        answer.isResult = false
        answer.lines =
            ["set up in \(DisplayText(report.storeFolder))"]
            + (arguments.recoveryFile.map { ["the recovery key is in \(DisplayText($0))"] } ?? [])
            + ["enrol a finger with 'whorl enroll'"]
        return answer
    }

    // Whoever revoked their consent has a store, with a PIN and a recovery key that stay.
    private func giveConsent(_ arguments: SetupArguments) async throws(CommandFailure) -> Answer {
        if !arguments.acceptsConsent { try await askConsent("Agree to it again?") }
        _ = try await withOwner { (opened) async throws(CommandFailure) in
            try await asOwner { (request) async throws(VaultError) in
                try await opened.ownership.giveConsent(request: request)
            }
            return Answer()
        }
        if let file = arguments.recoveryFile {
            console.note(
                "the recovery key is the one you have, so nothing was written to "
                    + "\(DisplayText(file))")
        }
        let report = try await call { () async throws(VaultError) in
            try await host.status(options.host)
        }
        var answer = Self.answer(for: report, showsSettings: false)
        answer.members.append(.init("recoveryOut", nil))
        answer.isResult = false
        answer.lines = [
            "consent is given again; PIN, keys and recovery key are as they were",
            "enrol a finger with 'whorl enroll', and then see 'whorl vault rebind'",
        ]
        return answer
    }

    private func requireUnattended(
        _ arguments: SetupArguments
    ) async throws(CommandFailure) {
        guard terminal == nil else { return }
        var missing: [String] = []
        if !arguments.acceptsConsent { missing.append("--accept-consent") }
        if options.pinDescriptor == nil { missing.append("--pin-fd N") }
        if arguments.recoveryFile == nil {
            // It is not needed where the store has a recovery key that stays.
            var isKept = false
            if missing.isEmpty {
                isKept = (try? await host.status(options.host))?.isRevoked ?? false
            }
            if !isKept { missing.append("--recovery-out FILE") }
        }
        guard !missing.isEmpty else { return }
        throw CommandFailure(
            UsageError(
                "there is no terminal to ask at", advice: "add \(missing.joined(separator: " "))"))
    }

    private func setUp(
        _ arguments: SetupArguments, attempt: Int
    ) async throws(CommandFailure) -> StatusReport {
        let credential = try await credentialForSetup()
        let file = arguments.recoveryFile.map(RecoveryKeyFile.init(path:))
        let recipient: any RecoveryKeyRecipient =
            if let file { file } else { RecoveryKeyScreen(dialogue: try dialogue()) }
        let request = SetupRequest(
            credential: credential, adoption: arguments.adoption ?? .none)
        do throws(VaultError) {
            return try await host.setUp(request, options: options.host, recipient: recipient)
        } catch {
            file?.discard()
            if let screen = recipient as? RecoveryKeyScreen { screen.discard() }
            guard case .unacceptableCredential = error, options.pinDescriptor == nil,
                attempt < Self.attempts
            else { throw file?.failure ?? CommandFailure(error) }
            try dialogue().say([error.sentence])
        }
        return try await setUp(arguments, attempt: attempt + 1)
    }

    // MARK: Asking

    private func askConsent(_ question: String) async throws(CommandFailure) {
        let dialogue = try dialogue()
        dialogue.say(ConsentText.lines)
        do throws(AuthenticationError) {
            guard try await dialogue.agrees(question) else {
                throw AuthenticationError.userCancelled
            }
        } catch {
            throw CommandFailure(error)
        }
    }

    private func credentialForSetup() async throws(CommandFailure) -> HeldSecret {
        if let given = try credential() { return given }
        return try await typedNewCredential()
    }

    /// A new PIN or passphrase, typed twice.
    func typedNewCredential() async throws(CommandFailure) -> HeldSecret {
        let dialogue = try dialogue()
        do throws(AuthenticationError) {
            for _ in 0..<Self.attempts {
                let first = try await dialogue.secret("New PIN or passphrase: ")
                let second = try await dialogue.secret("The same again: ")
                if first.isEqual(to: second) { return HeldSecret(first) }
                dialogue.say(["These were not the same."])
            }
        } catch {
            throw CommandFailure(error)
        }
        throw .credentialsDiffer
    }
}
