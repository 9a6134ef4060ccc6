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

    /// Whether a way in died with a change of the enrolment, or was taken away.
    func isDead(
        _ way: AccessWay, at current: Int64, without withdrawn: WithdrawnWays
    ) -> Bool {
        way.isBoundToGeneration && generation != current || withdrawn.includes(way)
    }

    func state(at current: Int64, without withdrawn: WithdrawnWays) -> KeyState {
        let open = access.ways.filter { !isDead($0, at: current, without: withdrawn) }
        if open.count == access.ways.count { return .open }
        if open.contains(where: { !$0.needsFinger }) { return .fingerDead }
        if !open.isEmpty { return .credentialDead }
        return isRecoverable(without: withdrawn) ? .recoveryOnly : .dead
    }

    /// Whether the recovery key opens it.
    func isRecoverable(without withdrawn: WithdrawnWays) -> Bool {
        hasRecovery && !withdrawn.contains(.recovery)
    }

    /// Whether a change of the enrolment from this generation on would kill a way that is open.
    func wouldDie(with current: Int64, without withdrawn: WithdrawnWays) -> Bool {
        access.ways.contains { way in
            way.isBoundToGeneration && !isDead(way, at: current, without: withdrawn)
        }
    }

    func info(at current: Int64, without withdrawn: WithdrawnWays) -> KeyInfo {
        KeyInfo(
            name: name, kind: kind, store: store, access: access,
            minimumStrength: minimumStrength, reuseSeconds: reuseSeconds,
            isBootBound: isBootBound, hasRecovery: isRecoverable(without: withdrawn),
            created: created, generation: generation,
            state: state(at: current, without: withdrawn), isSimulated: isSimulated)
    }
}
