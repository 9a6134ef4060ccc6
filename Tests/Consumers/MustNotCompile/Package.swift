// swift-tools-version: 6.3
// One target a file that a stranger might write; `run` builds them one by one. `Control…` must
// compile, so that the others fail for the reason they name and no other.

import PackageDescription

// What a snippet uses, by the snippet's name. Grants are in no product's interface, but a module that
// is in the graph can be imported by anybody.
let snippets = [
    "ControlGrant": "WhorlKit",
    "ControlSecret": "WhorlBiometrics",
    "CopiedSecret": "WhorlBiometrics",
    "EscapedSecretBytes": "WhorlBiometrics",
    "GrantCopied": "WhorlKit",
    "GrantKept": "WhorlKit",
    "GrantMadeFromParts": "WhorlKit",
    "GrantUsedTwice": "WhorlKit",
    "MintCopied": "WhorlKit",
    "MintMade": "WhorlKit",
    "MintTakenTwice": "WhorlKit",
    "OpenedVaultMade": "WhorlKit",
    "PrintedSecret": "WhorlBiometrics",
    "ProofMade": "WhorlKit",
    "SecretInAnArray": "WhorlBiometrics",
    "SecretUsedTwice": "WhorlBiometrics",
]

let package = Package(
    name: "must-not-compile",
    dependencies: [.package(name: "whorl", path: "../../..")],
    targets: snippets.map { name, product in
        .target(
            name: name, dependencies: [.product(name: product, package: "whorl")],
            path: "Sources", exclude: snippets.keys.filter { $0 != name }.map { "\($0).swift" },
            sources: ["\(name).swift"])
    }
)
