internal import WhorlBiometrics
internal import WhorlKit

/// Readers in words.
enum ReaderText {
    /// A reader, with all that is known of it.
    static func lines(for reader: ReaderStatus) -> [String] {
        let description = reader.description
        let count = description.enrollStages
        let stages = count == 1 ? "1 stage" : "\(count) stages"
        let matching = description.matchesOnChip ? "matches on its chip" : "this host matches"
        var lines = [
            "\(DisplayText(description.identity.selector))  \(DisplayText(description.name))"
                + (description.isSimulated ? "  (\(description.reality.rawValue))" : "")
        ]
        let facts = [
            reader.rating.words,
            "\(description.scanType.rawValue), \(stages) to enrol, \(matching)",
            "port: \(words(for: description.identity.port))",
            "can: \(description.features.words.joined(separator: ", "))",
        ]
        lines += facts.flatMap { TextLayout.wrap($0, indent: 4) }
        return lines
    }

    /// A reader that failed, and why.
    static func lines(for failure: ReaderFailure) -> [String] {
        ["\(DisplayText(failure.name))  (failed)"]
            + TextLayout.wrap(DisplayText(failure.error.sentence).shown, indent: 4)
    }

    private static func words(for port: ReaderPort) -> String {
        switch port {
        case .usb(let path, let removable):
            "USB, \(DisplayText(path))"
                + (removable.map { $0 ? ", removable" : ", built in" } ?? "")
        case .none: "none"
        case .unknown: "unknown"
        }
    }
}
