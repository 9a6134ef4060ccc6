/// Which ways of proving who one is an app accepts: Android's `Authenticators` bit for bit.
///
/// The nesting is deliberate: every strong biometric is also a weak one, so the bits of
/// ``strong`` are a subset of those of ``weak``. The values are those of Android's
/// `BiometricManager.Authenticators`; they are not the flags of its Keystore, whose numbers look
/// alike and mean other things.
public struct Authenticators: OptionSet, Sendable, Hashable {
    /// Android's bits.
    public let rawValue: UInt32

    /// Makes a set from Android's bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// `BIOMETRIC_STRONG`: class 3.
    public static let strong = Authenticators(rawValue: 0x000F)
    /// `BIOMETRIC_WEAK`: class 2 or better.
    public static let weak = Authenticators(rawValue: 0x00FF)
    /// `BIOMETRIC_CONVENIENCE`: any class.
    public static let convenience = Authenticators(rawValue: 0x0FFF)
    /// `DEVICE_CREDENTIAL`: the owner's PIN or passphrase for Whorl.
    public static let deviceCredential = Authenticators(rawValue: 0x8000)

    /// The least strength of a finger that these authenticators accept, nil where they accept none.
    public var minimumStrength: Strength? {
        switch rawValue & 0x7FFF {
        case 0: nil
        case 0x000F: .strong
        case 0x00FF: .weak
        case 0x0FFF: .convenience
        default: nil
        }
    }

    /// Whether this set is one that Whorl understands: a known class, the credential, or both.
    public var isWellFormed: Bool {
        let biometric = rawValue & 0x7FFF
        let known = [0, 0x000F, 0x00FF, 0x0FFF].contains(biometric)
        return known && rawValue & ~0xFFFF == 0 && rawValue != 0
    }

    /// The set that accepts fingers of at least that strength.
    public init(atLeast strength: Strength) {
        switch strength {
        case .strong: self = .strong
        case .weak: self = .weak
        case .convenience: self = .convenience
        }
    }
}
