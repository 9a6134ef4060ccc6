import WhorlBiometrics
import WhorlSecrets

/// Carries out the effects of a machine, and tells it what became of them: one loop a request.
///
/// Effects run one after another, and what an effect brings is told to the machine before anything
/// else that happened meanwhile: between a charge and the verdict it was for, nothing can come.
struct RequestLoop {
    /// What the effects act on.
    struct Surroundings: Sendable {
        let prompter: any Prompter
        let prompt: Prompt
        let reader: (any FingerprintReader)?
        let timekeeper: any Timekeeper
        let charge: @Sendable () async -> PromptEvent
        let settleNoMatch: @Sendable () async -> PromptEvent
        let refund: @Sendable () async -> Void
        let checkCredential: @Sendable (HeldSecret) async -> CredentialVerdict
    }

    /// Where events come in from outside: cancellation by an app, or of the task.
    let events: AsyncStream<PromptEvent>
    let sink: AsyncStream<PromptEvent>.Continuation

    init() {
        (events, sink) = AsyncStream.makeStream(of: PromptEvent.self)
    }

    /// Runs a machine to its end.
    func run<Machine: PromptMachine>(
        _ start: Machine, in surroundings: Surroundings
    ) async -> Result<Machine.Success, AuthenticationError> {
        var machine = start
        let tasks = TaskBag()
        defer { tasks.cancelAll() }
        var pending = machine.begin()
        var events = events.makeAsyncIterator()
        while true {
            while !pending.isEmpty {
                let effect = pending.removeFirst()
                if case .finish(let result) = effect {
                    sink.finish()
                    return result
                }
                if let event = await carryOut(effect, in: surroundings, tasks: tasks) {
                    pending = machine.handle(event) + pending
                }
            }
            // The sink is ours and finishes only above; without an event there is nobody to ask.
            guard let event = await events.next() else { return .failure(.appCancelled) }
            pending = machine.handle(event)
        }
    }

    private func carryOut<Success>(
        _ effect: PromptEffect<Success>, in surroundings: Surroundings, tasks: TaskBag
    ) async -> PromptEvent? {
        switch effect {
        case .show: show(in: surroundings, tasks: tasks)
        case .update(let state):
            let prompter = surroundings.prompter
            let isDrawn = await isDone(within: PromptPace.drawing, by: surroundings.timekeeper) {
                await prompter.update(state)
            }
            if !isDrawn { return .prompterGone }
        case .arm(let command, let round):
            guard let reader = surroundings.reader else {
                return .reader(.ended(.failed(.noReader)), round: round)
            }
            let stream = await reader.perform(command)
            tasks.add {
                var ended = false
                for await event in stream {
                    if case .ended = event { ended = true }
                    sink.yield(.reader(event, round: round))
                }
                if !ended {
                    let error = SourceError.whorl("the reader stopped answering")
                    sink.yield(.reader(.ended(.failed(.readerFault(error))), round: round))
                }
            }
        case .disarm: await surroundings.reader?.cancel()
        case .charge: return await surroundings.charge()
        case .settleNoMatch: return await surroundings.settleNoMatch()
        case .refund: await surroundings.refund()
        case .checkCredential(let secret):
            return .credentialChecked(await surroundings.checkCredential(secret))
        case .start(let timer, let nanoseconds):
            let timekeeper = surroundings.timekeeper
            tasks.add {
                await timekeeper.sleep(nanoseconds: nanoseconds)
                if !Task.isCancelled { sink.yield(.timer(timer)) }
            }
        case .discard(let print):
            // Best effort: a print that stays on the chip is in no store, so it opens nothing.
            _ = await surroundings.reader?.answer(
                to: .delete(print), by: surroundings.timekeeper)
        case .finish: break
        }
        return nil
    }

    // Not waited for here: a request is cancelled and runs out of time while its prompt is drawn too.
    private func show(in surroundings: Surroundings, tasks: TaskBag) {
        tasks.add {
            let inputs: AsyncStream<PromptInput>
            do throws(AuthenticationError) {
                inputs = try await surroundings.prompter.show(surroundings.prompt)
            } catch {
                sink.yield(.promptFailed(error))
                return
            }
            sink.yield(.promptShown)
            for await input in inputs { sink.yield(.input(input)) }
            if !Task.isCancelled { sink.yield(.prompterGone) }
        }
    }
}

// The tasks of one request, cancelled with it.
private final class TaskBag {
    private var tasks: [Task<Void, Never>] = []

    func add(_ body: @escaping @Sendable () async -> Void) {
        tasks.append(Task { await body() })
    }

    func cancelAll() {
        for task in tasks { task.cancel() }
    }
}
