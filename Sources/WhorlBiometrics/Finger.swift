/// One of a person's ten fingers, by the name that fprintd gives it.
///
/// The raw value is fprintd's spelling, used alike in arguments, JSON and on the bus.
/// The corresponding C type is `FpFinger`; ``libfprintValue`` is its number.
public enum Finger: String, Sendable, Hashable, CaseIterable {
    /// `left-thumb`
    case leftThumb = "left-thumb"
    /// `left-index-finger`
    case leftIndexFinger = "left-index-finger"
    /// `left-middle-finger`
    case leftMiddleFinger = "left-middle-finger"
    /// `left-ring-finger`
    case leftRingFinger = "left-ring-finger"
    /// `left-little-finger`
    case leftLittleFinger = "left-little-finger"
    /// `right-thumb`
    case rightThumb = "right-thumb"
    /// `right-index-finger`
    case rightIndexFinger = "right-index-finger"
    /// `right-middle-finger`
    case rightMiddleFinger = "right-middle-finger"
    /// `right-ring-finger`
    case rightRingFinger = "right-ring-finger"
    /// `right-little-finger`
    case rightLittleFinger = "right-little-finger"

    /// The number of this finger in libfprint's `FpFinger`, 1 (left thumb) to 10 (right little).
    public var libfprintValue: Int {
        switch self {
        case .leftThumb: 1
        case .leftIndexFinger: 2
        case .leftMiddleFinger: 3
        case .leftRingFinger: 4
        case .leftLittleFinger: 5
        case .rightThumb: 6
        case .rightIndexFinger: 7
        case .rightMiddleFinger: 8
        case .rightRingFinger: 9
        case .rightLittleFinger: 10
        }
    }

    /// The finger as words in a sentence: "right index finger".
    public var words: String {
        String(rawValue.map { $0 == "-" ? " " : $0 })
    }
}
