// swift-tools-version: 6.3
// Feature code and its tests: built where no C library can be found.

import PackageDescription

let package = Package(
    name: "feature-tests",
    dependencies: [.package(name: "whorl", path: "../../..")],
    targets: [
        .target(
            name: "SignIn", dependencies: [.product(name: "WhorlBiometrics", package: "whorl")]),
        .testTarget(
            name: "SignInTests",
            dependencies: ["SignIn", .product(name: "WhorlSensorLab", package: "whorl")]),
    ]
)
