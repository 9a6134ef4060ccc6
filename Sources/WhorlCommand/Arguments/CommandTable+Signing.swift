internal import WhorlBiometrics

extension CommandTable {
    private static let publicForm = OptionSpec(
        "format", .required("FORM"), "pem (default), ssh or jwk")
    private static let signatureForm = OptionSpec(
        "format", .required("FORM"), "der (default), raw, ssh or jws")
    private static let namespace = OptionSpec(
        "namespace", .required("NAME"), "what an ssh signature is for; default file")

    /// The commands for keys that sign.
    static let signingCommands: [CommandSpec] = [
        CommandSpec(
            "key create", "Makes a P-256 key that signs and never leaves its store",
            details: [
                "No touch is needed, and the recovery key does not open it: whoever trusts the "
                    + "key is told of another one when it is lost.",
                accessWords,
            ],
            arguments: [name], options: [access, strength, reuse, bootBound],
            examples: [
                .init(line: "whorl key create release", comment: "for a finger or the PIN"),
                .init(
                    line: "whorl key create deploy --access biometryAny",
                    comment: "for a finger only"),
            ],
            exits: [3, 65, 69, 73, 75, 77, 78]
        ) { (matched) throws(UsageError) in
            .createKey(
                CreateKeyArguments(
                    name: matched.argument, access: matched.text(access),
                    strength: try chosenStrength(of: matched),
                    reuseSeconds: try matched.number(reuse, in: 0...300) ?? 0,
                    isBootBound: matched.has(bootBound)))
        },
        CommandSpec(
            "key list", "Lists the keys that sign",
            examples: [.init(line: "whorl key list", comment: "each with its ways in")],
            exits: [3, 65, 69, 75, 77, 78]
        ) { (_) throws(UsageError) in .listSigningKeys },
        CommandSpec(
            "key public", "Prints the public half of a key; opens nothing",
            arguments: [name], options: [publicForm],
            examples: [
                .init(line: "whorl key public release", comment: "in PEM, for openssl"),
                .init(
                    line: "whorl key public release --format ssh", comment: "for authorized_keys"),
            ],
            exits: [3, 65, 66, 69, 75, 77, 78]
        ) { (matched) throws(UsageError) in
            let word = try matched.choice(
                publicForm, among: PublicKeyForm.allCases.map(\.rawValue))
            return .publicKey(
                name: matched.argument, form: word.flatMap(PublicKeyForm.init(rawValue:)) ?? .pem)
        },
        CommandSpec(
            "key sign", "Signs what comes on standard input, after a finger or the PIN",
            details: [
                "The signature is ECDSA over SHA-256. der and raw are binary; ssh is what "
                    + "ssh-keygen -Y verify reads; jws holds what it signs, at most 1 MiB."
            ],
            arguments: [name], options: [signatureForm, namespace, out],
            examples: [
                .init(
                    line: "whorl key sign release --out app.sig < app.tar",
                    comment: "openssl dgst -sha256 -verify checks it"),
                .init(
                    line: "whorl key sign release --format ssh < app.tar > app.tar.sig",
                    comment: "ssh-keygen -Y verify -n file checks it"),
            ],
            exits: [1, 3, 4, 5, 6, 65, 66, 69, 73, 75, 77, 78], readsInput: true
        ) { (matched) throws(UsageError) in .sign(try sign(of: matched)) },
        CommandSpec(
            "key remove", "Removes a key that signs; needs what signing needs",
            arguments: [name],
            examples: [.init(line: "whorl key remove release", comment: "it is gone for good")],
            exits: [1, 3, 4, 5, 6, 65, 66, 69, 75, 77, 78]
        ) { (matched) throws(UsageError) in .removeSigningKey(name: matched.argument) },
    ]

    private static func sign(of matched: Matched) throws(UsageError) -> SignArguments {
        let word = try matched.choice(
            signatureForm, among: SignatureForm.allCases.map(\.rawValue))
        let form = word.flatMap(SignatureForm.init(rawValue:)) ?? .der
        let given = try matched.filled(namespace)
        if let given {
            guard form == .ssh else {
                throw UsageError(
                    "--namespace belongs to ssh signatures alone", advice: "add --format ssh")
            }
            guard SSHSignature.isNamespace(given) else {
                throw UsageError(
                    "--namespace cannot be \(UsageError.quoted(given))",
                    advice: "give up to \(SSHSignature.maximumNamespaceLength) visible "
                        + "characters of ASCII, such as git")
            }
        }
        return SignArguments(
            name: matched.argument, form: form, namespace: given ?? "file",
            file: try matched.filled(out))
    }
}
