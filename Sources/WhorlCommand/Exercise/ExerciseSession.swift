internal import WhorlBiometrics
internal import WhorlSecrets

/// One reader and the prints that are held while it is exercised.
struct ExerciseSession {
    typealias Emit = @Sendable (JSON) async -> Void

    let reader: any FingerprintReader
    let limits: ExerciseLimits
    private var enrolled: [(finger: Finger, print: Print)] = []
    private var listed: [Print] = []

    init(reader: any FingerprintReader, limits: ExerciseLimits) {
        self.reader = reader
        self.limits = limits
    }

    /// Runs one operation; its events go to `emit` as they come.
    mutating func run(_ operation: ExerciseOperation, emit: Emit) async -> ExerciseResult {
        guard operation == .close || !limits.isInterrupted() else {
            return .failed(.userCancelled)
        }
        switch operation {
        case .open: return await plain(.open, operation, emit)
        case .close: return await plain(.close, operation, emit)
        case .clear: return await plain(.clearStorage, operation, emit)
        case .suspend: return await plain(.suspend, operation, emit)
        case .resume: return await plain(.resume, operation, emit)
        case .enroll(let finger): return await enroll(finger, operation, emit)
        case .list: return await list(operation, emit)
        case .verify(let finger):
            guard let print = held(finger) else { return .failed(.notEnrolled) }
            return matching(await outcome(of: .verify(print), operation, emit), among: [])
        case .identify:
            let gallery = listed.isEmpty ? enrolled.map(\.print) : listed
            guard !gallery.isEmpty else { return .failed(.notEnrolled) }
            return matching(await outcome(of: .identify(gallery), operation, emit), among: gallery)
        case .capture(let file): return await capture(file, operation, emit)
        case .delete(let finger):
            guard let print = held(finger) else { return .failed(.notEnrolled) }
            return await plain(.delete(print), operation, emit)
        case .roundtrip: return roundtrip()
        case .wait(let milliseconds):
            await wait(milliseconds)
            if limits.isInterrupted() { return .failed(.userCancelled) }
            return .done([JSON.Member("milliseconds", .integer(milliseconds))])
        }
    }

    // In steps, so that an interruption need not wait for the end.
    private func wait(_ milliseconds: Int) async {
        let end = ContinuousClock.now + .milliseconds(milliseconds)
        while !limits.isInterrupted(), ContinuousClock.now < end {
            try? await Task.sleep(until: min(end, .now + .milliseconds(50)))
        }
    }

    private func held(_ finger: Finger) -> Print? {
        enrolled.first { $0.finger == finger }?.print
    }

    // Runs one command of the reader's. Only the time for a finger is bounded here: the rest is
    // bounded by the reader.
    private func outcome(
        of command: ReaderCommand, _ operation: ExerciseOperation, _ emit: Emit
    ) async -> ReaderOutcome {
        let isTimed = operation.waitsForFinger
        let clock = Task { [reader, patience = limits.patience] in
            guard isTimed else { return false }
            do {
                try await Task.sleep(for: patience)
                await reader.cancel()
                return true
            } catch {
                return false
            }
        }
        let outcome = await reader.outcome(of: command) { event in
            if let line = ExerciseLine.event(event, of: operation) { await emit(line) }
        }
        clock.cancel()
        // To its end, or it might still cancel the next operation.
        let isOverdue = await clock.value
        guard case .cancelled = outcome else { return outcome }
        return .failed(isOverdue ? .timedOut : .userCancelled)
    }
}

// MARK: - Operations

extension ExerciseSession {
    private func plain(
        _ command: ReaderCommand, _ operation: ExerciseOperation, _ emit: Emit
    ) async -> ExerciseResult {
        let outcome = await outcome(of: command, operation, emit)
        if case .done = outcome { return .done([]) }
        return .unfinished(outcome)
    }

    private mutating func enroll(
        _ finger: Finger, _ operation: ExerciseOperation, _ emit: Emit
    ) async -> ExerciseResult {
        let outcome = await outcome(of: .enroll, operation, emit)
        guard case .enrolled(let print) = outcome else { return .unfinished(outcome) }
        enrolled.removeAll { $0.finger == finger }
        enrolled.append((finger, print))
        return .done([
            JSON.Member("onChip", .bool(print.isStoredOnChip)),
            JSON.Member("bytes", .integer(print.count)),
        ])
    }

    private mutating func list(
        _ operation: ExerciseOperation, _ emit: Emit
    ) async -> ExerciseResult {
        let outcome = await outcome(of: .list, operation, emit)
        guard case .prints(let prints) = outcome else { return .unfinished(outcome) }
        listed = prints
        return .done([JSON.Member("prints", .integer(prints.count))])
    }

    private func matching(_ outcome: ReaderOutcome, among gallery: [Print]) -> ExerciseResult {
        switch outcome {
        case .noMatch: return .noMatch
        case .match(let index):
            guard !gallery.isEmpty else { return .match([]) }
            guard gallery.indices.contains(index) else {
                return .failed(
                    .readerProtocol(.whorl("it matched print \(index) of \(gallery.count)")))
            }
            let finger = enrolled.first { $0.print.hasSameBytes(as: gallery[index]) }?.finger
            return .match([
                JSON.Member("index", .integer(index)),
                JSON.Member("matched", JSON(finger?.rawValue)),
            ])
        default: return .unfinished(outcome)
        }
    }

    private func capture(
        _ path: String, _ operation: ExerciseOperation, _ emit: Emit
    ) async -> ExerciseResult {
        do throws(CommandFailure) {
            // Before the capture: nobody should touch a sensor for a picture with nowhere to go.
            try NewFile.check(path)
            let outcome = await outcome(of: .capture, operation, emit)
            guard case .captured(let image) = outcome else { return .unfinished(outcome) }
            try NewFile.write(Self.portableGreyMap(of: image), to: path)
            return .done([
                JSON.Member("file", .string(path)), JSON.Member("width", .integer(image.width)),
                JSON.Member("height", .integer(image.height)),
            ])
        } catch {
            return .error(error)
        }
    }

    // The picture may be of a person's finger, so the file's bytes never leave locked memory.
    private static func portableGreyMap(
        of image: CapturedImage
    ) throws(CommandFailure) -> SecretBytes {
        let header = Array("P5\n\(image.width) \(image.height)\n255\n".utf8)
        do throws(SecretMemoryError) {
            let start = try unsafe SecretBytes(copying: header.span.bytes)
            return try image.withPixels { (pixels) throws(SecretMemoryError) in
                try start.concatenating(pixels)
            }
        } catch {
            throw .memory(error.description)
        }
    }

    private mutating func roundtrip() -> ExerciseResult {
        do throws(CommandFailure) {
            for index in enrolled.indices {
                enrolled[index].print = try Self.reread(enrolled[index].print)
            }
            for index in listed.indices { listed[index] = try Self.reread(listed[index]) }
        } catch {
            return .error(error)
        }
        return .done([JSON.Member("prints", .integer(enrolled.count + listed.count))])
    }

    // A print is held as the bytes that libfprint serialised, and libfprint reads them again for
    // each operation: so the way out and back is that of bytes.
    private static func reread(_ print: Print) throws(CommandFailure) -> Print {
        do throws(SecretMemoryError) {
            let bytes = try print.withSerialized { (secret) throws(SecretMemoryError) in
                try secret.clone()
            }
            return Print(serialized: bytes, isStoredOnChip: print.isStoredOnChip)
        } catch {
            throw .memory(error.description)
        }
    }
}
