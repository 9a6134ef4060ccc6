import WhorlBiometrics

extension FingerprintReader {
    /// Runs an operation that waits for no finger to its end, in bounded time, also where the task
    /// of the caller was cancelled: a reader that was opened is closed whatever happened.
    ///
    /// A reader promises an end in bounded time after a cancel only, so one that does not answer is
    /// cancelled.
    func answer(to command: ReaderCommand, by timekeeper: any Timekeeper) async -> ReaderOutcome {
        let operation = Task { await self.outcome(of: command) }
        let overseer = Task {
            await timekeeper.sleep(nanoseconds: PromptPace.answer)
            if !Task.isCancelled { await self.cancel() }
        }
        let ended = await operation.value
        overseer.cancel()
        return ended
    }
}
