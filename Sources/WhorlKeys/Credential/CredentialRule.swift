import WhorlBiometrics
import WhorlSecrets

/// What a PIN or passphrase must be to protect anything.
enum CredentialRule {
    /// The most bytes of UTF-8.
    static let maximumCount = 1024

    /// Checks a new PIN or passphrase.
    ///
    /// - Parameters:
    ///   - credential: What the person chose.
    ///   - minimumCount: The fewest bytes that the key store asks for.
    /// - Throws: ``VaultError/unacceptableCredential(_:)`` with the rule that it breaks.
    static func check(
        _ credential: borrowing SecretBytes, minimumCount: Int
    ) throws(VaultError) {
        guard credential.count >= minimumCount else {
            throw .unacceptableCredential("the PIN is shorter than \(minimumCount) characters")
        }
        guard credential.count <= maximumCount else {
            throw .unacceptableCredential("the PIN is longer than \(maximumCount) bytes")
        }
        let steps = unsafe credential.withUnsafeBytes { unsafe commonSteps(of: $0) }
        if steps.contains(.none) {
            throw .unacceptableCredential("the PIN is one character again and again")
        }
        guard steps.isEmpty else {
            throw .unacceptableCredential("the PIN is a run such as 123456 or fedcba")
        }
    }

    private struct Steps: OptionSet {
        let rawValue: Int
        static let none = Steps(rawValue: 1)
        static let up = Steps(rawValue: 2)
        static let down = Steps(rawValue: 4)
    }

    // The kinds of step that lead from each character to the next, all the way; bytes that are no
    // UTF-8 lead nowhere. After 9 comes 0, as on a keyboard.
    private static func commonSteps(of bytes: UnsafeRawBufferPointer) -> Steps {
        var steps: Steps = [.none, .up, .down]
        var parser = Unicode.UTF8.ForwardParser()
        var rest = unsafe bytes.makeIterator()
        var last: UInt32?
        while !steps.isEmpty {
            let scalar: UInt32
            switch unsafe parser.parseScalar(from: &rest) {
            case .emptyInput: return steps
            case .error: return []
            case .valid(let encoded): scalar = Unicode.UTF8.decode(encoded).value
            }
            if let last {
                if scalar != last { steps.remove(.none) }
                if scalar != last + 1, (last, scalar) != (0x39, 0x30) { steps.remove(.up) }
                if scalar + 1 != last, (last, scalar) != (0x30, 0x39) { steps.remove(.down) }
            }
            last = scalar
        }
        return steps
    }
}
