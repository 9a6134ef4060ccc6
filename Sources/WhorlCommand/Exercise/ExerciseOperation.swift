internal import WhorlBiometrics

/// One operation of `lab exercise`.
enum ExerciseOperation: Sendable, Hashable {
    /// Make the reader ready.
    case open
    /// Give it back.
    case close
    /// Delete every print from the chip.
    case clear
    /// Take a print, and hold it under our label.
    case enroll(Finger)
    /// Name the prints on the chip, and hold them.
    case list
    /// Compare one capture with the print held under that label.
    case verify(Finger)
    /// Compare one capture with the prints that were listed last, or else with those enrolled.
    case identify
    /// Take a picture, into a new file.
    case capture(file: String)
    /// Delete the print held under that label from the chip.
    case delete(Finger)
    /// Prepare for the machine's sleep.
    case suspend
    /// Wake up after it.
    case resume
    /// Write out every print that is held, read it back, and go on with what was read.
    case roundtrip
    /// Wait, in milliseconds.
    case wait(milliseconds: Int)

    /// The bare word, as in the arguments.
    var word: String {
        switch self {
        case .open: "open"
        case .close: "close"
        case .clear: "clear"
        case .enroll: "enroll"
        case .list: "list"
        case .verify: "verify"
        case .identify: "identify"
        case .capture: "capture"
        case .delete: "delete"
        case .suspend: "suspend"
        case .resume: "resume"
        case .roundtrip: "roundtrip"
        case .wait: "wait"
        }
    }

    /// The finger's label, where it has one.
    var finger: Finger? {
        switch self {
        case .enroll(let finger), .verify(let finger), .delete(let finger): finger
        default: nil
        }
    }

    /// Whether it waits for a finger; the others end by themselves.
    var waitsForFinger: Bool {
        switch self {
        case .enroll, .verify, .identify, .capture: true
        default: false
        }
    }

    /// Whether it changes what a reader keeps.
    var isDestructive: Bool {
        switch self {
        case .clear, .enroll, .delete: true
        default: false
        }
    }
}
