internal import WhorlBiometrics

extension CommandRunner {
    func help(_ path: [String]) -> Answer {
        let lines = Help.lines(for: path)
        return Answer(
            members: [.init("text", .string(lines.joined(separator: "\n")))], lines: lines)
    }

    var version: Answer {
        Answer(members: [.init("version", .string(Version.text))], lines: ["whorl \(Version.text)"])
    }

    func taxonomy(isMarkdown: Bool) -> Answer {
        Answer(
            members: TaxonomyText.members,
            lines: isMarkdown ? TaxonomyText.markdown : TaxonomyText.lines)
    }

    func readers() async throws(CommandFailure) -> Answer {
        let listing = try await call { () async throws(VaultError) in
            try await host.readers(options.host)
        }
        var answer = Answer(members: Self.members(of: listing))
        answer.isSimulated = listing.readers.contains { $0.description.isSimulated }
        for reader in listing.readers { answer.lines += ReaderText.lines(for: reader) }
        for failure in listing.failures { answer.lines += ReaderText.lines(for: failure) }
        if listing.readers.isEmpty, listing.failures.isEmpty {
            console.note(AuthenticationError.noReader.sentence)
        }
        return answer
    }

    func status(showsSettings: Bool) async throws(CommandFailure) -> Answer {
        try checkKeyStore()
        let report = try await call { () async throws(VaultError) in
            try await host.status(options.host)
        }
        return Self.answer(for: report, showsSettings: showsSettings)
    }

    static func answer(for report: StatusReport, showsSettings: Bool) -> Answer {
        var members: [JSON.Member] = [
            .init("placement", .string(report.placement.rawValue)),
            .init("folder", .string(report.storeFolder)),
            .init("setUp", .bool(report.isSetUp)),
            .init("store", JSON(report.storeKind?.rawValue)),
            .init("generation", JSON(report.generation.map(Int.init))),
            .init("credential", .bool(report.hasCredential)),
            .init("restored", JSON(report.restoration?.rawValue)),
            .init("consent", JSON(report.consent)),
            .init("disabled", .bool(report.isDisabled)),
            .init("lockout", JSON(report.lockout)),
        ]
        members += Self.members(of: report.readers)
        members.append(.init("fingers", .array(report.fingers.map { JSON($0) })))
        members.append(.init("keys", .array(report.keys.map(JSON.listed))))
        if showsSettings {
            members.append(.init("settings", .array(report.settings.map { JSON($0) })))
        }
        var answer = Answer(members: members)
        answer.isSimulated =
            report.readers.readers.contains { $0.description.isSimulated }
            || report.fingers.contains(where: \.isSimulated)
            || report.keys.contains(where: \.isSimulated)
        answer.lines = StatusText.lines(for: report, showsSettings: showsSettings)
        return answer
    }

    private static func members(of listing: ReaderListing) -> [JSON.Member] {
        [
            .init("readers", .array(listing.readers.map { JSON($0) })),
            .init("failedReaders", .array(listing.failures.map { JSON($0) })),
        ]
    }
}

extension JSON {
    /// A key in a list.
    static func listed(_ key: KeyInfo) -> JSON {
        .object(members(of: key) + [Member("simulated", .bool(key.isSimulated))])
    }

    /// What the owner said to the use of fingers.
    init(_ consent: Consent) {
        self = [
            "state": .string(consent.identifier), "at": JSON(consent.at.map(Int.init)),
            "until": JSON(consent.until.map(Int.init)),
        ]
    }

    fileprivate init(_ lockout: LockoutReport) {
        self = [
            "failures": .integer(lockout.failures),
            "remainingSeconds": .integer(lockout.remainingSeconds),
            "permanent": .bool(lockout.isPermanent),
        ]
    }

    fileprivate init(_ setting: Setting) {
        self = [
            "name": .string(setting.name), "value": .string(setting.value),
            "source": .string(setting.source),
        ]
    }
}
