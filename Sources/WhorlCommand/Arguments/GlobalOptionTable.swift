internal import WhorlBiometrics

/// The options that every command takes.
enum GlobalOptionTable {
    static let store = OptionSpec(
        "store", .required("DIR"), "use the store in this folder; implies --in-process")
    static let inProcess = OptionSpec(
        "in-process", "work in this process, without the service")
    static let reader = OptionSpec(
        "reader", .required("WHICH"),
        "fprintd, libfprint, DRIVER[:ID] or recorded:FILE; see 'whorl readers'")
    static let allowSimulated = OptionSpec(
        "allow-simulated", .optional("CLASS"),
        "let simulated readers count as strong, weak or convenience (default)")
    static let tpm = OptionSpec(
        "tpm", .required("TCTI"), "use this TPM, or none for a software key store")
    static let timeout = OptionSpec(
        "timeout", .required("S"), "wait so long for a finger: 1 to 170 s, default 30")
    static let tries = OptionSpec(
        "tries", .required("N"), "fingers that may fail to match: 1 to 5, default 3")
    static let pinDescriptor = OptionSpec(
        "pin-fd", .required("N"), "read the PIN from this open descriptor")
    static let recoveryDescriptor = OptionSpec(
        "recovery-fd", .required("N"), "read the recovery key from this open descriptor")
    static let recovery = OptionSpec(
        "recovery", "type the recovery key instead of the PIN")
    static let codeDescriptor = OptionSpec(
        "code-fd", .required("N"), "read a code of another device from it", isHidden: true)
    static let ownerDescriptor = OptionSpec(
        "owner-auth-fd", .required("N"), "read the TPM's owner password from it", isHidden: true)
    static let quiet = OptionSpec("quiet", "no progress and no notes; errors stay")
    static let plain = OptionSpec("plain", "one line a state, nothing drawn over")
    static let json = OptionSpec("json", "answer with one JSON object a line")
    static let version = OptionSpec("version", "say which Whorl this is")
    static let help = OptionSpec("help", "explain Whorl, or the command before it")

    /// All of them, in the order of help.
    static let all = [
        store, inProcess, reader, allowSimulated, tpm, timeout, tries, pinDescriptor,
        recoveryDescriptor, recovery, codeDescriptor, ownerDescriptor, quiet, plain, json, version,
        help,
    ]

    /// Reads the global options that were matched.
    ///
    /// - Parameters:
    ///   - matched: What was given.
    ///   - spec: The command, where one was named.
    /// - Returns: The options, each in its range.
    /// - Throws: ``UsageError`` for a value out of its range.
    static func options(
        of matched: Matched, for spec: CommandSpec?
    ) throws(UsageError) -> GlobalOptions {
        let readsInput = spec?.readsInput ?? false
        var options = GlobalOptions()
        options.host.storeFolder = try matched.filled(store)
        options.host.staysInProcess = matched.has(inProcess) || matched.has(store)
        options.host.reader = try selector(of: matched)
        options.host.simulatedClass = try simulatedClass(of: matched)
        options.host.keyStore = try matched.filled(tpm).map { $0 == "none" ? .software : .tpm($0) }
        options.limits = try limits(of: matched)
        options.pinDescriptor = try descriptor(pinDescriptor, of: matched, readsInput: readsInput)
        options.recoveryKey = try recoveryKey(of: matched, for: spec)
        options.isQuiet = matched.has(quiet)
        options.isPlain = matched.has(plain)
        options.isJSON = matched.has(json)
        for option in [codeDescriptor, ownerDescriptor]
        where try descriptor(option, of: matched, readsInput: readsInput) != nil {
            throw .notYet("--\(option.name)")
        }
        return options
    }

    private static func recoveryKey(
        of matched: Matched, for spec: CommandSpec?
    ) throws(UsageError) -> RecoveryKeySource? {
        let number = try descriptor(
            recoveryDescriptor, of: matched, readsInput: spec?.readsInput ?? false)
        guard number != nil || matched.has(recovery) else { return nil }
        if let spec, spec.recoveryKey == .refused {
            throw UsageError(
                "'\(spec.name)' has no use for the recovery key",
                advice: "leave --\((number == nil ? recovery : recoveryDescriptor).name) out")
        }
        guard let number else { return .typed }
        if matched.has(recovery) {
            throw UsageError(
                "--recovery and --recovery-fd are two ways to give one key",
                advice: "leave one of them out")
        }
        if try descriptor(pinDescriptor, of: matched, readsInput: false) == number {
            throw UsageError(
                "--pin-fd and --recovery-fd are the same descriptor",
                advice: "give the recovery key another one")
        }
        return .descriptor(number)
    }

    private static func selector(of matched: Matched) throws(UsageError) -> ReaderSelector? {
        guard let text = matched.text(reader) else { return nil }
        guard let selector = ReaderSelector(parsing: text) else {
            throw UsageError(
                "--reader cannot be \(UsageError.quoted(text))",
                advice: "say libfprint, fprintd, recorded:FILE, or one that 'whorl readers' lists")
        }
        return selector
    }

    private static func simulatedClass(of matched: Matched) throws(UsageError) -> Strength? {
        guard matched.has(allowSimulated) else { return nil }
        let words = Strength.allCases.reversed().map(\.word)
        let word = try matched.choice(allowSimulated, among: words)
        return word.flatMap(Strength.init(word:)) ?? .convenience
    }

    private static func limits(of matched: Matched) throws(UsageError) -> RequestLimits {
        let standard = RequestLimits.standard
        let seconds = try matched.number(timeout, in: 1...170) ?? standard.timeoutSeconds
        let tries = try matched.number(tries, in: 1...5) ?? standard.tries
        return RequestLimits(tries: tries, timeoutSeconds: seconds) ?? standard
    }

    /// A descriptor that an option names.
    static func descriptor(
        _ option: OptionSpec, of matched: Matched, readsInput: Bool
    ) throws(UsageError) -> Int32? {
        guard let number = try matched.number(option, in: 0...Int(Int32.max)) else { return nil }
        switch number {
        case 0 where readsInput:
            throw UsageError(
                "--\(option.name) 0 and the command's own input are the same descriptor",
                advice: "give another one, such as --\(option.name) 3 3<FILE")
        case 1, 2:
            throw UsageError(
                "--\(option.name) \(number) is where the command writes",
                advice: "give another one, such as --\(option.name) 3 3<FILE")
        default: return Int32(number)
        }
    }
}
