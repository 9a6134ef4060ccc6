internal import Glibc
internal import WhorlBiometrics
internal import WhorlKit
internal import WhorlSecrets

extension CommandRunner {
    // MARK: Recovering

    func recover(_ arguments: RecoverArguments) async throws(CommandFailure) -> Answer {
        var runner = self
        runner.invocation.options.recoveryKey = try recoveryKeySource()
        if let source = arguments.source { try InputFile.check(source) }
        let recovery = try await call { () async throws(VaultError) in
            try await host.recovery(from: arguments.source, options: options.host)
        }
        let subject = try Self.subject(arguments.subject, among: recovery.subjects)
        guard let name = arguments.name else {
            return try await runner.listRecoverable(recovery, of: subject)
        }
        return try await runner.recover(name, of: subject, from: recovery, to: arguments.file)
    }

    // This user's keys where there are any, else those of the only one there is: a uid of another
    // machine may be another person's here, but whoever has the recovery key is the owner.
    private static func subject(
        _ named: String?, among subjects: [Subject]
    ) throws(CommandFailure) -> Subject {
        let own = Subject(uid: getuid())
        if let named {
            if let subject = subjects.first(where: { $0.name == named }) { return subject }
        } else if subjects.contains(own) || subjects.count == 1 {
            return subjects.contains(own) ? own : subjects[0]
        }
        let words = UsageError.alternatives(subjects.map(\.name))
        throw CommandFailure(
            UsageError(
                named.map { "the file has no keys of \(UsageError.quoted($0))" }
                    ?? "the file has keys of several, and none of this user's",
                advice: "say --subject with \(words)"))
    }

    private func listRecoverable(
        _ recovery: StoreRecovery, of subject: Subject
    ) async throws(CommandFailure) -> Answer {
        let findings = try await withRecoveryKey { (key) throws(VaultError) in
            try recovery.check(key, of: subject)
        }
        var answer = Answer(members: [
            .init("subject", .string(subject.name)),
            .init("keys", JSON(findings.keys.map(\.name.text))),
            .init("leftOut", .array(findings.leftOut.map(JSON.init))),
        ])
        answer.isSimulated = findings.keys.contains(where: \.isSimulated)
        answer.lines =
            ["the recovery key opens \(KeyText.count(findings.keys.count)) of \(subject)"]
            + findings.keys.map { "  \($0.name)" + ($0.isSimulated ? " (simulated)" : "") }
            + BackupText.lines(forLeftOut: findings.leftOut, "it does not open")
        return answer
    }

    private func recover(
        _ name: String, of subject: Subject, from recovery: StoreRecovery, to file: String?
    ) async throws(CommandFailure) -> Answer {
        let key = try await call { () throws(VaultError) in
            try recovery.key(KeyName(checking: name), of: subject)
        }
        let allowsSimulated = options.host.simulatedClass != nil
        if key.isSimulated, !allowsSimulated { throw CommandFailure(.simulatedNotAllowed) }
        if let file { try NewFile.check(file) }
        // Lent through a box, since what a person may retype hands out copyable values only.
        let secret = try await withRecoveryKey { (recoveryKey) throws(VaultError) in
            HeldSecret(
                try recovery.open(
                    key.name, of: subject, with: recoveryKey, allowsSimulated: allowsSimulated))
        }
        guard let secret = secret.take() else { throw CommandFailure(.internalError("taken")) }
        if let file {
            try NewFile.write(secret, to: file)
        } else {
            do throws(SystemError) {
                try console.output.write(secret: secret)
            } catch {
                throw .output(error)
            }
        }
        var answer = Answer(members: [
            .init("subject", .string(subject.name)), .init("name", .string(key.name.text)),
            .init("out", JSON(file)), .init("bytes", .integer(secret.count)),
        ])
        answer.isSimulated = key.isSimulated
        return answer
    }

    // MARK: Backups

    func backUp(to file: String) async throws(CommandFailure) -> Answer {
        try await withOpened { (opened) async throws(CommandFailure) in
            try NewFile.check(file)
            let backup = try await call { () async throws(VaultError) in
                try await opened.backups.backUp()
            }
            try NewFile.write(whole: backup.contents, to: file)
            var answer = Answer(members: [
                .init("file", .string(file)), .init("bytes", .integer(backup.contents.count)),
                .init("keys", JSON(backup.keys.map(\.text))),
                .init("leftOut", .array(backup.leftOut.map(JSON.init))),
            ])
            answer.isResult = false
            answer.lines = BackupText.lines(for: backup, in: file)
            return answer
        }
    }

    func restore(from file: String) async throws(CommandFailure) -> Answer {
        var runner = self
        runner.invocation.options.recoveryKey = try recoveryKeySource()
        return try await runner.restoreWithKey(from: file)
    }

    private func restoreWithKey(from file: String) async throws(CommandFailure) -> Answer {
        try await withOpened { (opened) async throws(CommandFailure) in
            let contents = try InputFile.read(file, atMost: StoreBackup.maximumCount)
            let restoration = try await withRecoveryKey { (key) async throws(VaultError) in
                try await opened.backups.restore(contents, recoveryKey: key)
            }
            if restoration.restored.isEmpty, restoration.kept.isEmpty,
                let failure = restoration.failed.first
            {
                throw CommandFailure(failure.error)
            }
            var answer = Answer(members: [
                .init("restored", JSON(restoration.restored.map(\.name.text))),
                .init("kept", JSON(restoration.kept.map(\.text))),
                .init("failed", .array(restoration.failed.map(JSON.init))),
            ])
            answer.isResult = false
            answer.isSimulated = restoration.restored.contains(where: \.isSimulated)
            answer.lines = BackupText.lines(for: restoration)
            return answer
        }
    }

    /// Calls something with the recovery key, which a person may mistype a few times.
    private func withRecoveryKey<Result>(
        _ body: (HeldSecret) async throws(VaultError) -> Result
    ) async throws(CommandFailure) -> Result {
        try await attempts(isTyped: options.recoveryKey == .typed) {
            () async throws(CommandFailure) in
            guard let key = try await recoveryKey() else { throw CommandFailure(.notInteractive) }
            return try await call { () async throws(VaultError) in try await body(key) }
        }
    }
}

extension JSON {
    fileprivate init(_ key: UnrecoverableKey) {
        self = ["name": .string(key.name), "reason": .string(key.reason.rawValue)]
    }

    fileprivate init(_ failure: KeyRestoration.Failure) {
        self = [
            "name": .string(failure.name.text), "error": JSON(CommandFailure(failure.error)),
        ]
    }
}
