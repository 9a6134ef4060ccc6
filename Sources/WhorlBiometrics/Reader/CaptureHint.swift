/// Why a capture was bad, and what to tell the person: no verdict, so never a failed attempt.
///
/// Source for the numbers: Android's `BiometricFingerprintConstants` (`acquired` codes). Source for
/// "never counts": Android CDD 7.3.10 C-1-3 (a false trial needs a capture of good quality).
@nonexhaustive
public enum CaptureHint: Sendable, Hashable {
    /// Poor quality, for no particular reason.
    ///
    /// `FP_DEVICE_RETRY_GENERAL`.
    case poorQuality
    /// The swipe was too short.
    ///
    /// `FP_DEVICE_RETRY_TOO_SHORT`.
    case tooShort
    /// The finger was not centred.
    ///
    /// `FP_DEVICE_RETRY_CENTER_FINGER`.
    case notCentred
    /// The finger must be lifted first.
    ///
    /// `FP_DEVICE_RETRY_REMOVE_FINGER`.
    case liftFinger
    /// The finger moved too fast.
    ///
    /// `FP_DEVICE_RETRY_TOO_FAST` (libfprint 1.94.9).
    case tooFast
    /// Several bad captures in a row: the sensor is probably dirty.
    ///
    /// Ours, never a driver's.
    case cleanSensor
    /// A retry code that this version does not know.
    case other(code: Int)

    /// The hint for a code of libfprint's `FpDeviceRetry`.
    public init(libfprintRetry code: Int) {
        switch code {
        case 0: self = .poorQuality
        case 1: self = .tooShort
        case 2: self = .notCentred
        case 3: self = .liftFinger
        case 4: self = .tooFast
        default: self = .other(code: code)
        }
    }

    /// Android's `acquired` code: 1 partial, 2 insufficient, 3 dirty, 5 too fast, from 1000 vendor.
    public var acquired: Int {
        switch self {
        case .poorQuality, .liftFinger: 2
        case .tooShort, .notCentred: 1
        case .cleanSensor: 3
        case .tooFast: 5
        case .other(let code): 1000 + min(max(code, 0), 1_000_000)
        }
    }

    /// The stable word for JSON and logs.
    public var identifier: String {
        switch self {
        case .poorQuality: "poor-quality"
        case .tooShort: "too-short"
        case .notCentred: "not-centred"
        case .liftFinger: "lift-finger"
        case .tooFast: "too-fast"
        case .cleanSensor: "clean-sensor"
        case .other: "other"
        }
    }

    /// What to tell the person, for a reader of that scan type.
    public func sentence(for scanType: ScanType) -> String {
        switch self {
        case .poorQuality, .other:
            scanType == .press
                ? "that did not read well; press a little more flatly"
                : "that did not read well; swipe again, evenly"
        case .tooShort: "that was too short; swipe the whole fingertip across"
        case .notCentred: "move your finger to the middle of the sensor"
        case .liftFinger: "lift your finger, then touch again"
        case .tooFast: "a little slower, please"
        case .cleanSensor: "still not readable; wipe the sensor and your finger dry"
        }
    }
}
