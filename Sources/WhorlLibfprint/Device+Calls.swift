internal import CWhorlFprint
internal import WhorlBiometrics
internal import WhorlGLib

extension Device {
    typealias Cancellation = UnsafeMutablePointer<GCancellable>
    typealias FailureSlot = UnsafeMutablePointer<UnsafeMutablePointer<GError>?>

    /// Makes one asynchronous call of libfprint's for an operation.
    ///
    /// - Parameters:
    ///   - operation: The operation, which hears that it started.
    ///   - start: The C function that starts, given what GIO wants of every such call.
    ///   - finish: The C function that finishes; its outcome counts only if it set no error.
    /// - Returns: How the operation ended.
    func call(
        _ operation: ReaderOperation,
        start: (Cancellation, @escaping GAsyncReadyCallback, UnsafeMutableRawPointer) -> Void,
        finish: @escaping (OpaquePointer, FailureSlot) -> ReaderOutcome
    ) async -> ReaderOutcome {
        // Before the call, since a driver that has an answer ready reports it inside.
        operation.report(.started)
        let result = await unsafe gioCall(
            on: LibfprintActor.executor, cancellable: operation.cancellable, start: start,
            finish: finish)
        switch result {
        case .success(let outcome): return outcome
        case .failure(let error): return Self.outcome(of: error, in: operation)
        }
    }

    /// Makes a call that has nothing to hand over.
    func plain(
        _ operation: ReaderOperation,
        _ start: (
            UnsafeMutablePointer<FpDevice>?, Cancellation?, GAsyncReadyCallback?,
            UnsafeMutableRawPointer?
        ) -> Void,
        _ finish:
            @escaping (UnsafeMutablePointer<FpDevice>?, OpaquePointer?, FailureSlot?) -> gboolean
    ) async -> ReaderOutcome {
        let device = unsafe pointer
        return await unsafe call(
            operation,
            start: { unsafe start(device, $0, $1, $2) },
            finish: { unsafe finish(device, $0, $1) != 0 ? .done : .withoutReason })
    }

    /// What an error at the end of a call means to the one who asked for it.
    static func outcome(of error: GLibError, in operation: ReaderOperation) -> ReaderOutcome {
        if error.isCancellation, let stop = operation.stop {
            switch stop {
            case .cancelled: return .cancelled
            case .overdue(let bound):
                return .failed(.readerUnavailable(.whorl("it did not answer within \(bound)")))
            case .unplugged: return .failed(.unplugged)
            }
        }
        if error.domain == LibfprintMapping.retryDomain {
            return .retry(CaptureHint(libfprintRetry: error.code))
        }
        let mapped = LibfprintMapping.error(
            domain: error.domain, code: error.code, message: error.message)
        if case .notPermitted(let source) = mapped {
            return .failed(.noDirectUse(domain: source.domain, code: source.code))
        }
        return .failed(mapped)
    }
}

extension AuthenticationError {
    /// The device node belongs to others: what to do instead, with the code that says so.
    static func noDirectUse(domain: String, code: Int) -> AuthenticationError {
        .notPermitted(
            SourceError(
                domain: domain, code: code,
                message: "this user may not use the reader directly, so reach it through fprintd"))
    }
}

extension ReaderOutcome {
    /// For a call that failed and set no error, which libfprint promises not to do.
    static let withoutReason = ReaderOutcome.failed(.readerFault(.whorl("it gave no reason")))
}
