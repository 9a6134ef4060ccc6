internal import WhorlBiometrics

/// A command with all that it needs, and nothing that another one would need.
enum Command: Sendable, Hashable {
    /// The help of a command, of a group, or of everything.
    case help(path: [String])
    case version
    case status(showsSettings: Bool)
    case readers
    case taxonomy(isMarkdown: Bool)
    case setUp(SetupArguments)
    case enroll(EnrollArguments)
    case listFingers
    /// Checks one finger, or any where it is nil.
    case verify(Finger?)
    case removeFinger(Finger)
    case put(PutArguments)
    case get(name: String, file: String?)
    case listKeys
    case info(name: String)
    case removeKey(name: String)
    case createKey(CreateKeyArguments)
    case listSigningKeys
    case publicKey(name: String, form: PublicKeyForm)
    case sign(SignArguments)
    case removeSigningKey(name: String)
    case rebind(name: String?)
    case recover(RecoverArguments)
    case backUp(file: String)
    case restore(file: String)
    case changePIN(newDescriptor: Int32?)
    case resetPIN(newDescriptor: Int32?)
    case checkRecovery
    case renewRecovery(file: String?)
    case showConsent
    case declineConsent
    case revokeConsent(isAgreed: Bool)
    case disable
    case enable
    case reset(ResetArguments)
    case lock
    case unlock
    case exercise(operations: String, allowsDestruction: Bool)
    case demo(recording: String?)
}

/// Where the recovery key comes from.
enum RecoveryKeySource: Sendable, Hashable {
    case descriptor(Int32)
    /// It is typed at the terminal.
    case typed
}

/// What `setup` is told beforehand; what it is not told, it asks.
struct SetupArguments: Sendable, Hashable {
    let acceptsConsent: Bool
    let recoveryFile: String?
    let adoption: Adoption?
}

/// What `reset` is told.
struct ResetArguments: Sendable, Hashable {
    /// Whether nobody is to be asked if it is meant so.
    let isAgreed: Bool
    /// Whether the owner has neither the PIN nor the recovery key any more.
    let hasLostCredential: Bool
}

/// What `enroll` is told.
struct EnrollArguments: Sendable, Hashable {
    let finger: Finger
    let confirms: Bool
    /// Nil where it is to be asked.
    let keys: KeyCarry?
}

/// What `vault put` is told.
///
/// Name and access control stay text: what is wrong with them is bad data, which is said only after
/// what is wrong with the store.
struct PutArguments: Sendable, Hashable {
    let name: String
    let access: String?
    let strength: Strength?
    let reuseSeconds: Int
    let isBootBound: Bool
    let hasRecovery: Bool
    let replaces: Bool
}

/// What `vault recover` is told.
struct RecoverArguments: Sendable, Hashable {
    /// Nil where the keys are to be listed.
    let name: String?
    /// The file to recover from; nil for the store's own.
    let source: String?
    /// Whose keys; nil for whose there are.
    let subject: String?
    /// Where the secret goes to; nil for standard output.
    let file: String?
}

/// What `key create` is told; name and access control stay text, as in ``PutArguments``.
struct CreateKeyArguments: Sendable, Hashable {
    let name: String
    let access: String?
    let strength: Strength?
    let reuseSeconds: Int
    let isBootBound: Bool
}

/// What `key sign` is told.
struct SignArguments: Sendable, Hashable {
    let name: String
    let form: SignatureForm
    /// What an SSH signature is for.
    let namespace: String
    let file: String?
}

/// A command and the options that every command takes.
struct Invocation: Sendable, Hashable {
    let command: Command
    /// The command's words, as in JSON: `vault get`.
    let name: String
    var options: GlobalOptions

    /// The descriptors that PINs and the recovery key come from.
    var credentialInputs: [CredentialInput] {
        var inputs = options.pinDescriptor.map { [CredentialInput.pin($0)] } ?? []
        if case .descriptor(let number) = options.recoveryKey {
            inputs.append(.recoveryKey(number))
        }
        switch command {
        case .changePIN(newDescriptor: let number?), .resetPIN(newDescriptor: let number?):
            inputs.append(.newPIN(number))
        default: break
        }
        return inputs
    }
}

/// The options that every command takes.
struct GlobalOptions: Sendable, Hashable {
    var host = HostOptions()
    var limits = RequestLimits.standard
    /// Where the PIN comes from; nil for the terminal.
    var pinDescriptor: Int32?
    /// Where the recovery key comes from; nil where the PIN or a finger serves.
    var recoveryKey: RecoveryKeySource?
    var isQuiet = false
    var isPlain = false
    var isJSON = false
}
