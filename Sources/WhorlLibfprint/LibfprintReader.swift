public import WhorlBiometrics
internal import WhorlGLib

/// A reader that libfprint drives in this process.
///
/// Every operation ends in bounded time after it is cancelled, even where the driver never answers;
/// until libfprint has really let go, the reader refuses other operations with
/// ``AuthenticationError/readerStillFinishing(_:)``. The reader is never told whose finger it is: it
/// enrols with an empty template.
///
/// The corresponding C type is `FpDevice`.
public final class LibfprintReader: FingerprintReader {
    private let device: Device
    private let desk: OperationDesk
    private let bounds: LibfprintBounds

    @LibfprintActor
    init(device: Device, bounds: LibfprintBounds) {
        self.device = device
        self.desk = device.desk
        self.bounds = bounds
    }

    deinit {
        // An open reader that nobody holds any more would stay open until the process ends.
        Task { @LibfprintActor [device] in await device.abandon() }
    }

    /// What the reader is, as libfprint said last.
    public var description: ReaderDescription {
        get async { desk.description }
    }

    /// Whether the reader was pulled out.
    ///
    /// A reader that is plugged in again is another one.
    public var isUnplugged: Bool { desk.isUnplugged }

    /// Starts an operation and gives its events.
    ///
    /// Errors come as the outcome in the last event, mapped from libfprint's by ``LibfprintMapping``.
    /// The corresponding C functions are named at ``ReaderCommand``.
    public func perform(_ command: ReaderCommand) async -> AsyncStream<ReaderEvent> {
        let (stream, events) = AsyncStream.makeStream(of: ReaderEvent.self)
        let operation = ReaderOperation(command, events: events)
        if let refusal = desk.admit(operation) {
            operation.end(.failed(refusal))
            return stream
        }
        let grace = bounds.cancellation
        // A cycle until the stream ends, which it always does, and lets go of this.
        events.onTermination = { reason in
            if case .cancelled = reason { operation.stop(.cancelled, grace: grace) }
        }
        let overseer = command.waitsForFinger ? nil : oversee(operation)
        Task { @LibfprintActor [device] in
            let outcome = await device.outcome(of: operation)
            overseer?.cancel()
            operation.end(outcome)
        }
        return stream
    }

    /// Cancels the operation that runs, if one does.
    public func cancel() async {
        desk.current?.stop(.cancelled, grace: bounds.cancellation)
    }

    private func oversee(_ operation: ReaderOperation) -> Task<Void, Never> {
        Task { [bounds] in
            do {
                try await Task.sleep(for: bounds.answer)
                operation.stop(.overdue(bounds.answer), grace: bounds.cancellation)
            } catch {
                // It ended in time.
            }
        }
    }
}

extension ReaderCommand {
    // Those that wait for a finger end when the one who asked for it cancels.
    fileprivate var waitsForFinger: Bool {
        switch self {
        case .enroll, .verify, .identify, .capture: true
        case .open, .close, .suspend, .resume, .list, .delete, .clearStorage: false
        }
    }
}
