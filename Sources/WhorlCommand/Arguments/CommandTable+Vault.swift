internal import WhorlBiometrics

extension CommandTable {
    static let access = OptionSpec(
        "access", .required("EXPR"),
        "who may open it; default 'biometryCurrentSet or deviceCredential'")
    static let strength = OptionSpec(
        "strength", .required("CLASS"),
        "least class of a finger: strong, weak or convenience")
    static let reuse = OptionSpec(
        "reuse", .required("SECONDS"),
        "let one match open it again for 0 to 300 s; default 0")
    static let bootBound = OptionSpec(
        "boot-bound", "bind the finger's way to how the machine booted")
    private static let noRecovery = OptionSpec(
        "no-recovery", "do not let the recovery key open it")
    private static let sensitivity = OptionSpec(
        "sensitivity", .required("LEVEL"), "low, medium, high or critical", isHidden: true)
    private static let replace = OptionSpec(
        "replace", "replace a secret of that name; needs what opening it needs")
    static let out = OptionSpec(
        "out", .required("FILE"),
        "write to a new file (mode 0600) instead of standard output")

    private static let all = OptionSpec("all", "every key that what you give opens")
    private static let optionalName = CommandSpec.Argument(
        name: "NAME", summary: "the key's name", isRequired: false)

    static let name = CommandSpec.Argument(
        name: "NAME", summary: "the key's name", isRequired: true)

    /// What `--access` takes.
    static let accessWords =
        "EXPR joins biometryCurrentSet (a finger enrolled now), biometryAny (any enrolled "
        + "finger) and deviceCredential (the PIN) by and, or and parentheses."

    /// The commands for secrets.
    static let vaultCommands: [CommandSpec] = [
        CommandSpec(
            "vault put", "Stores the secret that comes on standard input",
            details: [
                "The secret is everything up to the end of the input, byte for byte, at most "
                    + "1 MiB. A new name needs no touch.",
                accessWords,
            ],
            arguments: [name],
            options: [
                access, strength, reuse, bootBound, noRecovery, sensitivity, replace,
            ],
            examples: [
                .init(
                    line: "whorl vault put github < token", comment: "for a finger or the PIN"),
                .init(
                    line: "whorl vault put bank --access biometryAny < password",
                    comment: "for a finger only"),
            ],
            exits: [1, 3, 4, 5, 6, 65, 69, 73, 75, 77, 78], readsInput: true,
            recoveryKey: .accepted
        ) { (matched) throws(UsageError) in .put(try put(of: matched)) },
        CommandSpec(
            "vault get", "Gives out a secret, after a finger or the PIN",
            arguments: [name], options: [out],
            examples: [
                .init(
                    line: "whorl vault get github | gh auth login --with-token",
                    comment: "straight to the program that needs it"),
                .init(
                    line: "whorl vault get bank --out password", comment: "into a file of yours"),
            ],
            exits: [1, 3, 4, 5, 6, 65, 66, 69, 73, 75, 77, 78], recoveryKey: .accepted
        ) { (matched) throws(UsageError) in
            let file = try matched.filled(out)
            if matched.has(GlobalOptionTable.json), file == nil {
                throw UsageError(
                    "with --json the secret has no place on standard output",
                    advice: "add --out FILE")
            }
            return .get(name: matched.argument, file: file)
        },
        CommandSpec(
            "vault list", "Lists the keys of both kinds; opens none",
            examples: [.init(line: "whorl vault list", comment: "each with its ways in")],
            exits: [3, 65, 69, 75, 77, 78]
        ) { (_) throws(UsageError) in .listKeys },
        CommandSpec(
            "vault info", "Shows what is known of a key without opening it",
            arguments: [name],
            examples: [.init(line: "whorl vault info github", comment: "who may open it, and how")],
            exits: [3, 65, 66, 69, 75, 77, 78]
        ) { (matched) throws(UsageError) in .info(name: matched.argument) },
        CommandSpec(
            "vault remove", "Removes a secret; needs what opening it needs",
            arguments: [name],
            examples: [.init(line: "whorl vault remove github", comment: "it is gone for good")],
            exits: [1, 3, 4, 5, 6, 65, 66, 69, 75, 77, 78], recoveryKey: .accepted
        ) { (matched) throws(UsageError) in .removeKey(name: matched.argument) },
        CommandSpec(
            "vault rebind", "Makes a key open again for the fingers enrolled now",
            details: [
                "Needs the PIN, for keys that it opens, or the recovery key, for those that it "
                    + "opens. The secret stays as it is."
            ],
            arguments: [optionalName], options: [all],
            examples: [
                .init(line: "whorl vault rebind github", comment: "after a finger was added"),
                .init(
                    line: "whorl vault rebind --all --recovery",
                    comment: "with the recovery key, which is asked for"),
            ],
            exits: [1, 3, 4, 5, 6, 65, 66, 69, 75, 77, 78], recoveryKey: .accepted
        ) { (matched) throws(UsageError) in
            let name = matched.arguments.first
            guard (name == nil) == matched.has(all) else {
                throw UsageError(
                    name == nil ? "'vault rebind' needs NAME" : "NAME and --all exclude each other",
                    advice: "give one of NAME and --all")
            }
            return .rebind(name: name)
        },
    ]

    private static func put(of matched: Matched) throws(UsageError) -> PutArguments {
        let levels = ["low", "medium", "high", "critical"]
        if try matched.choice(sensitivity, among: levels) != nil { throw .notYet("--sensitivity") }
        return PutArguments(
            name: matched.argument,
            access: matched.text(access),
            strength: try chosenStrength(of: matched),
            reuseSeconds: try matched.number(reuse, in: 0...300) ?? 0,
            isBootBound: matched.has(bootBound), hasRecovery: !matched.has(noRecovery),
            replaces: matched.has(replace))
    }

    static func chosenStrength(of matched: Matched) throws(UsageError) -> Strength? {
        try matched.choice(strength, among: Strength.allCases.reversed().map(\.word))
            .flatMap(Strength.init(word:))
    }
}
