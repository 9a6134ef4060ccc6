/// One operation that a reader is asked for; a plain value.
@nonexhaustive
public enum ReaderCommand: Sendable {
    /// Make the reader ready.
    ///
    /// `fp_device_open`.
    case open
    /// Give it back.
    ///
    /// `fp_device_close`.
    case close
    /// Prepare for the machine's sleep.
    ///
    /// `fp_device_suspend`.
    case suspend
    /// Wake up after it.
    ///
    /// `fp_device_resume`.
    case resume
    /// Take a new print, always from an empty template.
    ///
    /// `fp_device_enroll`.
    case enroll
    /// Compare one capture with one print.
    ///
    /// `fp_device_verify`.
    case verify(Print)
    /// Compare one capture with several prints.
    ///
    /// `fp_device_identify`.
    case identify([Print])
    /// Take a picture.
    ///
    /// `fp_device_capture`.
    case capture
    /// Name the prints on the chip.
    ///
    /// `fp_device_list_prints`.
    case list
    /// Delete one print from the chip.
    ///
    /// `fp_device_delete_print`.
    case delete(Print)
    /// Delete every print from the chip.
    ///
    /// `fp_device_clear_storage`.
    case clearStorage

    /// The bare word for recordings and JSON.
    public var word: String {
        switch self {
        case .open: "open"
        case .close: "close"
        case .suspend: "suspend"
        case .resume: "resume"
        case .enroll: "enroll"
        case .verify: "verify"
        case .identify: "identify"
        case .capture: "capture"
        case .list: "list"
        case .delete: "delete"
        case .clearStorage: "clear"
        }
    }
}

/// What a reader reports while an operation runs; a plain value.
@nonexhaustive
public enum ReaderEvent: Sendable {
    /// The reader has begun the operation.
    case started
    /// What the sensor says of the finger changed.
    case finger(FingerStatus)
    /// libfprint's model of the reader's temperature changed.
    case temperature(ReaderTemperature)
    /// A good capture of an enrolment: how many are done, of how many.
    case enrollStage(completed: Int, of: Int)
    /// A bad capture; the operation goes on.
    case hint(CaptureHint)
    /// An early report of a verdict.
    ///
    /// It is no verdict yet: an error may still follow.
    case reported(match: Bool)
    /// The operation is over; always the last event, exactly once.
    case ended(ReaderOutcome)
}

/// How an operation ended; a plain value.
@nonexhaustive
public enum ReaderOutcome: Sendable {
    /// Done, with nothing to hand over.
    case done
    /// A new print.
    case enrolled(Print)
    /// The capture matched; for identify, the index of the print in the gallery that was given.
    case match(index: Int)
    /// A good capture that did not match: the only outcome that counts as a failed attempt.
    case noMatch
    /// A bad capture ended the operation: no verdict.
    ///
    /// To go on, start again.
    case retry(CaptureHint)
    /// A picture.
    case captured(CapturedImage)
    /// The prints on the chip.
    case prints([Print])
    /// It was cancelled.
    case cancelled
    /// It failed; never a verdict.
    case failed(AuthenticationError)
}

/// A fingerprint reader, whichever way it is reached.
///
/// One operation runs at a time; a second one asked for meanwhile ends in
/// ``AuthenticationError/readerBusy(_:)``. Everything a reader is told and tells is a plain value,
/// so that it can be recorded, replayed, or carried over a pipe.
public protocol FingerprintReader: Sendable {
    /// What the reader is.
    ///
    /// Number of stages and features may change when it is opened.
    var description: ReaderDescription { get async }

    /// Starts an operation and gives its events.
    ///
    /// The last event is ``ReaderEvent/ended(_:)``, in bounded time after ``cancel()`` even where
    /// the driver never answers (``AuthenticationError/readerStillFinishing(_:)``). When the
    /// consumer stops listening, the operation is cancelled.
    func perform(_ command: ReaderCommand) async -> AsyncStream<ReaderEvent>

    /// Cancels the operation that runs, if one does.
    ///
    /// Its last event still comes.
    func cancel() async
}

extension FingerprintReader {
    /// Runs an operation to its end and gives its outcome; events before it go to `onEvent`.
    ///
    /// A stream that ends without its last event is a fault of the reader, never a verdict.
    public func outcome(
        of command: ReaderCommand, onEvent: (ReaderEvent) async -> Void = { _ in }
    ) async -> ReaderOutcome {
        for await event in await perform(command) {
            if case .ended(let outcome) = event { return outcome }
            await onEvent(event)
        }
        return .failed(.readerFault(.whorl("the reader stopped answering")))
    }
}

/// Where readers come from: the libfprint of this process, fprintd, or the lab.
public protocol ReaderSource: Sendable {
    /// The readers that are there now.
    ///
    /// - Throws: ``AuthenticationError`` where it cannot be found out; an empty list is an answer.
    func readers() async throws(AuthenticationError) -> [any FingerprintReader]

    /// Tells of readers that come and go, from the time of the call on.
    func changes() async -> AsyncStream<ReaderChange>
}

/// A reader came or went.
public enum ReaderChange: Sendable {
    /// A reader was plugged in.
    case added(ReaderDescription)
    /// A reader was unplugged.
    case removed(ReaderDescription)
}
