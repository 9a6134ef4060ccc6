import WhorlSensorLab

/// What the scripted finger of a virtual device does at a prompt.
enum Touch: Sendable, Hashable, ExpressibleByStringLiteral {
    /// A finger with these ridges is read well.
    case scan(String)
    /// A finger is read badly; a code of `FpDeviceRetry`.
    case retry(Int)
    /// The operation fails; a code of `FpDeviceError`.
    case fail(Int)

    init(stringLiteral ridges: String) { self = .scan(ridges) }
}

extension VirtualDeviceController {
    /// Gives touches at a prompt of the program's, each when the program asks for it.
    ///
    /// A touch ends an operation, and one more that comes before the driver has put that away is
    /// lost: libfprint complains that a result was reported twice.
    func give(
        _ touches: [Touch], to child: Child, asking question: String = "Swipe"
    ) async throws {
        var asked = 1
        for (index, touch) in touches.enumerated() {
            if index > 0 {
                if case .fail = touches[index - 1] {
                    // Nothing says that the sensor is armed again after a fault.
                    try await Task.sleep(for: .milliseconds(200))
                } else {
                    asked += 1
                    try await child.says(question, times: asked)
                }
            }
            switch touch {
            case .scan(let ridges): try await scan(ridges)
            case .retry(let code): try await retry(code: code)
            case .fail(let code): try await fail(code: code)
            }
        }
    }

    /// Gives the good touches of an enrolment, and those that are to confirm it.
    func enroll(_ ridges: String, confirming: [Touch] = [], child: Child) async throws {
        try await child.says("Swipe")
        for stage in 1...5 {
            try await scan(ridges)
            try await child.says("Enrolling: \(stage) of 5")
        }
        guard !confirming.isEmpty else { return }
        try await child.says("once more, to confirm")
        try await give(confirming, to: child, asking: "once more, to confirm")
    }
}
