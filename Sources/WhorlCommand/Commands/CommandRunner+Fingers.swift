internal import WhorlBiometrics
internal import WhorlKit

extension CommandRunner {
    func listFingers() async throws(CommandFailure) -> Answer {
        try await withSession { (session, _) async throws(CommandFailure) in
            let fingers = try await call { () async throws(VaultError) in
                try await session.fingers.list()
            }
            var answer = Answer(members: [.init("fingers", .array(fingers.map { JSON($0) }))])
            answer.lines = FingerText.lines(for: fingers)
            answer.isSimulated = fingers.contains(where: \.isSimulated)
            if fingers.isEmpty { console.note(AuthenticationError.notEnrolled.sentence) }
            return answer
        }
    }

    func enroll(_ arguments: EnrollArguments) async throws(CommandFailure) -> Answer {
        try requireCredentialWay()
        return try await withSession { (session, _) async throws(CommandFailure) in
            let carry = try await keyCarry(arguments.keys, in: session)
            let request = try request(credential: try credential())
            let result = try await call { () async throws(VaultError) in
                try await session.fingers.enroll(
                    arguments.finger, confirm: arguments.confirms, keys: carry, request: request)
            }
            return answer(for: result)
        }
    }

    private func answer(for result: EnrollmentResult) -> Answer {
        var answer = Answer(members: [
            .init("finger", JSON(result.finger)),
            .init("generation", .integer(Int(result.generation))),
            .init("deadKeys", JSON(result.deadKeys.map(\.text))),
        ])
        answer.isSimulated = result.finger.isSimulated || watch.isSimulated
        answer.isResult = false
        answer.lines =
            ["enrolled \(result.finger.finger.rawValue) on \(FingerText.reader(result.finger))"]
            + FingerText.lines(forDead: result.deadKeys)
        return answer
    }

    // What becomes of keys that the new print would otherwise end.
    private func keyCarry(
        _ given: KeyCarry?, in session: any WhorlSession
    ) async throws(CommandFailure) -> KeyCarry {
        if let given { return given }
        guard let terminal, options.pinDescriptor == nil else { return .drop }
        let keys = try await call { () async throws(VaultError) in
            try await session.vault.list()
        }
        let bound = keys.filter { key in
            key.state == .open && key.access.ways.contains(where: \.isBoundToGeneration)
        }
        let carried = bound.filter(\.isOpenedByCredential)
        let left = bound.filter { !$0.isOpenedByCredential }
        guard !bound.isEmpty else { return .drop }
        let dialogue = Dialogue(terminal: terminal, interruptions: interruptions)
        if !left.isEmpty {
            dialogue.say(
                ["No finger opens these keys any more once this one is enrolled:"]
                    + left.map { "  \($0.name)\($0.hasRecovery ? "" : " (nor anything else)")" }
                    + ["The PIN alone does not open them, so they cannot be carried over."])
            try await agree(to: "Enrol all the same?", dialogue)
        }
        guard !carried.isEmpty else { return .drop }
        dialogue.say(
            ["These keys open for the fingers enrolled so far:"]
                + carried.map { "  \($0.name)" }
                + ["Unless they are carried over, no finger opens them any more."])
        do throws(AuthenticationError) {
            return try await dialogue.agrees("Carry them over to the new set?") ? .carry : .drop
        } catch {
            throw CommandFailure(error)
        }
    }

    func verify(_ finger: Finger?) async throws(CommandFailure) -> Answer {
        try await withSession { (session, _) async throws(CommandFailure) in
            let request = try request()
            let result = try await call { () async throws(VaultError) in
                try await session.fingers.verify(finger, request: request)
            }
            var answer = Answer(
                members: [.init("finger", JSON(finger?.rawValue))] + JSON.members(of: result))
            answer.isSimulated = result.isSimulated || watch.isSimulated
            answer.lines = [
                "\(finger?.rawValue ?? "a finger") matches"
                    + (result.rating.map { ", \($0.words)" } ?? "")
                    + result.simulatedMark
            ]
            return answer
        }
    }

    func removeFinger(_ finger: Finger) async throws(CommandFailure) -> Answer {
        try requireCredentialWay()
        return try await withSession { (session, _) async throws(CommandFailure) in
            let enrolled = try await call { () async throws(VaultError) in
                try await session.fingers.list()
            }
            guard let found = enrolled.first(where: { $0.finger == finger }) else {
                throw CommandFailure(.noSuchFinger(finger))
            }
            let request = try request(credential: try credential())
            let removal = try await call { () async throws(VaultError) in
                try await session.fingers.remove(finger, request: request)
            }
            var answer = Answer(members: [
                .init("finger", .string(finger.rawValue)),
                .init("deadKeys", JSON(removal.deadKeys.map(\.text))),
                .init("leftOnReader", JSON(removal.leftOnReader?.entry.identifier)),
            ])
            answer.isSimulated = found.isSimulated
            answer.isResult = false
            answer.lines =
                ["removed \(finger.rawValue)"] + FingerText.lines(forDead: removal.deadKeys)
            if let reason = removal.leftOnReader {
                console.note(
                    "its print opens nothing any more, but is still on the reader: "
                        + reason.sentence)
            }
            return answer
        }
    }

    func unlock() async throws(CommandFailure) -> Answer {
        try requireCredentialWay()
        return try await withSession { (session, _) async throws(CommandFailure) in
            let before = try await openToFingers(in: session)
            let request = try await givenRequest()
            do throws(AuthenticationError) {
                try await session.unlock(request: request)
            } catch {
                throw CommandFailure(error)
            }
            // An enrolment that was cut off ends now, and with it what was bound to the set before.
            let after = try await openToFingers(in: session)
            let dead = before.filter { !after.contains($0) }
            var answer = Answer(members: [.init("deadKeys", JSON(dead.map(\.text)))])
            let given = options.recoveryKey == nil ? "PIN" : "recovery key"
            answer.lines =
                ["the \(given) was right; fingers count again"] + FingerText.lines(forDead: dead)
            answer.isResult = false
            return answer
        }
    }

    private func openToFingers(
        in session: any WhorlSession
    ) async throws(CommandFailure) -> [KeyName] {
        let keys = try await call { () async throws(VaultError) in try await session.vault.list() }
        return keys.filter { $0.state == .open && $0.access.mentionsFinger }.map(\.name)
    }

    func lock() async throws(CommandFailure) -> Answer {
        try await withSession { (session, placement) async throws(CommandFailure) in
            await session.lock()
            if placement == .inProcess {
                console.note(
                    "in this process a match ends with the command, so there was none to end")
            }
            var answer = Answer(lines: ["every reuse window has ended"])
            answer.isResult = false
            return answer
        }
    }
}
