internal import WhorlBiometrics

extension CommandTable {
    private static let noConfirm = OptionSpec(
        "no-confirm", "leave out the last touch, which must match the new print")
    private static let keys = OptionSpec(
        "keys", .required("carry|drop"),
        "what becomes of keys bound to the fingers enrolled so far")

    private static func finger(_ summary: String) -> CommandSpec.Argument {
        .init(name: "FINGER", summary: summary, isRequired: false)
    }

    private static let names =
        "Fingers have fprintd's names: left- or right-, then thumb, index-finger, "
        + "middle-finger, ring-finger or little-finger."

    /// The commands for fingers.
    static let fingerCommands: [CommandSpec] = [
        CommandSpec(
            "finger enroll", shortForm: "enroll", "Enrols a finger; needs the PIN",
            details: [
                names,
                "A finger that is enrolled already keeps its old print until the new one is "
                    + "confirmed. Any new print ends the finger's way into keys made with "
                    + "biometryCurrentSet, unless they are carried over.",
            ],
            arguments: [finger("which finger; default right-index-finger")],
            options: [noConfirm, keys],
            examples: [
                .init(line: "whorl enroll", comment: "the right index finger"),
                .init(
                    line: "whorl enroll left-thumb --keys carry",
                    comment: "another one, which opens the keys there are"),
            ],
            exits: [1, 3, 5, 6, 65, 69, 73, 75, 77, 78]
        ) { (matched) throws(UsageError) in
            .enroll(
                EnrollArguments(
                    finger: try matched.finger(), confirms: !matched.has(noConfirm),
                    keys: try matched.choice(keys, among: ["carry", "drop"])
                        .flatMap(KeyCarry.init(rawValue:))))
        },
        CommandSpec(
            "finger list", "Lists the enrolled fingers",
            examples: [.init(line: "whorl finger list", comment: "each with its reader")],
            exits: [3, 65, 69, 75, 77, 78]
        ) { (_) throws(UsageError) in .listFingers },
        CommandSpec(
            "finger verify", shortForm: "verify", "Checks a finger; opens nothing",
            details: [
                names,
                "A finger that does not match counts here as everywhere: five lock the finger's "
                    + "way for a while.",
            ],
            arguments: [finger("which finger, or any; default right-index-finger")],
            examples: [.init(line: "whorl verify", comment: "does the right index finger match?")],
            exits: [1, 3, 5, 6, 65, 66, 69, 75, 77, 78]
        ) { (matched) throws(UsageError) in
            .verify(matched.arguments.first == "any" ? nil : try matched.finger())
        },
        CommandSpec(
            "finger remove", "Removes a finger; needs the PIN",
            details: [names],
            arguments: [finger("which finger; default right-index-finger")],
            examples: [
                .init(line: "whorl finger remove left-thumb", comment: "its print is deleted")
            ],
            exits: [1, 3, 5, 6, 65, 66, 69, 75, 77, 78]
        ) { (matched) throws(UsageError) in .removeFinger(try matched.finger()) },
    ]
}
