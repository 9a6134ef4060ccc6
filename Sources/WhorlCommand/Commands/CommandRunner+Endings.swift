internal import WhorlBiometrics

extension CommandRunner {
    // MARK: Consent

    func showConsent() async throws(CommandFailure) -> Answer {
        try checkKeyStore()
        let report = try await call { () async throws(VaultError) in
            try await host.status(options.host)
        }
        var answer = Answer(members: [
            .init("consent", JSON(report.consent)),
            .init("disabled", .bool(report.isDisabled)),
            .init("text", JSON(ConsentText.points)),
            .init("fingers", .array(report.fingers.map { JSON($0) })),
            .init("keys", JSON(report.keys.map(\.name.text))),
        ])
        answer.lines = ConsentText.lines(for: report)
        answer.isSimulated =
            report.fingers.contains(where: \.isSimulated)
            || report.keys.contains(where: \.isSimulated)
        return answer
    }

    func declineConsent() async throws(CommandFailure) -> Answer {
        try checkKeyStore()
        let consent = try await call { () async throws(VaultError) in
            try await host.declineConsent(options.host)
        }
        var answer = Answer(members: [.init("consent", JSON(consent))])
        answer.isResult = false
        answer.lines = ["consent is \(ConsentText.words(for: consent))"]
        return answer
    }

    func revokeConsent(isAgreed: Bool) async throws(CommandFailure) -> Answer {
        try requireCredentialWay()
        try requireAgreement(isAgreed)
        return try await withOwner { (opened) async throws(CommandFailure) in
            let before = try await call { () async throws(VaultError) in
                (try await opened.ownership.consent(), try await opened.ownership.revocation())
            }
            if case .given = before.0, !isAgreed {
                try await agree(afterShowing: EndingText.lines(before: before.1))
            }
            let revocation = try await asOwner { (request) async throws(VaultError) in
                try await opened.ownership.revokeConsent(request: request)
            }
            var answer = Answer(members: [
                .init("fingers", JSON(revocation.fingers.map(\.rawValue))),
                .init("leftOnReader", .array(revocation.leftOnReader.map { JSON($0) })),
                .init("deletedKeys", JSON(revocation.deletedKeys.map(\.text))),
                .init("keptKeys", JSON(revocation.keptKeys.map(\.text))),
            ])
            answer.isResult = false
            answer.lines = EndingText.lines(after: revocation)
            note(revocation.leftOnReader)
            return answer
        }
    }

    // MARK: Switching off

    func disable() async throws(CommandFailure) -> Answer {
        try await withOwner { (opened) async throws(CommandFailure) in
            try await call { () async throws(VaultError) in
                try await opened.ownership.disableFingers()
            }
            return Self.answer(
                isDisabled: true, "fingers are switched off; 'whorl enable' switches them on")
        }
    }

    func enable() async throws(CommandFailure) -> Answer {
        try requireCredentialWay()
        return try await withOwner { (opened) async throws(CommandFailure) in
            try await asOwner { (request) async throws(VaultError) in
                try await opened.ownership.enableFingers(request: request)
            }
            return Self.answer(isDisabled: false, "fingers are switched on")
        }
    }

    private static func answer(isDisabled: Bool, _ line: String) -> Answer {
        var answer = Answer(members: [.init("disabled", .bool(isDisabled))], lines: [line])
        answer.isResult = false
        return answer
    }

    // MARK: The end

    func reset(_ arguments: ResetArguments) async throws(CommandFailure) -> Answer {
        if !arguments.hasLostCredential { try requireCredentialWay() }
        try requireAgreement(arguments.isAgreed)
        return try await withOpened(forReset: true) { (opened) async throws(CommandFailure) in
            let before = try await call { () async throws(VaultError) in
                try await opened.ownership.contents()
            }
            if !arguments.isAgreed {
                try await agree(
                    afterShowing: EndingText.lines(before: before),
                    typing: arguments.hasLostCredential ? "delete" : nil)
            }
            let gone =
                arguments.hasLostCredential
                ? try await call { () async throws(VaultError) in
                    try await opened.ownership.reset(request: nil)
                }
                : try await asOwner { (request) async throws(VaultError) in
                    try await opened.ownership.reset(request: request)
                }
            var answer = Answer(members: [
                .init("fingers", JSON(gone.fingers.map(\.rawValue))),
                .init("leftOnReader", .array(gone.leftOnReader.map { JSON($0) })),
                .init("deletedKeys", JSON(gone.keys.map(\.text))),
            ])
            answer.isResult = false
            answer.lines = EndingText.lines(after: gone)
            note(gone.leftOnReader)
            return answer
        }
    }

    // MARK: Asking

    // Whoever is not there to see what goes must have said that it is meant so.
    private func requireAgreement(_ isAgreed: Bool) throws(CommandFailure) {
        guard terminal == nil, !isAgreed else { return }
        throw CommandFailure(
            UsageError(
                "'\(invocation.name)' asks before it deletes, and there is no terminal to ask at",
                advice: "add --yes if that is what you want"))
    }

    private func agree(
        afterShowing lines: [String], typing word: String? = nil
    ) async throws(CommandFailure) {
        let dialogue = try dialogue()
        dialogue.say(lines)
        do throws(AuthenticationError) {
            let isAgreed =
                if let word {
                    try await dialogue.types(word, "Type '\(word)' to go on: ")
                } else { try await dialogue.goesOn() }
            guard isAgreed else { throw AuthenticationError.userCancelled }
        } catch {
            throw CommandFailure(error)
        }
    }

    private func note(_ left: [LeftPrint]) {
        for print in left {
            console.note(
                "the print of the \(print.finger.words) opens nothing any more, but is still on the "
                    + "reader: \(print.reason.sentence)")
        }
    }
}
