// swift-tools-version: 6.3
// The example in README.md, which `run` copies into a function here.

import PackageDescription

let package = Package(
    name: "readme-snippet",
    dependencies: [.package(name: "whorl", path: "../../..")],
    targets: [
        .target(
            name: "ReadmeSnippet",
            dependencies: [.product(name: "WhorlKit", package: "whorl")])
    ]
)
