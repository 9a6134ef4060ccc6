internal import WhorlBiometrics

extension CommandTable {
    private static let source = OptionSpec(
        "from", .required("FILE"), "a copy of the database file, or a backup, instead of the store")
    private static let subject = OptionSpec(
        "subject", .required("NAME"), "whose keys, where the file has those of several")
    private static let keyOrAll = CommandSpec.Argument(
        name: "NAME", summary: "the key's name; without it the keys are listed", isRequired: false)

    private static func file(_ summary: String) -> CommandSpec.Argument {
        .init(name: "FILE", summary: summary, isRequired: true)
    }

    /// The commands for when a machine, a reader or a PIN is lost.
    static let backupCommands: [CommandSpec] = [
        CommandSpec(
            "vault recover", "Gives out a secret with the recovery key and the database file alone",
            details: [
                "Needs no reader, PIN or TPM, and not the machine that the store was made on: only "
                    + "whorl.db (with whorl.db-wal, where there is one beside it) or a backup. The "
                    + "file is read and left as it is.",
                "Keys made with --no-recovery and signing keys are not opened by it.",
            ],
            arguments: [keyOrAll], options: [source, subject, out],
            examples: [
                .init(line: "whorl vault recover", comment: "what the recovery key opens here"),
                .init(
                    line: "whorl vault recover github --from /media/usb/whorl.db",
                    comment: "from a copy of another machine's store"),
            ],
            exits: [1, 3, 4, 5, 65, 66, 73, 75, 77, 78], recoveryKey: .needed
        ) { (matched) throws(UsageError) in
            let file = try matched.filled(out)
            let name = matched.arguments.first
            if name == nil, file != nil {
                throw UsageError(
                    "--out is for a secret, and no NAME was given", advice: "add the key's NAME")
            }
            if matched.has(GlobalOptionTable.json), name != nil, file == nil {
                throw UsageError(
                    "with --json the secret has no place on standard output",
                    advice: "add --out FILE")
            }
            return .recover(
                RecoverArguments(
                    name: name, source: try matched.filled(source),
                    subject: try matched.filled(subject), file: file))
        },
        CommandSpec(
            "vault backup", "Copies every secret that the recovery key opens into a new file",
            details: [
                "Nothing but the recovery key opens anything in the file, so nobody is asked, and "
                    + "without the recovery key it is worth nothing.",
                "Left out, and listed, are keys made with --no-recovery and signing keys. Fingers, "
                    + "the PIN and the keys of this machine are in no backup.",
            ],
            arguments: [file("the new file (mode 0600)")],
            examples: [
                .init(line: "whorl vault backup /media/usb/whorl.backup", comment: "while in use")
            ],
            exits: [3, 65, 66, 73, 75, 77, 78]
        ) { (matched) throws(UsageError) in .backUp(file: matched.argument) },
        CommandSpec(
            "vault restore", "Stores the keys of a backup here, as this store's own",
            details: [
                "Needs the recovery key of the store that the backup was made of, and a store that "
                    + "is set up here. From then on this store's fingers, PIN and recovery key open "
                    + "the keys.",
                "A name that is there already keeps its key. A key that this store cannot keep as "
                    + "strictly as it was is not restored, and listed.",
            ],
            arguments: [file("a backup")],
            examples: [
                .init(
                    line: "whorl vault restore /media/usb/whorl.backup",
                    comment: "asks for the recovery key")
            ],
            exits: [1, 3, 4, 5, 65, 66, 75, 77, 78], recoveryKey: .needed
        ) { (matched) throws(UsageError) in .restore(file: matched.argument) },
    ]
}
