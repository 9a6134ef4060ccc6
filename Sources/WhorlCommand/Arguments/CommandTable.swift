internal import WhorlBiometrics

/// Every command there is: parsing, help and dispatch are made from this one table.
enum CommandTable {
    /// The commands in the order of help.
    static let commands: [CommandSpec] =
        [status, readers, taxonomy, setUp] + fingerCommands + vaultCommands + backupCommands
        + signingCommands + ownerCommands + endingCommands + [unlock, lock, exercise, demo]

    /// What a group of commands is about.
    static let groups: [(word: String, summary: String)] = [
        ("finger", "the enrolled fingers"),
        ("vault", "secrets behind a finger or the PIN"),
        ("key", "keys that sign behind a finger or the PIN"),
        ("pin", "the PIN or passphrase"),
        ("recovery", "the recovery key"),
        ("consent", "what you said to the use of fingers"),
        ("lab", "readers without Whorl's store, for tests"),
    ]

    /// Commands of later versions: refused by name, and in no help.
    static let later: [[String]] = [
        "doctor", "key attest", "tpm", "audit", "completions",
        "lab conform", "lab record", "lab replay", "lab run", "lab finger",
    ].map { $0.split(separator: " ").map(String.init) }

    // MARK: Looking around

    private static let settings = OptionSpec(
        "config", "also show every setting in force and where it comes from")
    private static let status = CommandSpec(
        "status", "Shows readers, fingers, PIN, lockout and keys, and what is missing",
        options: [settings],
        examples: [.init(line: "whorl status", comment: "what there is, and what to do next")],
        exits: [65, 69, 75, 77, 78]
    ) { (matched) throws(UsageError) in .status(showsSettings: matched.has(settings)) }

    private static let readers = CommandSpec(
        "readers", "Lists the fingerprint readers, each with its name for --reader",
        details: [
            "Every reader is shown with its class and the basis of it, because nobody publishes "
                + "how often these sensors let a wrong finger in."
        ],
        examples: [
            .init(line: "whorl readers", comment: "which readers there are"),
            .init(line: "whorl status --reader synaptics:0", comment: "use one of them"),
        ],
        exits: [69, 77]
    ) { (_) throws(UsageError) in .readers }

    private static let markdown = OptionSpec(
        "markdown", "as the table of the documents", isHidden: true)
    private static let taxonomy = CommandSpec(
        "taxonomy", "Prints every error: identifier, codes, exit status, what to do",
        details: [
            "Each entry has Android's BiometricPrompt code and Apple's LAError code where there "
                + "is one. Below it stands what libfprint's errors become."
        ],
        options: [markdown],
        examples: [
            .init(
                line: "whorl taxonomy --json",
                comment: "one object with all entries, for programs")
        ]
    ) { (matched) throws(UsageError) in .taxonomy(isMarkdown: matched.has(markdown)) }

    // MARK: Setting up

    private static let acceptConsent = OptionSpec(
        "accept-consent", "say yes to what setup explains, without being asked")
    private static let recoveryOut = OptionSpec(
        "recovery-out", .required("FILE"),
        "write the recovery key to a new file (mode 0600)")
    private static let adopt = OptionSpec(
        "adopt", .required("all|none"),
        "whether fingers that fprintd holds count here too; default none")
    private static let setUp = CommandSpec(
        "setup", "Makes the store: consent, PIN or passphrase, recovery key",
        details: [
            "The PIN opens what a finger cannot, and is asked for before a finger is enrolled. It "
                + "has 6 to 1024 bytes. The recovery key is shown once. No reader is needed.",
            "Without a terminal --accept-consent, --pin-fd and --recovery-out are all needed.",
            "After 'whorl consent revoke' it asks for consent anew, and for the PIN there is; PIN, "
                + "keys and recovery key stay as they are.",
        ],
        options: [acceptConsent, recoveryOut, adopt],
        examples: [
            .init(line: "whorl setup", comment: "asks for everything"),
            .init(
                line: "whorl setup --accept-consent --pin-fd 3 --recovery-out key 3<pin",
                comment: "asks for nothing"),
        ],
        exits: [1, 5, 6, 65, 69, 73, 75, 77, 78]
    ) { (matched) throws(UsageError) in
        .setUp(
            SetupArguments(
                acceptsConsent: matched.has(acceptConsent),
                recoveryFile: try matched.filled(recoveryOut),
                adoption: try matched.choice(adopt, among: Adoption.allCases.map(\.rawValue))
                    .flatMap(Adoption.init(rawValue:))))
    }

    private static let unlock = CommandSpec(
        "unlock", "Ends a lockout with the PIN or the recovery key",
        examples: [.init(line: "whorl unlock", comment: "after too many wrong fingers")],
        exits: [1, 3, 5, 6, 65, 69, 75, 77, 78], recoveryKey: .accepted
    ) { (_) throws(UsageError) in .unlock }

    private static let lock = CommandSpec(
        "lock", "Ends every time in which a match may be used again",
        examples: [.init(line: "whorl lock", comment: "before leaving the desk")],
        exits: [3, 65, 69, 75, 77, 78]
    ) { (_) throws(UsageError) in .lock }

    // MARK: Trying out

    private static let destructive = OptionSpec(
        "destructive", "allow clear, enroll and delete on a real sensor")
    private static let exercise = CommandSpec(
        "lab exercise", "Runs operations on a reader, one JSON line an event",
        details: [
            "OPS are separated by commas and run in order: open, close, clear, enroll:FINGER, "
                + "list, verify:FINGER, identify, capture:FILE.pgm, delete:FINGER, suspend, "
                + "resume, roundtrip, wait:MS. No store is needed or touched."
        ],
        arguments: [.init(name: "OPS", summary: "the operations", isRequired: true)],
        options: [destructive],
        examples: [
            .init(
                line: "whorl lab exercise open,capture:finger.pgm,close",
                comment: "one picture of a finger")
        ],
        exits: [3, 66, 69, 73, 75, 77]
    ) { (matched) throws(UsageError) in
        .exercise(
            operations: matched.argument, allowsDestruction: matched.has(destructive))
    }

    private static let recording = OptionSpec(
        "recording", .required("DIR"), "play on a USB recording of a real sensor")
    private static let demo = CommandSpec(
        "demo", "Shows what Whorl does, step by step, on a simulated reader",
        details: ["It uses a store of its own, which is removed at the end."],
        options: [recording],
        examples: [.init(line: "whorl demo", comment: "no sensor needed")],
        exits: [69, 77]
    ) { (matched) throws(UsageError) in .demo(recording: try matched.filled(recording)) }
}
