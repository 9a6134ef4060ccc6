/// Which reader is meant: the value of `--reader`.
@nonexhaustive
public enum ReaderSelector: Sendable, Hashable {
    /// Any that fprintd has: `fprintd`.
    case fprintd
    /// Any that libfprint finds in this process: `libfprint`.
    case libfprint
    /// That of this driver, and of this id where one is given: `DRIVER[:ID]`.
    case driver(String, deviceID: String?)
    /// A recording: `recorded:FILE`.
    case recorded(path: String)

    /// Reads a selector; nil where the text is none.
    public init?(parsing text: String) {
        if text.isEmpty { return nil }
        if text == "fprintd" {
            self = .fprintd
        } else if text == "libfprint" {
            self = .libfprint
        } else if text.hasPrefix("recorded:") {
            let path = String(text.dropFirst("recorded:".count))
            if path.isEmpty { return nil }
            self = .recorded(path: path)
        } else {
            // A device id may itself hold colons; a driver's name does not.
            let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard let driver = parts.first, !driver.isEmpty,
                driver.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") })
            else { return nil }
            let id = parts.count > 1 ? String(parts[1]) : nil
            if id == "" { return nil }
            self = .driver(String(driver), deviceID: id)
        }
    }

    /// Whether a reader that libfprint found in this process is meant.
    public func includes(_ identity: ReaderIdentity) -> Bool {
        switch self {
        case .libfprint: true
        case .driver(let driver, let deviceID):
            identity.driver == driver && (deviceID == nil || identity.deviceID == deviceID)
        case .fprintd, .recorded: false
        }
    }
}
