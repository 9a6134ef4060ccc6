internal import WhorlBiometrics

/// An operation that waits for a finger; it is abandoned when this is let go of.
struct Armed {
    private let command: ReaderCommand
    private let rest: AsyncStream<ReaderOutcome?>
    private let listening: Abandoning

    private final class Abandoning: Sendable {
        let task: Task<Void, Never>
        init(_ task: Task<Void, Never>) { self.task = task }
        deinit { task.cancel() }
    }

    /// Starts an operation, and waits until the reader says that it needs a finger.
    init(_ command: ReaderCommand, on reader: any FingerprintReader) async throws {
        let (armed, arming) = AsyncStream.makeStream(of: Bool.self)
        let (rest, ending) = AsyncStream.makeStream(of: ReaderOutcome?.self)
        let task = Task {
            for await event in await reader.perform(command) {
                switch event {
                case .finger(let status) where status.contains(.needed): arming.yield(true)
                case .ended(let outcome):
                    ending.yield(outcome)
                    arming.yield(false)
                default: break
                }
            }
            ending.yield(nil)
            ending.finish()
            arming.finish()
        }
        self.command = command
        self.rest = rest
        listening = Abandoning(task)
        let isArmed = await first(within: Run.settling) {
            for await news in armed { return news }
            return false
        }
        guard isArmed == true else {
            throw Nonconformance("\(command.word): the reader never said that it needs a finger")
        }
    }

    /// How it ended, in bounded time.
    func outcome() async throws -> ReaderOutcome {
        defer { withExtendedLifetime(listening) {} }
        let ending = await first(within: Run.settling) { [rest] in
            for await outcome in rest { return outcome }
            return nil
        }
        switch ending {
        case .some(.some(let outcome)): return outcome
        case .some(.none):
            throw Nonconformance("\(command.word): the stream ended without its last event")
        case .none:
            throw Nonconformance("\(command.word): no end within \(Run.settling)")
        }
    }
}
