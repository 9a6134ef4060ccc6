import WhorlBiometrics

/// What must be in a store, as far as it was acknowledged.
package struct World: Sendable, Hashable {
    /// A key that is there.
    package struct Key: Sendable, Hashable {
        package var version: Int
        package var ways: StoreOperation.KeyWays
        /// Whether no change of the enrolment killed a finger's way.
        package var isAlive: Bool

        package init(version: Int, ways: StoreOperation.KeyWays, isAlive: Bool) {
            self.version = version
            self.ways = ways
            self.isAlive = isAlive
        }
    }

    package var keys: [String: Key] = [:]
    package var fingers: Set<StoreOperation.TouchedFinger> = []
    /// Which of the PINs is the right one.
    package var pin = 0
    /// Which of the recovery keys that were handed out is the right one.
    package var recoveryKey = 0
    /// Failed attempts that were acknowledged and that nothing cleared.
    package var failures = 0
    /// Wrong PINs that were acknowledged and that nothing cleared.
    package var wrongPins = 0

    package init() {}

    /// Does what an operation does that succeeds.
    package mutating func apply(_ operation: StoreOperation) {
        switch operation {
        case .put(let name, let version, let ways):
            keys[name] = Key(version: version, ways: ways, isAlive: true)
        case .replace(let name, let version, let ways, let factor):
            keys[name] = Key(version: version, ways: ways, isAlive: true)
            clear(by: factor)
        case .get(_, let factor): clear(by: factor)
        case .remove(let name, let factor):
            keys[name] = nil
            clear(by: factor)
        case .enroll(let finger, let carry):
            fingers.insert(finger)
            clear(by: .pin)
            killBoundKeys(carried: carry == .carry)
        case .forget(let finger):
            fingers.remove(finger)
            clear(by: .pin)
            if fingers.isEmpty { killBoundKeys() }
        case .changePin(let number):
            pin = number
            clear(by: .pin)
        case .renewRecovery:
            recoveryKey += 1
            clear(by: .pin)
        case .rebind:
            for (name, key) in keys where key.ways == .current { keys[name]?.isAlive = true }
            clear(by: .pin)
        case .unlock: clear(by: .pin)
        }
    }

    /// Counts a refusal of what was wrong.
    package mutating func refuse(_ factor: StoreOperation.Factor) {
        switch factor {
        case .stranger: failures += 1
        case .wrongPin: wrongPins += 1
        case .own, .thumb, .pin: break
        }
    }

    /// The enrolment changed.
    ///
    /// - Parameter carried: Whether the keys were carried that the PIN opens.
    package mutating func killBoundKeys(carried: Bool = false) {
        for (name, key) in keys where key.ways.access.isBound {
            if !carried || key.ways != .current { keys[name]?.isAlive = false }
        }
    }

    private mutating func clear(by factor: StoreOperation.Factor) {
        failures = 0
        if !factor.isFinger { wrongPins = 0 }
    }
}
