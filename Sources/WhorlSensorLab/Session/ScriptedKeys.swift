internal import Synchronization
internal import WhorlBiometrics
internal import WhorlSecrets

// The keys and fingers of a scripted session.
final class ScriptedKeys: Sendable {
    // A secret cannot be copied, so all versions of a key share the one.
    final class Secret: Sendable {
        let bytes: SecretBytes
        init(_ bytes: consuming SecretBytes) { self.bytes = bytes }
    }

    enum Content {
        case secret(Secret)
        case signing

        var kind: KeyKind {
            switch self {
            case .secret: .secret
            case .signing: .signing
            }
        }
    }

    struct Key {
        let content: Content
        let options: KeyOptions
        var generation: Int64
    }

    struct State {
        var keys: [KeyName: Key] = [:]
        var fingers: Set<Finger>
        var generation: Int64 = 1
    }
    let state: Mutex<State>

    init(enrolled: Set<Finger>) { state = Mutex(State(fingers: enrolled)) }

    static let reader = ReaderDescription.scripted().identity

    /// What may be known of a key.
    static func info(_ name: KeyName, _ key: Key, in state: State) -> KeyInfo {
        let options = key.options
        let isCurrent = key.generation == state.generation
        let open = options.access.ways.filter { isCurrent || !$0.isBoundToGeneration }
        let keyState: KeyState =
            if open.count == options.access.ways.count {
                .open
            } else if !open.isEmpty {
                .fingerDead
            } else {
                options.hasRecovery ? .recoveryOnly : .dead
            }
        return KeyInfo(
            name: name, kind: key.content.kind, store: .software, access: options.access,
            minimumStrength: options.access.mentionsFinger
                ? options.minimumStrength ?? .convenience : nil,
            reuseSeconds: options.reuseSeconds, isBootBound: options.isBootBound,
            hasRecovery: options.hasRecovery, created: 0, generation: key.generation,
            state: keyState, isSimulated: true)
    }

    /// Moves the generation on, and gives the keys whose finger's way died with it.
    static func moveGeneration(_ state: inout State, carrying: Bool) -> [KeyName] {
        let before = state.generation
        state.generation += 1
        let bound = state.keys.filter { _, key in
            key.generation == before && key.options.access.ways.contains { $0.isBoundToGeneration }
        }
        // The PIN that is given at an enrolment carries what it opens, and nothing else.
        let carried = bound.filter { _, key in carrying && isOpenedByCredential(key.options.access)
        }
        for name in carried.keys { state.keys[name]?.generation = state.generation }
        return bound.keys.filter { carried[$0] == nil }.sorted { $0.text < $1.text }
    }

    static func isOpenedByCredential(_ access: AccessControl) -> Bool {
        access.ways.contains { $0.needsCredential && !$0.needsFinger }
    }

    /// Whether what was given makes a key open again.
    static func isRenewed(_ key: KeyInfo, by factors: Set<AuthenticationFactor>) -> Bool {
        factors.contains(.deviceCredential) && isOpenedByCredential(key.access)
            || factors.contains(.recoveryKey) && key.hasRecovery
    }
}

extension VaultError {
    // A script that contradicts itself: the test is wrong, and nothing opens.
    static func misscripted(_ action: String, _ result: AuthenticationResult) -> VaultError {
        let given = result.factors.map(\.rawValue).sorted().joined(separator: " and ")
        return .internalError("the scripted answer to '\(action)' gives \(given), which is not it")
    }
}
