internal import WhorlBiometrics

/// What stands between a key and somebody who has a copy of the disk.
enum DiskThief: String, Sendable {
    /// The TPM of this machine.
    case tpm
    /// The PIN, which can be guessed at leisure.
    case pin
    /// Nothing: a way without the PIN is under a key that lies on the same disk.
    case nothing

    init(_ key: KeyInfo) {
        switch key.store {
        case .tpm: self = .tpm
        case .software:
            self = key.access.ways.allSatisfy(\.needsCredential) ? .pin : .nothing
        }
    }

    /// The same for a person.
    var words: String {
        switch self {
        case .tpm: "needs this machine's TPM"
        case .pin: "must guess the PIN"
        case .nothing: "is not stopped: the store is software, and a way in needs no PIN"
        }
    }
}
