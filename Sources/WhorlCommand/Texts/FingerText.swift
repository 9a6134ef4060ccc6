internal import WhorlBiometrics
internal import WhorlKit

/// Enrolled fingers in words.
enum FingerText {
    /// Every finger, one a line.
    static func lines(for fingers: [EnrolledFinger]) -> [String] {
        TextLayout.table(
            fingers.map { finger in
                [
                    finger.finger.rawValue, reader(finger),
                    "enrolled \(Timestamp.words(finger.enrolled))",
                ]
            })
    }

    /// The reader of a finger, and whether it was simulated.
    static func reader(_ finger: EnrolledFinger) -> String {
        "\(DisplayText(finger.reader.selector))" + (finger.isSimulated ? " (simulated)" : "")
    }

    /// The keys whose finger's way died.
    static func lines(forDead keys: [KeyName]) -> [String] {
        guard !keys.isEmpty else { return [] }
        return ["no finger opens these any more; put them again, or use the PIN:"]
            + keys.map { "  \($0)" }
    }
}
