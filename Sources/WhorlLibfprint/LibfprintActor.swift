internal import WhorlBiometrics
internal import WhorlGLib

/// The one thread on which libfprint is called and calls back.
///
/// It owns and iterates the process's default main context, since libfprint hangs otherwise, and does
/// nothing but libfprint, since matching on the host blocks it for seconds.
@globalActor
actor LibfprintActor {
    static let shared = LibfprintActor()

    static let executor = MainContextExecutor(.processDefault, name: "whorl-libfprint")

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        unsafe Self.executor.asUnownedSerialExecutor()
    }

    /// Starts the thread, unless it runs already: before anything else that hops onto this actor.
    static func start() async throws(AuthenticationError) {
        do throws(MainContextError) {
            try await executor.start()
        } catch {
            switch error {
            case .taken: throw .mainContextTaken
            case .noThread(let message): throw .readerUnavailable(.whorl(message))
            }
        }
    }

    /// Runs a closure of C's, which has no way to say so, as the actor's.
    ///
    /// Stops the program unless the caller is on the actor's thread.
    static func assumeIsolated<Result>(
        _ body: @LibfprintActor () throws -> Result
    ) rethrows -> Result {
        executor.checkIsolated()
        return try withoutActuallyEscaping(body) { body in
            // The isolation is part of the type alone, and was checked above.
            try unsafe unsafeBitCast(body, to: (() throws -> Result).self)()
        }
    }
}
