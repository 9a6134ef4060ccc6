import WhorlGLib

/// An actor on a main context of its own.
actor MainContextActor {
    nonisolated let executor = MainContextExecutor(.own, name: "whorl-test")
    private(set) var log: [String] = []

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        unsafe executor.asUnownedSerialExecutor()
    }

    func note(_ word: String) { log.append(word) }

    func run<Result: Sendable>(
        _ body: @Sendable (isolated MainContextActor) async throws -> Result
    ) async rethrows -> Result {
        try await body(self)
    }
}
