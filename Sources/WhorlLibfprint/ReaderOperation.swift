internal import Synchronization
internal import WhorlBiometrics
internal import WhorlGLib

/// One operation, from its admission to its last event and on to the end of libfprint's call.
///
/// The two ends are apart where a driver ignores its cancel: the caller is told in bounded time, and
/// the reader stays taken until libfprint comes back. What is asked of an operation may be asked
/// from every thread, so that a stuck libfprint thread holds up nobody else.
final class ReaderOperation: Sendable {
    /// Why an operation is stopped before it ended by itself.
    enum Stop: Sendable, Hashable {
        /// The caller cancelled, or listens no more.
        case cancelled
        /// It took longer than its bound.
        case overdue(Duration)
        /// The reader was pulled out.
        case unplugged
    }

    private struct Progress {
        var stop: Stop?
        var hasEnded = false
    }

    let command: ReaderCommand
    let cancellable = Cancellable()
    private let events: AsyncStream<ReaderEvent>.Continuation
    private let progress = Mutex(Progress())

    init(_ command: ReaderCommand, events: AsyncStream<ReaderEvent>.Continuation) {
        self.command = command
        self.events = events
    }

    /// Why it is stopped, where it is.
    var stop: Stop? { progress.withLock { $0.stop } }

    /// Whether the caller was given the last event.
    var hasEnded: Bool { progress.withLock { $0.hasEnded } }

    /// Passes an event on, unless the last one is out.
    func report(_ event: ReaderEvent) {
        progress.withLock { progress in
            guard !progress.hasEnded else { return }
            events.yield(event)
        }
    }

    /// Gives the last event; the first one to do so wins.
    func end(_ outcome: ReaderOutcome) {
        let isFirst = progress.withLock { progress in
            guard !progress.hasEnded else { return false }
            progress.hasEnded = true
            events.yield(.ended(outcome))
            return true
        }
        // Outside the lock, since it calls the stream's termination handler.
        if isFirst { events.finish() }
    }

    /// Cancels libfprint's call, and ends in bounded time even if the driver does not care.
    ///
    /// The first reason stands.
    func stop(_ reason: Stop, grace: Duration) {
        let isFirst = progress.withLock { progress in
            guard progress.stop == nil, !progress.hasEnded else { return false }
            progress.stop = reason
            return true
        }
        guard isFirst else { return }
        cancellable.cancel(on: LibfprintActor.executor)
        Task {
            try? await Task.sleep(for: grace)
            end(.failed(Self.error(ofStuck: command, after: reason)))
        }
    }

    private static func error(
        ofStuck command: ReaderCommand, after reason: Stop
    ) -> AuthenticationError {
        switch reason {
        case .cancelled, .overdue:
            .readerStillFinishing(.whorl("it goes on with '\(command.word)' against its cancel"))
        case .unplugged: .unplugged
        }
    }
}

extension AuthenticationError {
    /// What libfprint says of a reader that is gone: `FP_DEVICE_ERROR_REMOVED`.
    static let unplugged = AuthenticationError.readerDisconnected(
        SourceError(
            domain: LibfprintMapping.deviceErrorDomain, code: 0x100,
            message: "The device has been removed"))
}
