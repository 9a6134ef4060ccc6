internal import WhorlBiometrics

/// One operation of a reader under test: its events, with an operator who touches when asked to.
struct Run {
    let events: [ReaderEvent]
    let outcome: ReaderOutcome

    /// How long a reader may take to come to an end after a cancel or a fault.
    static let settling = Duration.seconds(5)

    /// Runs an operation to its end.
    ///
    /// The finger is presented each time the reader says that it needs one, as a person does who
    /// reads the prompt.
    static func of(
        _ command: ReaderCommand, on reader: any FingerprintReader,
        touching finger: PresentedFinger? = nil, by operator: (any Operator)? = nil
    ) async throws -> Run {
        var events: [ReaderEvent] = []
        var status: FingerStatus = []
        var ending: ReaderOutcome?
        for await event in await reader.perform(command) {
            guard ending == nil else {
                throw Nonconformance("\(command.word): an event came after the last one")
            }
            var isAsked = false
            switch event {
            case .ended(let outcome): ending = outcome
            case .finger(let now):
                isAsked = now == .needed && !status.contains(.needed)
                status = now
            case .enrollStage(let completed, let total):
                isAsked = status == .needed && completed < total
            case .hint: isAsked = status == .needed
            default: break
            }
            events.append(event)
            if isAsked, let finger { try await `operator`?.present(finger) }
        }
        guard let ending else {
            throw Nonconformance("\(command.word): the stream ended without its last event")
        }
        return Run(events: events, outcome: ending)
    }

    /// Runs an operation that must end in `done`.
    static func done(_ command: ReaderCommand, on reader: any FingerprintReader) async throws {
        let run = try await of(command, on: reader)
        guard case .done = run.outcome else { throw unexpected(command, run.outcome) }
    }

    /// Enrols the operator's first finger, lends its print to the body, and deletes what the chip
    /// kept of it whatever happens: a chip that checks for duplicates would not take it again.
    static func enrolled(
        on reader: any FingerprintReader, by operator: any Operator,
        _ body: (Print, Run) async throws -> Void
    ) async throws {
        let run = try await of(.enroll, on: reader, touching: .first, by: `operator`)
        guard case .enrolled(let print) = run.outcome else {
            throw unexpected(.enroll, run.outcome)
        }
        do {
            try await body(print, run)
        } catch {
            await reader.cancel()
            try? await delete(print, on: reader)
            throw error
        }
        try await delete(print, on: reader)
    }

    private static func delete(_ print: Print, on reader: any FingerprintReader) async throws {
        guard await reader.description.features.contains(.storageDelete) else { return }
        try await done(.delete(print), on: reader)
    }

    /// Opens the reader, lets the body use it, and closes it whatever happens.
    static func opened(
        _ reader: any FingerprintReader, _ body: () async throws -> Void
    ) async throws {
        try await done(.open, on: reader)
        do {
            try await body()
        } catch {
            await reader.cancel()
            _ = await reader.outcome(of: .close)
            throw error
        }
        try await done(.close, on: reader)
    }

    static func unexpected(_ command: ReaderCommand, _ outcome: ReaderOutcome) -> Nonconformance {
        Nonconformance("\(command.word) ended in \(word(for: outcome))")
    }

    // Never the payload: it may be a print or a picture.
    static func word(for outcome: ReaderOutcome) -> String {
        switch outcome {
        case .done: "done"
        case .enrolled: "a print"
        case .match(let index): "a match with print \(index)"
        case .noMatch: "no match"
        case .retry(let hint): "a retry (\(hint.identifier))"
        case .captured: "a picture"
        case .prints(let prints): "\(prints.count) prints"
        case .cancelled: "cancelled"
        case .failed(let error): "\(error.entry.identifier) (\(error.source?.message ?? ""))"
        }
    }
}
