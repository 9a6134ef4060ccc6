internal import WhorlBiometrics

extension CommandTable {
    private static let newDescriptor = OptionSpec(
        "new-pin-fd", .required("N"), "read the new PIN from this open descriptor")
    private static let recoveryOut = OptionSpec(
        "recovery-out", .required("FILE"), "write the recovery key to a new file (mode 0600)")

    private static let newPIN =
        "The new PIN has 6 to 1024 bytes. Without a terminal it comes from --new-pin-fd; where the "
        + "recovery key is given, --pin-fd serves too."

    /// The commands for the PIN and the recovery key.
    static let ownerCommands: [CommandSpec] = [
        CommandSpec(
            "pin change", "Changes the PIN; needs the old one, or the recovery key",
            details: [newPIN],
            options: [newDescriptor],
            examples: [
                .init(line: "whorl pin change", comment: "asks for the new one, then the old one"),
                .init(
                    line: "whorl pin change --pin-fd 3 --new-pin-fd 4 3<old 4<new",
                    comment: "asks for nothing"),
            ],
            exits: [1, 3, 5, 6, 65, 69, 75, 77, 78], recoveryKey: .accepted
        ) { (matched) throws(UsageError) in
            .changePIN(newDescriptor: try descriptor(of: matched))
        },
        CommandSpec(
            "pin reset", "Sets a new PIN with the recovery key",
            details: [
                newPIN,
                "A key that the recovery key does not open (--no-recovery, signing keys) does not "
                    + "open with the PIN any more.",
            ],
            options: [newDescriptor],
            examples: [
                .init(line: "whorl pin reset", comment: "when the PIN is forgotten"),
                .init(
                    line: "whorl pin reset --recovery-fd 3 --new-pin-fd 4 3<key 4<new",
                    comment: "asks for nothing"),
            ],
            exits: [1, 3, 5, 65, 69, 75, 77, 78], recoveryKey: .needed
        ) { (matched) throws(UsageError) in
            .resetPIN(newDescriptor: try descriptor(of: matched))
        },
        CommandSpec(
            "recovery check", "Checks that the recovery key opens what it should",
            examples: [
                .init(line: "whorl recovery check", comment: "type it, and see what it opens")
            ],
            exits: [1, 3, 5, 65, 69, 75, 77, 78], recoveryKey: .needed
        ) { (_) throws(UsageError) in .checkRecovery },
        CommandSpec(
            "recovery renew", "Makes a new recovery key; the old one opens nothing any more",
            details: [
                "Needs the PIN or the old recovery key. A key that what you give does not open is "
                    + "not opened by the new recovery key either, and is listed."
            ],
            options: [recoveryOut],
            examples: [
                .init(line: "whorl recovery renew", comment: "when somebody saw the old one"),
                .init(
                    line: "whorl recovery renew --pin-fd 3 --recovery-out key 3<pin",
                    comment: "asks for nothing"),
            ],
            exits: [1, 3, 5, 6, 65, 69, 73, 75, 77, 78], recoveryKey: .accepted
        ) { (matched) throws(UsageError) in
            .renewRecovery(file: try matched.filled(recoveryOut))
        },
    ]

    private static func descriptor(of matched: Matched) throws(UsageError) -> Int32? {
        let number = try GlobalOptionTable.descriptor(
            newDescriptor, of: matched, readsInput: false)
        guard let number else { return nil }
        for other in [GlobalOptionTable.pinDescriptor, GlobalOptionTable.recoveryDescriptor]
        where try GlobalOptionTable.descriptor(other, of: matched, readsInput: false) == number {
            throw UsageError(
                "--new-pin-fd and --\(other.name) are the same descriptor",
                advice: "give the new PIN another one")
        }
        return number
    }
}
