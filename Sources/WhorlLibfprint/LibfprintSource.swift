internal import Synchronization
public import WhorlBiometrics
internal import WhorlGLib

/// The readers that libfprint finds in this machine, from within this process.
///
/// Nothing of libfprint starts before the first call. From then on one thread owns and iterates the
/// process's default `GMainContext`, so a program whose own main loop does that cannot use it.
///
/// The corresponding C type is `FpContext`.
public final class LibfprintSource: ReaderSource {
    /// Keeps what libfprint and its libraries log from standard error, for a program that draws there.
    ///
    /// To be called before readers are asked for; `G_MESSAGES_DEBUG` brings the log back.
    public static func hushLibraries() { LibraryLog.hush() }

    private let bounds: LibfprintBounds
    private let audience = Audience()
    @LibfprintActor private var roster: ReaderRoster?

    /// Makes a source; looks for no reader yet.
    ///
    /// - Parameter bounds: How long libfprint and its drivers may take.
    public init(bounds: LibfprintBounds = LibfprintBounds()) {
        self.bounds = bounds
    }

    /// The readers that are there now, in the order in which they came.
    ///
    /// The corresponding C functions are `fp_context_enumerate` and `fp_context_get_devices`.
    ///
    /// - Throws: ``AuthenticationError/mainContextTaken`` where another thread of this program owns
    ///   the default main context; ``AuthenticationError/notPermitted(_:)`` where there is a reader
    ///   that this user may not open; ``AuthenticationError/readerUnavailable(_:)`` where libfprint
    ///   does not answer, or found a reader and cannot use it.
    public func readers() async throws(AuthenticationError) -> [any FingerprintReader] {
        try await found().get()
    }

    /// Tells of readers that come and go, from the time of the call on.
    ///
    /// A reader is removed when it is pulled out, even while it is open. The stream ends at once
    /// where ``readers()`` would throw ``AuthenticationError/mainContextTaken``.
    public func changes() async -> AsyncStream<ReaderChange> {
        // Looks first, or what is there already would be announced as if it came.
        if case .failure(.mainContextTaken) = await found() { return AsyncStream { $0.finish() } }
        return audience.join()
    }

    private func found() async -> Result<[LibfprintReader], AuthenticationError> {
        do throws(AuthenticationError) {
            try await LibfprintActor.start()
        } catch {
            return .failure(error)
        }
        let late = AuthenticationError.readerUnavailable(
            .whorl("libfprint found no reader within \(bounds.enumeration)"))
        return await withDeadline(bounds.enumeration, else: .failure(late)) {
            @LibfprintActor [self] in
            do throws(AuthenticationError) {
                return .success(try look().readers())
            } catch {
                return .failure(error)
            }
        }
    }

    @LibfprintActor
    private func look() -> ReaderRoster {
        if let roster { return roster }
        let roster = ReaderRoster(bounds: bounds) { [audience] in audience.tell($0) }
        self.roster = roster
        return roster
    }
}

/// Those who want to hear of readers that come and go.
private final class Audience: Sendable {
    private struct Members {
        var next = 0
        var streams: [Int: AsyncStream<ReaderChange>.Continuation] = [:]
    }

    private let members = Mutex(Members())

    deinit {
        for stream in members.withLock({ $0.streams.values }) { stream.finish() }
    }

    func join() -> AsyncStream<ReaderChange> {
        let (stream, continuation) = AsyncStream.makeStream(of: ReaderChange.self)
        let number = members.withLock { members in
            members.next += 1
            members.streams[members.next] = continuation
            return members.next
        }
        continuation.onTermination = { [weak self] _ in
            self?.members.withLock { $0.streams[number] = nil }
        }
        return stream
    }

    func tell(_ change: ReaderChange) {
        for stream in members.withLock({ Array($0.streams.values) }) { stream.yield(change) }
    }
}
