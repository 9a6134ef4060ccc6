internal import WhorlBiometrics

extension CommandTable {
    private static let yes = OptionSpec("yes", "go on without asking")
    private static let lostCredential = OptionSpec(
        "lost-credential", "delete without PIN or recovery key; opens nothing")

    /// The commands for consent, for switching fingers off, and for the end.
    static let endingCommands: [CommandSpec] = [
        CommandSpec(
            "consent show", "Shows what you agreed to, since when, and what is kept",
            examples: [.init(line: "whorl consent show", comment: "also before setup")],
            exits: [65, 69, 75, 77, 78]
        ) { (_) throws(UsageError) in .showConsent },
        CommandSpec(
            "consent decline", "Says no to the use of fingers, before setup",
            details: [
                "It is remembered for 30 days, so that programs need not ask. 'whorl setup' still "
                    + "asks."
            ],
            examples: [.init(line: "whorl consent decline", comment: "nothing is set up")],
            exits: [65, 69, 75, 77, 78]
        ) { (_) throws(UsageError) in .declineConsent },
        CommandSpec(
            "consent revoke", "Takes your consent back: prints go; needs the PIN",
            details: [
                "Every print goes, from the reader's chip too where the reader is here, and of "
                    + "every key the finger's way. Keys that the PIN or the recovery key opens "
                    + "stay; the others are deleted. What goes and what stays is listed before.",
                "Without a terminal --yes is needed. 'whorl setup' asks for consent again.",
            ],
            options: [yes],
            examples: [
                .init(line: "whorl consent revoke", comment: "lists, then asks"),
                .init(
                    line: "whorl consent revoke --yes --pin-fd 3 3<pin",
                    comment: "asks for nothing"),
            ],
            exits: [1, 3, 5, 6, 65, 69, 75, 77, 78], recoveryKey: .accepted
        ) { (matched) throws(UsageError) in .revokeConsent(isAgreed: matched.has(yes)) },
        CommandSpec(
            "disable", "Switches fingers off; keys and prints stay",
            details: ["Nobody is asked, since it lets nobody in. The PIN works as before."],
            examples: [.init(line: "whorl disable", comment: "before a journey")],
            exits: [3, 65, 69, 75, 77, 78]
        ) { (_) throws(UsageError) in .disable },
        CommandSpec(
            "enable", "Switches fingers on again; needs the PIN",
            examples: [.init(line: "whorl enable", comment: "back home")],
            exits: [1, 3, 5, 6, 65, 69, 75, 77, 78], recoveryKey: .accepted
        ) { (_) throws(UsageError) in .enable },
        CommandSpec(
            "reset", "Deletes everything of yours, for good; needs the PIN",
            details: [
                "Keys, prints, PIN, consent and counts go, and nothing brings them back. It is "
                    + "listed before. Without a terminal --yes is needed.",
                "Who has neither PIN nor recovery key any more says --lost-credential, and types "
                    + "'delete'. That opens nothing.",
            ],
            options: [yes, lostCredential],
            examples: [
                .init(line: "whorl reset", comment: "lists, then asks"),
                .init(
                    line: "whorl reset --lost-credential",
                    comment: "to begin anew without the PIN"),
            ],
            exits: [1, 3, 5, 6, 65, 69, 75, 77, 78], recoveryKey: .accepted
        ) { (matched) throws(UsageError) in .reset(try reset(of: matched)) },
    ]

    private static func reset(of matched: Matched) throws(UsageError) -> ResetArguments {
        let hasLost = matched.has(lostCredential)
        let ways = [
            GlobalOptionTable.pinDescriptor, GlobalOptionTable.recoveryDescriptor,
            GlobalOptionTable.recovery,
        ]
        if hasLost, let way = ways.first(where: matched.has) {
            throw UsageError(
                "--lost-credential and --\(way.name) contradict each other",
                advice: "leave one of them out")
        }
        return ResetArguments(isAgreed: matched.has(yes), hasLostCredential: hasLost)
    }
}
