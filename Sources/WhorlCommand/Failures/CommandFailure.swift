internal import WhorlBiometrics
internal import WhorlKit

/// Why a command failed, as it is printed: the one form that every error takes at the end.
struct CommandFailure: Error, Sendable, Hashable {
    /// The stable identifier: `case` in JSON.
    let identifier: String
    /// Whose code ``code`` is: a reader's, or `whorl`.
    let domain: String
    let code: Int
    /// The code of Android's `BiometricPrompt`; nil where it has none.
    let android: Int?
    /// The code of Apple's `LAError`; nil where it has none.
    let laError: Int?
    let exitStatus: Int
    /// What happened and what to do, on one line; safe to show.
    let sentence: String

    /// An error of the store or of the authentication.
    init(_ error: VaultError) {
        var source: SourceError?
        if case .authentication(let authentication) = error { source = authentication.source }
        if source?.domain == "whorl" { source = nil }
        identifier = error.identifier
        domain = source?.domain ?? "whorl"
        code = source?.code ?? error.number
        android = error.android
        laError = error.laError
        exitStatus = error.exitStatus
        sentence = DisplayText(error.sentence).shown
    }

    /// An error of the authentication.
    init(_ error: AuthenticationError) { self.init(.authentication(error)) }

    /// A command line that cannot be carried out.
    init(_ error: UsageError) {
        self.init(201, "usage", exit: 64, error.sentence)
    }

    private init(_ number: Int, _ identifier: String, exit: Int, _ sentence: String) {
        self.identifier = identifier
        domain = "whorl"
        code = number
        android = nil
        laError = nil
        exitStatus = exit
        self.sentence = DisplayText(sentence).shown
    }

    // MARK: The command's own

    /// Standard output takes nothing.
    static func output(_ errno: SystemError) -> CommandFailure {
        CommandFailure(
            202, "output", exit: 74,
            "standard output could not be written (\(errno)); check where it goes to")
    }

    /// Standard input gives nothing.
    static func input(_ errno: SystemError) -> CommandFailure {
        CommandFailure(
            203, "input", exit: 74,
            "standard input could not be read (\(errno)); check where it comes from")
    }

    /// A file that must be new is there already.
    static func fileExists(_ path: String) -> CommandFailure {
        CommandFailure(
            204, "file-exists", exit: 73, "'\(path)' exists already; name a file that does not")
    }

    /// A new file could not be made, or not be written.
    static func file(_ path: String, _ errno: SystemError) -> CommandFailure {
        let exit =
            switch errno {
            case .noSuchFile, .notADirectory: 66
            case .accessDenied, .notPermitted, .readOnly: 77
            default: 74
            }
        return CommandFailure(
            205, "file", exit: exit,
            "'\(path)' could not be written (\(errno)); name a file that can be")
    }

    /// A file that is to be read is not there, or cannot be.
    static func inputFile(_ path: String, _ errno: SystemError) -> CommandFailure {
        let exit =
            switch errno {
            case .noSuchFile, .notADirectory: 66
            case .accessDenied, .notPermitted: 77
            default: 74
            }
        return CommandFailure(
            211, "input-file", exit: exit,
            "'\(path)' could not be read (\(errno)); name a file that can be")
    }

    /// A file that is to be read is a folder or device.
    static func noFile(_ path: String) -> CommandFailure {
        CommandFailure(212, "no-file", exit: 65, "'\(path)' is no file; name the file itself")
    }

    /// A file that is to be read holds more than what it should be ever does.
    static func fileTooLong(_ path: String, limit: Int) -> CommandFailure {
        CommandFailure(
            213, "file-too-long", exit: 65,
            "'\(path)' is longer than \(limit) bytes; name the right file")
    }

    /// The descriptor of a PIN or recovery key gave nothing, or too much.
    static func credentialInput(_ what: String, words: String = "PIN") -> CommandFailure {
        CommandFailure(
            206, "credential-input", exit: 65,
            "\(what); write the \(words) there, and nothing else")
    }

    /// The descriptor of a PIN or recovery key could not be read.
    static func credentialDescriptor(
        _ descriptor: Int32, _ errno: SystemError, option: String = "pin-fd"
    ) -> CommandFailure {
        CommandFailure(
            207, "credential-descriptor", exit: 74,
            "descriptor \(descriptor) could not be read (\(errno)); check --\(option)")
    }

    /// The PIN alone is no way into a key.
    static func notByCredential(_ name: KeyName) -> CommandFailure {
        CommandFailure(
            210, "not-by-credential", exit: 4,
            "the PIN alone does not open \(name); use --recovery, or put the secret again")
    }

    /// No memory fit for a secret.
    static func memory(_ sentence: String) -> CommandFailure {
        CommandFailure(208, "secret-memory", exit: 74, sentence)
    }

    /// What was typed twice was not the same, each time.
    static let credentialsDiffer = CommandFailure(
        209, "credentials-differ", exit: 65,
        "the two PINs were not the same; run the command again")

    /// A message is too long to be part of its signature.
    static func messageTooLong(limit: Int) -> CommandFailure {
        CommandFailure(
            220, "message-too-long", exit: 65,
            "what is to be signed is longer than \(limit) bytes, and a jws signature would hold "
                + "it; use --format der, raw or ssh")
    }
}
