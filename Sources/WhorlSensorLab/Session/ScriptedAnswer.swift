public import WhorlBiometrics

/// What the person in a script does at the next prompt.
public enum ScriptedAnswer: Sendable {
    /// Proves who they are.
    case yes(AuthenticationResult)
    /// Does not.
    case no(AuthenticationError)
    /// Does nothing until the gate is opened, and then this. A cancel ends it before.
    indirect case after(ScriptGate, ScriptedAnswer)

    /// Proves who they are with these factors, on a simulated reader.
    public static func yes(by factors: AuthenticationFactor...) -> ScriptedAnswer {
        .yes(
            AuthenticationResult(
                factors: Set(factors),
                rating: factors.contains(.finger) ? StrengthRating(.weak, basis: .notReal) : nil,
                isSimulated: true))
    }
}

/// What a scripted session was asked, in words that can be compared.
public struct ScriptedQuestion: Sendable, Hashable {
    /// What would be done: `authenticate`, `unlock`, `get github`, `enroll right-thumb`.
    public let action: String
    /// The words of the program that asked.
    public let reason: String

    /// Makes a question.
    public init(action: String, reason: String) {
        self.action = action
        self.reason = reason
    }
}
