package import WhorlBiometrics

/// All that is fixed about a wrapped key and may be known without opening it.
///
/// Every branch and the payload are sealed with ``authenticated`` beside them: a row that was moved
/// to another name, subject, machine or generation, or made weaker, opens nothing.
package struct KeyAttributes: Sendable, Hashable {
    package let vaultID: [UInt8]
    package let subject: Subject
    package let id: KeyID
    package let name: KeyName
    package let kind: KeyKind
    package let store: StoreKind
    package let access: AccessControl
    package let minimumStrength: Strength?
    package let reuseSeconds: Int
    package let isBootBound: Bool
    package let hasRecovery: Bool
    package let isSimulated: Bool
    package let created: Int64
    package var generation: Int64

    /// The bytes that are authenticated with everything of this key.
    package var authenticated: [UInt8] { canonical.bytes }

    var canonical: CanonicalBytes {
        var bytes = CanonicalBytes("whorl/key/1")
        bytes.append(vaultID)
        bytes.append(subject.name)
        bytes.append(id.bytes)
        bytes.append(name.text)
        bytes.append(kind.rawValue)
        bytes.append(store.rawValue)
        bytes.append(access.description)
        bytes.append(Int64(minimumStrength?.rawValue ?? 0))
        bytes.append(Int64(reuseSeconds))
        bytes.append(isBootBound)
        bytes.append(hasRecovery)
        bytes.append(generation)
        bytes.append(isSimulated)
        bytes.append(created)
        return bytes
    }

    /// Whether a way in died with a change of the enrolment.
    func isDead(_ way: AccessWay, at current: Int64) -> Bool {
        way.isBoundToGeneration && generation != current
    }

    func state(at current: Int64) -> KeyState {
        let dead = access.ways.filter { isDead($0, at: current) }
        if dead.isEmpty { return .open }
        if dead.count < access.ways.count { return .fingerDead }
        return hasRecovery ? .recoveryOnly : .dead
    }

    /// Whether a change of the enrolment from this generation on would kill a way.
    func wouldDie(with current: Int64) -> Bool {
        generation == current && access.ways.contains { $0.isBoundToGeneration }
    }

    func info(at current: Int64) -> KeyInfo {
        KeyInfo(
            name: name, kind: kind, store: store, access: access,
            minimumStrength: minimumStrength, reuseSeconds: reuseSeconds,
            isBootBound: isBootBound, hasRecovery: hasRecovery, created: created,
            generation: generation, state: state(at: current), isSimulated: isSimulated)
    }
}
