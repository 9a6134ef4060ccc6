import WhorlBiometrics

extension Authenticator {
    /// The right to be the one request that runs: in this process, and on this store.
    struct Turn: Sendable {
        let ticket: RequestQueue.Ticket
        fileprivate let lock: RequestLock
    }

    /// Waits in line within this process, then for other processes on the same store.
    ///
    /// - Throws: ``AuthenticationError/appCancelled`` where the task was cancelled meanwhile,
    ///   ``AuthenticationError/busy`` where another process keeps the store too long.
    func takeTurn() async throws(VaultError) -> Turn {
        let ticket = queue.draw()
        if !queue.takeTurn(ticket) {
            publish(.queued(position: queue.length))
            let isMine = await withTaskCancellationHandler {
                await withCheckedContinuation { queue.wait(ticket, $0) }
            } onCancel: {
                Task { await self.leave(ticket) }
            }
            guard isMine else {
                throw .authentication(cancellations.removeValue(forKey: ticket) ?? .appCancelled)
            }
        }
        do throws(VaultError) {
            let lock = try await RequestLock.acquire(
                inFolder: folder, waitingSeconds: gatekeeper.policy.waitSeconds,
                timekeeper: timekeeper)
            return Turn(ticket: ticket, lock: lock)
        } catch {
            cancellations[ticket] = nil
            queue.endTurn(ticket)
            throw error
        }
    }

    /// Ends a turn; the next in line goes on.
    func endTurn(_ turn: Turn) {
        turn.lock.release()
        cancellations[turn.ticket] = nil
        queue.endTurn(turn.ticket)
        publish(.idle)
    }

    private func leave(_ ticket: RequestQueue.Ticket) {
        queue.leave(ticket)
    }

    // MARK: State

    /// What this authenticator does, from now on.
    func states() -> AsyncStream<SessionState> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: SessionState.self, bufferingPolicy: .bufferingNewest(16))
        nextObserver += 1
        let number = nextObserver
        observers[number] = continuation
        continuation.onTermination = { _ in Task { await self.forget(number) } }
        return stream
    }

    private func forget(_ observer: Int) {
        observers[observer] = nil
    }

    func publish(_ state: SessionState) {
        for observer in observers.values { observer.yield(state) }
    }
}
