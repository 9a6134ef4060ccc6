package import WhorlBiometrics

/// One thing that is done with a store, as it can be said in one argument of a program.
package enum StoreOperation: Sendable, Hashable {
    case put(String, version: Int, KeyWays)
    case replace(String, version: Int, KeyWays, by: Factor)
    case get(String, by: Factor)
    case remove(String, by: Factor)
    case enroll(TouchedFinger, KeyCarry)
    case forget(TouchedFinger)
    case changePin(Int)
    case renewRecovery
    case rebind
    case unlock

    /// Who may open a key.
    package enum KeyWays: String, Sendable, Hashable, CaseIterable {
        case current
        case any
        case pin
        case both
        case finger

        /// The access control that it stands for.
        package var access: AccessControl {
            switch self {
            case .current: .biometryCurrentSet.or(.deviceCredential)
            case .any: .biometryAny.or(.deviceCredential)
            case .pin: .deviceCredential
            case .both: .biometryCurrentSet.and(.deviceCredential)
            case .finger: .biometryCurrentSet
            }
        }
    }

    /// A finger of the scripted person.
    package enum TouchedFinger: String, Sendable, Hashable {
        case own
        case thumb

        /// Which finger it is.
        package var finger: Finger {
            switch self {
            case .own: .rightIndexFinger
            case .thumb: .leftThumb
            }
        }
    }

    /// What is given to get in.
    package enum Factor: String, Sendable, Hashable {
        case own
        case thumb
        /// A finger that is not enrolled.
        case stranger
        case pin
        case wrongPin

        package var isFinger: Bool { self != .pin && self != .wrongPin }
        package var isWrong: Bool { self == .stranger || self == .wrongPin }
    }
}

extension StoreOperation {
    /// The operation in words.
    package var argument: String {
        switch self {
        case .put(let name, let version, let ways): "put \(name) \(version) \(ways.rawValue)"
        case .replace(let name, let version, let ways, let factor):
            "replace \(name) \(version) \(ways.rawValue) \(factor.rawValue)"
        case .get(let name, let factor): "get \(name) \(factor.rawValue)"
        case .remove(let name, let factor): "remove \(name) \(factor.rawValue)"
        case .enroll(let finger, let keys): "enroll \(finger.rawValue) \(keys.rawValue)"
        case .forget(let finger): "forget \(finger.rawValue)"
        case .changePin(let number): "change-pin \(number)"
        case .renewRecovery: "renew-recovery"
        case .rebind: "rebind"
        case .unlock: "unlock"
        }
    }

    package init?(argument: String) {
        let words = argument.split(separator: " ").map(String.init)
        func factor(_ index: Int) -> Factor? { Factor(rawValue: words[index]) }
        switch (words.first, words.count) {
        case ("put", 4):
            guard let version = Int(words[2]), let ways = KeyWays(rawValue: words[3]) else {
                return nil
            }
            self = .put(words[1], version: version, ways)
        case ("replace", 5):
            guard let version = Int(words[2]), let ways = KeyWays(rawValue: words[3]),
                let factor = factor(4)
            else { return nil }
            self = .replace(words[1], version: version, ways, by: factor)
        case ("get", 3):
            guard let factor = factor(2) else { return nil }
            self = .get(words[1], by: factor)
        case ("remove", 3):
            guard let factor = factor(2) else { return nil }
            self = .remove(words[1], by: factor)
        case ("enroll", 3):
            guard let finger = TouchedFinger(rawValue: words[1]),
                let keys = KeyCarry(rawValue: words[2])
            else { return nil }
            self = .enroll(finger, keys)
        case ("forget", 2):
            guard let finger = TouchedFinger(rawValue: words[1]) else { return nil }
            self = .forget(finger)
        case ("change-pin", 2):
            guard let number = Int(words[1]) else { return nil }
            self = .changePin(number)
        case ("renew-recovery", 1): self = .renewRecovery
        case ("rebind", 1): self = .rebind
        case ("unlock", 1): self = .unlock
        default: return nil
        }
    }
}
