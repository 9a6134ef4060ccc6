package import WhorlBiometrics

extension StrengthRating {
    /// Class and basis, which are never shown apart.
    package var words: String {
        guard let strength else { return "no class (\(basis.sentence))" }
        return "class \(strength.classNumber) \(strength.word) (\(basis.sentence))"
    }
}

extension AuthenticationResult {
    /// The word *simulated* where it is due and the rating does not say it already.
    package var simulatedMark: String {
        isSimulated && rating?.basis != .notReal ? " (simulated)" : ""
    }
}

extension ReaderDescription {
    /// The reader's name, and the string that chooses it; safe to show.
    package var words: String { "\(DisplayText(name)) (\(DisplayText(identity.selector)))" }
}
