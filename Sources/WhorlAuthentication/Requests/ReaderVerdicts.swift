import WhorlBiometrics

extension ReaderOutcome {
    /// Whether it says something about whose finger it was.
    var isVerdict: Bool {
        switch self {
        case .match, .noMatch: true
        default: false
        }
    }
}

extension AuthenticationError {
    /// Whether it is a fault of the reader that a second try may not meet.
    var mayPass: Bool {
        switch self {
        case .readerFault, .readerProtocol, .readerBusy, .readerStillFinishing,
            .readerUnavailable, .vendor:
            true
        default: false
        }
    }
}
