internal import WhorlBiometrics
internal import WhorlKit
internal import WhorlSecrets

extension CommandRunner {
    // MARK: The PIN

    func changePIN(newDescriptor: Int32?) async throws(CommandFailure) -> Answer {
        try requireCredentialWay()
        return try await setPIN(newDescriptor: newDescriptor)
    }

    func resetPIN(newDescriptor: Int32?) async throws(CommandFailure) -> Answer {
        var runner = self
        runner.invocation.options.recoveryKey = try recoveryKeySource()
        return try await runner.setPIN(newDescriptor: newDescriptor)
    }

    /// Where the recovery key comes from, where nothing else will do.
    func recoveryKeySource() throws(CommandFailure) -> RecoveryKeySource {
        if let given = options.recoveryKey, given != .typed || terminal != nil { return given }
        guard terminal == nil else { return .typed }
        throw CommandFailure(
            UsageError(
                "'\(invocation.name)' needs the recovery key, and there is no terminal to type it at",
                advice: "give it with --recovery-fd N"))
    }

    private func setPIN(newDescriptor: Int32?) async throws(CommandFailure) -> Answer {
        let descriptor = newDescriptor ?? (options.recoveryKey == nil ? nil : options.pinDescriptor)
        guard descriptor != nil || terminal != nil else {
            throw CommandFailure(
                UsageError(
                    "'\(invocation.name)' needs the new PIN, and there is no terminal to type it at",
                    advice: "give it with --new-pin-fd N"))
        }
        return try await withOwner { (opened) async throws(CommandFailure) in
            try await warnOfLoss(in: opened.session)
            // What comes from a descriptor is there once, so only what is all typed is asked again.
            let isTyped =
                descriptor == nil && options.pinDescriptor == nil
                && (options.recoveryKey ?? .typed) == .typed
            let lost = try await attempts(isTyped: isTyped) { () async throws(CommandFailure) in
                let request = try await givenRequest()
                let new = try await newCredential(from: descriptor, newDescriptor)
                return try await call { () async throws(VaultError) in
                    try await opened.ownership.changeCredential(to: new, request: request)
                }
            }
            var answer = Answer(members: [.init("lostKeys", JSON(lost.map(\.text)))])
            answer.isResult = false
            answer.lines = ["the PIN is changed"] + KeyText.lines(forLost: lost, by: "the PIN")
            return answer
        }
    }

    private func newCredential(
        from descriptor: Int32?, _ newDescriptor: Int32?
    ) async throws(CommandFailure) -> HeldSecret {
        guard let descriptor else { return try await typedNewCredential() }
        return try read(newDescriptor == nil ? .pin(descriptor) : .newPIN(descriptor))
    }

    // With the recovery key, keys that it does not open lose the PIN's way: to be said while the old
    // PIN may still come to mind.
    private func warnOfLoss(in session: any WhorlSession) async throws(CommandFailure) {
        guard options.recoveryKey != nil, terminal != nil else { return }
        let keys = try await call { () async throws(VaultError) in try await session.vault.list() }
        let losing = keys.filter { $0.access.mentionsCredential && !$0.hasRecovery }
        guard !losing.isEmpty else { return }
        let dialogue = try dialogue()
        dialogue.say(
            ["The recovery key does not open these keys, so no PIN will open them any more:"]
                + losing.map { "  \($0.name)" })
        try await agree(to: "Set a new PIN all the same?", dialogue)
    }

    // MARK: The recovery key

    func checkRecovery() async throws(CommandFailure) -> Answer {
        var runner = self
        runner.invocation.options.recoveryKey = try recoveryKeySource()
        return try await runner.checkGivenRecovery()
    }

    private func checkGivenRecovery() async throws(CommandFailure) -> Answer {
        try await withOwner { (opened) async throws(CommandFailure) in
            let names = try await attempts(isTyped: options.recoveryKey == .typed) {
                () async throws(CommandFailure) in
                guard let key = try await recoveryKey() else {
                    throw CommandFailure(.notInteractive)
                }
                return try await call { () async throws(VaultError) in
                    try await opened.ownership.checkRecovery(key)
                }
            }
            var answer = Answer(members: [.init("keys", JSON(names.map(\.text)))])
            answer.lines =
                ["this is the recovery key; it opens \(KeyText.count(names.count))"]
                + names.map { "  \($0)" }
            return answer
        }
    }

    // With the PIN, keys that it does not open lose the recovery key's way.
    private func warnOfLostRecovery(in session: any WhorlSession) async throws(CommandFailure) {
        guard options.recoveryKey == nil, terminal != nil else { return }
        let keys = try await call { () async throws(VaultError) in try await session.vault.list() }
        let losing = keys.filter { $0.hasRecovery && !$0.isOpenedByCredential }
        guard !losing.isEmpty else { return }
        let dialogue = try dialogue()
        dialogue.say(
            ["The PIN alone does not open these keys, so no recovery key will open them any more:"]
                + losing.map { "  \($0.name)" }
                + ["With the old recovery key (--recovery) they keep that way."])
        try await agree(to: "Make a new recovery key all the same?", dialogue)
    }

    func renewRecovery(file path: String?) async throws(CommandFailure) -> Answer {
        try requireCredentialWay()
        guard path != nil || terminal != nil else {
            throw CommandFailure(
                UsageError(
                    "there is no terminal to show the recovery key at",
                    advice: "add --recovery-out FILE"))
        }
        if let path { try NewFile.check(path) }
        return try await withOwner { (opened) async throws(CommandFailure) in
            try await warnOfLostRecovery(in: opened.session)
            let file = path.map(RecoveryKeyFile.init(path:))
            let recipient: any RecoveryKeyRecipient =
                if let file { file } else { RecoveryKeyScreen(dialogue: try dialogue()) }
            let lost: [KeyName]
            do throws(CommandFailure) {
                lost = try await asOwner { (request) async throws(VaultError) in
                    try await opened.ownership.renewRecovery(request: request) {
                        (key) async throws(VaultError) in try await recipient.receive(key)
                    }
                }
            } catch {
                file?.discard()
                // Somebody may hold a sheet that is good for nothing.
                if let screen = recipient as? RecoveryKeyScreen { screen.discard() }
                throw file?.failure ?? error
            }
            var answer = Answer(members: [
                .init("recoveryOut", JSON(path)), .init("lostKeys", JSON(lost.map(\.text))),
            ])
            answer.isResult = false
            answer.lines =
                ["the recovery key is new; the old one opens nothing any more"]
                + (path.map { ["it is in \(DisplayText($0))"] } ?? [])
                + KeyText.lines(forLost: lost, by: "the recovery key")
            return answer
        }
    }

    // MARK: Keys

    func rebind(_ name: String?) async throws(CommandFailure) -> Answer {
        try requireCredentialWay()
        return try await withOwner { (opened) async throws(CommandFailure) in
            let names = try await call { () async throws(VaultError) in
                try name.map { (name) throws(VaultError) in [try KeyName(checking: name)] }
            }
            if let name = names?.first {
                _ = try await call { () async throws(VaultError) in
                    try await opened.session.vault.info(name)
                }
            }
            let renewal = try await asOwner { (request) async throws(VaultError) in
                try await opened.session.vault.rebind(names, request: request)
            }
            if let name = renewal.unopened.first, names != nil {
                throw options.recoveryKey == nil
                    ? .notByCredential(name) : CommandFailure(.noRecovery)
            }
            var answer = Answer(members: [
                .init("renewed", JSON(renewal.renewed.map(\.name.text))),
                .init("unopened", JSON(renewal.unopened.map(\.text))),
            ])
            answer.isResult = false
            answer.isSimulated = renewal.renewed.contains(where: \.isSimulated)
            answer.lines = KeyText.lines(for: renewal, byRecovery: options.recoveryKey != nil)
            return answer
        }
    }

    // MARK: What these commands share

    /// Opens a session for its owner.
    func withOwner(
        _ body: (any CommandSession) async throws(CommandFailure) -> Answer
    ) async throws(CommandFailure) -> Answer {
        try await withOpened { (opened) async throws(CommandFailure) in try await body(opened) }
    }

    /// Calls something with the PIN or recovery key that this command was given, or asks for it.
    ///
    /// A recovery key that is typed may be mistyped a few times.
    func asOwner<Result>(
        _ body: (AuthenticationRequest) async throws(VaultError) -> Result
    ) async throws(CommandFailure) -> Result {
        try await attempts(isTyped: options.recoveryKey == .typed) {
            () async throws(CommandFailure) in
            let request = try await givenRequest()
            return try await call { () async throws(VaultError) in try await body(request) }
        }
    }

    /// Does something again where a person typed what cannot stand.
    func attempts<Result>(
        isTyped: Bool, _ body: () async throws(CommandFailure) -> Result
    ) async throws(CommandFailure) -> Result {
        for _ in 1..<Self.attempts where isTyped {
            do throws(CommandFailure) {
                return try await body()
            } catch {
                guard error.isMistyping else { throw error }
                try dialogue().say([error.sentence])
            }
        }
        return try await body()
    }

    /// Goes on only where the person says yes.
    func agree(to question: String, _ dialogue: Dialogue) async throws(CommandFailure) {
        do throws(AuthenticationError) {
            guard try await dialogue.agrees(question) else {
                throw AuthenticationError.userCancelled
            }
        } catch {
            throw CommandFailure(error)
        }
    }
}

extension CommandFailure {
    /// Whether a person who types it again may get it right.
    fileprivate var isMistyping: Bool {
        [
            VaultError.invalidRecoveryKey(""), .unacceptableCredential(""),
            .authentication(.wrongRecoveryKey),
        ].contains { $0.identifier == identifier }
    }
}
