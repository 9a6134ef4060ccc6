/// What libfprint's errors are in the taxonomy.
///
/// A test takes the codes from the C header.
public enum LibfprintMapping {
    /// The quark string of `FpDeviceError`.
    public static let deviceErrorDomain = "fp-device-error-quark"
    /// The quark string of `FpDeviceRetry`.
    public static let retryDomain = "fp-device-retry-quark"
    /// The quark string of GLib's `GIOErrorEnum`.
    public static let ioErrorDomain = "g-io-error-quark"
    /// The quark string of libgusb's `GUsbDeviceError`.
    public static let usbErrorDomain = "g-usb-device-error-quark"

    /// A row of the mapping, for documents.
    public struct Row: Sendable {
        /// The domain.
        public let domain: String
        /// The code in it.
        public let code: Int
        /// The C constant.
        public let constant: String
        /// The entry, or nil for a retry, which is a hint and no error.
        public let entry: TaxonomyEntry?
        /// The hint, for a retry.
        public let hint: CaptureHint?
    }

    /// The error that a libfprint operation failed with.
    ///
    /// Retries are no errors: see ``CaptureHint/init(libfprintRetry:)``. An unknown domain or code
    /// becomes ``AuthenticationError/vendor(domain:code:message:)``.
    public static func error(
        domain: String, code: Int, message: String
    ) -> AuthenticationError {
        let source = SourceError(domain: domain, code: code, message: message)
        let unknown = AuthenticationError.vendor(
            domain: domain, code: code, message: source.message)
        switch domain {
        case deviceErrorDomain: return deviceError(source) ?? unknown
        case usbErrorDomain: return usbError(source) ?? unknown
        case ioErrorDomain: return ioError(source) ?? unknown
        default: return unknown
        }
    }

    // `FpDeviceError` in libfprint/fp-device.h.
    private static func deviceError(_ source: SourceError) -> AuthenticationError? {
        switch source.code {
        case 0: .readerFault(source)
        case 1: .readerUnsupported(source)
        case 2, 3: .readerMisused(source)
        case 4: .readerBusy(source)
        case 5: .readerProtocol(source)
        case 6: .printUnusable(source)
        case 7: .printMissing(source)
        case 8: .readerFull(source)
        case 9: .duplicateFinger(source)
        case 0x100: .readerDisconnected(source)
        case 0x101: .readerTooHot(source)
        default: nil
        }
    }

    // `GUsbDeviceError` in gusb/gusb-device.h.
    private static func usbError(_ source: SourceError) -> AuthenticationError? {
        switch source.code {
        case 0, 1: .readerFault(source)  // INTERNAL, IO
        case 2: .readerUnavailable(source)  // TIMED_OUT
        case 3: .readerUnsupported(source)  // NOT_SUPPORTED
        case 4: .readerDisconnected(source)  // NO_DEVICE
        case 5: .readerMisused(source)  // NOT_OPEN
        case 6: .readerMisused(source)  // ALREADY_OPEN
        case 7: .systemCancelled  // CANCELLED, where we did not cancel
        case 8: .readerFault(source)  // FAILED
        case 9: .notPermitted(source)  // PERMISSION_DENIED
        case 10: .readerBusy(source)  // BUSY
        default: nil
        }
    }

    // `GIOErrorEnum` in gio/gioenums.h: those that libfprint's drivers raise.
    private static func ioError(_ source: SourceError) -> AuthenticationError? {
        switch source.code {
        case 0: .readerFault(source)  // FAILED
        case 1: .readerDisconnected(source)  // NOT_FOUND
        case 14: .notPermitted(source)  // PERMISSION_DENIED
        case 15: .readerUnsupported(source)  // NOT_SUPPORTED
        case 19: .systemCancelled  // CANCELLED, where we did not cancel
        case 24: .readerUnavailable(source)  // TIMED_OUT
        case 26: .readerBusy(source)  // BUSY
        case 44: .readerDisconnected(source)  // BROKEN_PIPE, CONNECTION_CLOSED
        default: nil
        }
    }

    /// Every libfprint error and retry, for the documents.
    public static let rows: [Row] =
        [
            ("FP_DEVICE_ERROR_GENERAL", 0), ("FP_DEVICE_ERROR_NOT_SUPPORTED", 1),
            ("FP_DEVICE_ERROR_NOT_OPEN", 2), ("FP_DEVICE_ERROR_ALREADY_OPEN", 3),
            ("FP_DEVICE_ERROR_BUSY", 4), ("FP_DEVICE_ERROR_PROTO", 5),
            ("FP_DEVICE_ERROR_DATA_INVALID", 6), ("FP_DEVICE_ERROR_DATA_NOT_FOUND", 7),
            ("FP_DEVICE_ERROR_DATA_FULL", 8), ("FP_DEVICE_ERROR_DATA_DUPLICATE", 9),
            ("FP_DEVICE_ERROR_REMOVED", 0x100), ("FP_DEVICE_ERROR_TOO_HOT", 0x101),
        ].map { constant, code in
            Row(
                domain: deviceErrorDomain, code: code, constant: constant,
                entry: error(domain: deviceErrorDomain, code: code, message: "").entry, hint: nil)
        }
        + [
            ("FP_DEVICE_RETRY_GENERAL", 0), ("FP_DEVICE_RETRY_TOO_SHORT", 1),
            ("FP_DEVICE_RETRY_CENTER_FINGER", 2), ("FP_DEVICE_RETRY_REMOVE_FINGER", 3),
            ("FP_DEVICE_RETRY_TOO_FAST", 4),
        ].map { constant, code in
            Row(
                domain: retryDomain, code: code, constant: constant, entry: nil,
                hint: CaptureHint(libfprintRetry: code))
        }
}
