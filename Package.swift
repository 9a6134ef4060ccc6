// swift-tools-version: 6.3
// The 6.3 compiler is the first with `@nonexhaustive` enums and `@c` functions (SE-0487, SE-0495).

import PackageDescription

// One set for every target. Each upcoming feature is one that language mode 6 still leaves off.
let swiftSettings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),  // SE-0335
    .enableUpcomingFeature("InternalImportsByDefault"),  // SE-0409
    .enableUpcomingFeature("MemberImportVisibility"),  // SE-0444
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),  // SE-0461
    .enableUpcomingFeature("InferIsolatedConformances"),  // SE-0470
    .enableUpcomingFeature("ImmutableWeakCaptures"),  // SE-0481
    .strictMemorySafety(),  // SE-0458
    .treatAllWarnings(as: .error),  // SE-0480
    // The next OpenSSL or GLib header must not break a clone.
    .treatWarning("DeprecatedDeclaration", as: .warning),
]

let cSettings: [CSetting] = [
    .treatAllWarnings(as: .error),
    .enableWarning("all"),
    .enableWarning("extra"),
    .enableWarning("strict-prototypes"),
]

let package = Package(
    name: "whorl",
    products: [
        .library(name: "WhorlKit", targets: ["WhorlKit"]),
        .library(name: "WhorlBiometrics", targets: ["WhorlBiometrics"]),
        .library(name: "WhorlSensorLab", targets: ["WhorlSensorLab"]),
        .executable(name: "whorl", targets: ["whorl"]),
    ],
    targets: [
        // MARK: C

        .target(name: "CWhorlPlatform", cSettings: cSettings),
        .systemLibrary(
            name: "CWhorlOpenSSL", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(
            name: "CWhorlSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(
            name: "CWhorlGLib", pkgConfig: "gio-unix-2.0", providers: [.apt(["libglib2.0-dev"])]),
        .systemLibrary(
            name: "CWhorlFprint", pkgConfig: "libfprint-2",
            providers: [.apt(["libfprint-2-dev"])]),

        // MARK: Vocabulary

        .target(name: "WhorlSecrets", dependencies: ["CWhorlPlatform"]),
        .target(name: "WhorlBiometrics", dependencies: ["WhorlSecrets"]),

        // MARK: C libraries

        .target(name: "WhorlCrypto", dependencies: ["WhorlSecrets", "CWhorlOpenSSL"]),
        .target(name: "WhorlDatabase", dependencies: ["CWhorlSQLite"]),
        .target(name: "WhorlGLib", dependencies: ["CWhorlGLib"]),
        .target(
            name: "WhorlLibfprint",
            dependencies: ["WhorlBiometrics", "WhorlSecrets", "WhorlGLib", "CWhorlFprint"]),

        // MARK: Keys and requests

        .target(
            name: "WhorlKeys",
            dependencies: ["WhorlBiometrics", "WhorlSecrets", "WhorlCrypto", "WhorlDatabase"]),
        .target(
            name: "WhorlAuthentication",
            dependencies: [
                "WhorlBiometrics", "WhorlSecrets", "WhorlKeys", "WhorlCrypto", "WhorlDatabase",
            ]),
        .target(name: "WhorlSensorLab", dependencies: ["WhorlBiometrics", "WhorlSecrets"]),

        // MARK: What apps and people use

        .target(
            name: "WhorlKit",
            dependencies: [
                "WhorlBiometrics", "WhorlSecrets", "WhorlLibfprint", "WhorlKeys",
                "WhorlAuthentication",
            ]),
        .target(name: "WhorlCommand", dependencies: ["WhorlKit", "WhorlSensorLab"]),
        .executableTarget(name: "whorl", dependencies: ["WhorlCommand"]),
        // Measures; in no product.
        .executableTarget(
            name: "WhorlBench",
            dependencies: [
                "WhorlBiometrics", "WhorlSecrets", "WhorlLibfprint", "WhorlAuthentication",
                "WhorlSensorLab", "WhorlKit",
            ], path: "Benchmarks/WhorlBench"),

        // MARK: Storage that breaks, and a load for it; for tests, in no product

        .target(
            name: "CWhorlFaultyStorage", dependencies: ["CWhorlSQLite"],
            path: "Tests/FaultyStorage", cSettings: cSettings),
        .target(
            name: "WhorlStoreLoad",
            dependencies: [
                "WhorlBiometrics", "WhorlSecrets", "WhorlCrypto", "WhorlKeys",
                "WhorlAuthentication", "WhorlSensorLab", "CWhorlFaultyStorage",
            ], path: "Tests/StoreLoad"),
        .executableTarget(
            name: "WhorlStoreChild", dependencies: ["WhorlBiometrics", "WhorlStoreLoad"],
            path: "Tests/StoreChild"),

        // MARK: Tests

        .testTarget(name: "WhorlSecretsTests", dependencies: ["WhorlSecrets", "CWhorlPlatform"]),
        .testTarget(name: "WhorlBiometricsTests", dependencies: ["WhorlBiometrics"]),
        .testTarget(name: "WhorlCryptoTests", dependencies: ["WhorlCrypto", "WhorlSecrets"]),
        .testTarget(name: "WhorlDatabaseTests", dependencies: ["WhorlDatabase"]),
        .testTarget(name: "WhorlGLibTests", dependencies: ["WhorlGLib", "CWhorlGLib"]),
        .testTarget(
            name: "WhorlLibfprintTests",
            dependencies: [
                "WhorlLibfprint", "WhorlBiometrics", "WhorlSecrets", "WhorlSensorLab", "WhorlKeys",
                "WhorlCrypto", "WhorlDatabase", "CWhorlFprint", "CWhorlForeignEnroller",
            ]),
        // A program of somebody else's, which a test needs beside ours.
        .executableTarget(
            name: "CWhorlForeignEnroller", dependencies: ["CWhorlFprint"],
            path: "Tests/ForeignEnroller",
            cSettings: cSettings),
        .testTarget(
            name: "WhorlKitTests",
            dependencies: ["WhorlKit", "WhorlBiometrics", "WhorlSensorLab", "CWhorlGLib"]),
        .testTarget(
            name: "WhorlKeysTests",
            dependencies: [
                "WhorlKeys", "WhorlBiometrics", "WhorlSecrets", "WhorlCrypto", "WhorlDatabase",
            ]),
        .testTarget(
            name: "WhorlAuthenticationTests",
            dependencies: [
                "WhorlAuthentication", "WhorlKeys", "WhorlBiometrics", "WhorlSecrets",
                "WhorlCrypto", "WhorlDatabase", "WhorlSensorLab",
            ]),
        .testTarget(
            name: "WhorlSensorLabTests",
            dependencies: ["WhorlSensorLab", "WhorlBiometrics", "WhorlSecrets"]),
        .testTarget(
            name: "ConformanceTests",
            dependencies: ["WhorlSensorLab", "WhorlBiometrics", "WhorlLibfprint"],
            path: "Tests/Conformance"),
        .testTarget(
            name: "EnduranceTests",
            dependencies: [
                "WhorlStoreLoad", "WhorlStoreChild", "WhorlBiometrics", "WhorlSecrets",
                "WhorlDatabase", "WhorlKeys", "WhorlAuthentication",
            ], path: "Tests/Endurance"),
        .testTarget(name: "HouseRulesTests", path: "Tests/HouseRules"),
        .testTarget(
            name: "WhorlCommandTests",
            dependencies: [
                "WhorlCommand", "WhorlBiometrics", "WhorlSecrets", "WhorlSensorLab", "whorl",
            ]),
        .testTarget(
            name: "WhorlProgramTests",
            dependencies: ["WhorlBiometrics", "WhorlDatabase", "WhorlSensorLab", "whorl"]),
    ]
)

// The same code under libFuzzer, which brings the main (`make fuzz`), or as a test of its corpora.
if Context.environment["WHORL_FUZZ"] == nil {
    package.targets.append(
        .testTarget(
            name: "FuzzingTests",
            dependencies: [
                "WhorlBiometrics", "WhorlSecrets", "WhorlCrypto", "WhorlKeys", "WhorlLibfprint",
            ], path: "Tests/Fuzzing", exclude: ["Program", "run"]))
} else {
    package.targets.append(
        .executableTarget(
            name: "WhorlFuzz",
            dependencies: [
                "WhorlBiometrics", "WhorlSecrets", "WhorlCrypto", "WhorlKeys", "WhorlLibfprint",
            ], path: "Tests/Fuzzing", exclude: ["Tests", "run"]))
}

for target in package.targets where [.regular, .executable, .test].contains(target.type) {
    if target.name.hasPrefix("C") { continue }
    target.swiftSettings = swiftSettings
}
