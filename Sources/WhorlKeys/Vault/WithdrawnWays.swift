import WhorlBiometrics

/// Ways into a key that were taken from it after it was made.
///
/// The key's attributes are authenticated with everything of it and stay as they were; what was
/// taken is recorded beside them, under the row's code.
package struct WithdrawnWays: OptionSet, Sendable, Hashable {
    package let rawValue: Int64

    package init(rawValue: Int64) {
        self.rawValue = rawValue
    }

    /// Every way with a finger: consent was revoked.
    package static let finger = WithdrawnWays(rawValue: 1)
    /// Every way with the credential: it was reset by a recovery key that does not open this key.
    package static let credential = WithdrawnWays(rawValue: 2)
    /// The recovery key: it was renewed by a credential that does not open this key.
    package static let recovery = WithdrawnWays(rawValue: 4)

    static let all: WithdrawnWays = [.finger, .credential, .recovery]

    /// Whether a way is among them.
    func includes(_ way: AccessWay) -> Bool {
        contains(.finger) && way.needsFinger || contains(.credential) && way.needsCredential
    }
}
