// swift-tools-version: 6.3
// An app whose targets are named like common words: none of them may clash with one of Whorl's.

import PackageDescription

let package = Package(
    name: "client-app",
    dependencies: [.package(name: "whorl", path: "../../..")],
    targets: [
        .target(name: "Core"),
        .target(name: "Models", dependencies: ["Core"]),
        .target(name: "Utilities", dependencies: ["Core"]),
        .executableTarget(
            name: "Client",
            dependencies: [
                "Models", "Utilities", .product(name: "WhorlKit", package: "whorl"),
            ]),
    ]
)
