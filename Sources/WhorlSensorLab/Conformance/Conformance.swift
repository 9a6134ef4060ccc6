internal import WhorlBiometrics

/// The one list of what every reader must do, whichever way it is reached.
///
/// A requirement is a plain function of a reader and an ``Operator``, so that the same list runs in
/// tests, on simulated readers, and on a rig with no toolchain. Each starts with a closed reader and
/// leaves it closed.
public enum Conformance {
    /// Every requirement, in the order in which a report shows them.
    public static let requirements: [Requirement] =
        lifecycle + fingers + interruptions + unplugging

    static let lifecycle: [Requirement] = [
        Requirement(
            "opens-and-closes", "A reader opens and closes, as often as it is told to"
        ) { reader, _ in
            for _ in 0..<2 { try await Run.opened(reader) {} }
        },
        Requirement(
            "refuses-work-while-closed", "A closed reader gives an error, never a verdict"
        ) { reader, `operator` in
            let run = try await Run.of(.enroll, on: reader, touching: .first, by: `operator`)
            guard case .failed = run.outcome else { throw Run.unexpected(.enroll, run.outcome) }
        },
        Requirement(
            "keeps-its-identity", "What tells a reader from others stays the same when it is opened"
        ) { reader, _ in
            let before = await reader.description.identity
            try await Run.opened(reader) {
                guard await reader.description.identity == before else {
                    throw Nonconformance("the identity changed when the reader was opened")
                }
            }
        },
    ]

    static let fingers: [Requirement] = [
        Requirement(
            "enrols-in-its-stages",
            "An enrolment counts up its stages, without a gap, to the number that was promised"
        ) { reader, `operator` in
            try await Run.opened(reader) {
                let stages = await reader.description.enrollStages
                try await Run.enrolled(on: reader, by: `operator`) { _, run in
                    let counted = run.events.compactMap { event -> Int? in
                        guard case .enrollStage(let completed, of: stages) = event else {
                            return nil
                        }
                        return completed
                    }
                    guard counted == Array(1...max(stages, 1)) else {
                        throw Nonconformance(
                            "of \(stages) stages these were reported: \(counted)")
                    }
                }
            }
        },
        Requirement(
            "verify-matches-the-enrolled-finger", "The finger that was enrolled matches",
            features: .verify
        ) { reader, `operator` in
            try await comparing(.first, on: reader, by: `operator`) {
                .verify($0)
            } expecting: {
                if case .match(index: 0) = $0 { true } else { false }
            }
        },
        Requirement(
            "verify-refuses-another-finger", "A finger that was not enrolled does not match",
            features: .verify
        ) { reader, `operator` in
            try await comparing(.second, on: reader, by: `operator`) {
                .verify($0)
            } expecting: {
                isRefusal($0)
            }
        },
        Requirement(
            "identify-finds-the-finger", "Identify names the print that matches, by its index",
            features: .identify
        ) { reader, `operator` in
            try await comparing(.first, on: reader, by: `operator`) {
                .identify([$0])
            } expecting: {
                if case .match(index: 0) = $0 { true } else { false }
            }
        },
        Requirement(
            "identify-refuses-another-finger", "A finger that is in no print is not identified",
            features: .identify
        ) { reader, `operator` in
            try await comparing(.second, on: reader, by: `operator`) {
                .identify([$0])
            } expecting: {
                isRefusal($0)
            }
        },
    ]

    // A chip may say that it does not know the finger (libfprint's DATA_NOT_FOUND).
    private static func isRefusal(_ outcome: ReaderOutcome) -> Bool {
        switch outcome {
        case .noMatch, .failed(.printMissing): true
        default: false
        }
    }

    private static func comparing(
        _ finger: PresentedFinger, on reader: any FingerprintReader, by operator: any Operator,
        with command: (Print) -> ReaderCommand, expecting isRight: (ReaderOutcome) -> Bool
    ) async throws {
        try await Run.opened(reader) {
            try await Run.enrolled(on: reader, by: `operator`) { print, _ in
                let command = command(print)
                let run = try await Run.of(command, on: reader, touching: finger, by: `operator`)
                guard isRight(run.outcome) else { throw Run.unexpected(command, run.outcome) }
            }
        }
    }

    static let interruptions: [Requirement] = [
        Requirement(
            "refuses-a-second-operation",
            "An operation asked for while one runs is refused, and the one that runs goes on"
        ) { reader, _ in
            try await Run.opened(reader) {
                let armed = try await Armed(.enroll, on: reader)
                let second = await reader.outcome(of: .enroll)
                guard case .failed(.readerBusy) = second else {
                    throw Run.unexpected(.enroll, second)
                }
                await reader.cancel()
                guard case .cancelled = try await armed.outcome() else {
                    throw Nonconformance("the first operation did not live to be cancelled")
                }
            }
        },
        Requirement(
            "ends-when-cancelled",
            "A cancel ends an armed reader in bounded time, and it works after"
        ) { reader, `operator` in
            try await Run.opened(reader) {
                let armed = try await Armed(.enroll, on: reader)
                await reader.cancel()
                let outcome = try await armed.outcome()
                guard case .cancelled = outcome else { throw Run.unexpected(.enroll, outcome) }
                try await Run.enrolled(on: reader, by: `operator`) { _, _ in }
            }
        },
        Requirement(
            "ends-when-nobody-listens",
            "An operation whose events nobody reads any more is cancelled, and frees the reader"
        ) { reader, `operator` in
            try await Run.opened(reader) {
                _ = try await Armed(.enroll, on: reader)
                try await becomesFree(reader)
                try await Run.enrolled(on: reader, by: `operator`) { _, _ in }
            }
        },
    ]

    private static func becomesFree(_ reader: any FingerprintReader) async throws {
        let deadline = ContinuousClock.now + Run.settling
        repeat {
            if let armed = try? await Armed(.enroll, on: reader) {
                await reader.cancel()
                _ = try await armed.outcome()
                return
            }
            try await Task.sleep(for: .milliseconds(10))
        } while ContinuousClock.now < deadline
        throw Nonconformance("the reader stayed busy with what nobody listens to")
    }

    /// The last one, since a reader that was pulled out may be another one when it is back.
    static let unplugging: [Requirement] = [
        Requirement(
            "says-that-it-was-unplugged", "A reader that is pulled out while armed says so",
            abilities: [.unplug]
        ) { reader, `operator` in
            try await Run.done(.open, on: reader)
            let armed = try await Armed(.enroll, on: reader)
            try await `operator`.unplug()
            let outcome = try await armed.outcome()
            _ = await reader.outcome(of: .close)
            if `operator`.abilities.contains(.replug) { try await `operator`.replug() }
            guard case .failed(.readerDisconnected) = outcome else {
                throw Run.unexpected(.enroll, outcome)
            }
        }
    ]
}
