import Synchronization
import WhorlBiometrics

@testable import WhorlCommand

/// A demonstration whose touches are counted.
final class ScriptedDemonstration: Demonstration {
    let options = HostOptions(storeFolder: "/tmp/demo", simulatedClass: .convenience)
    let stage: DemonstrationStage
    private let scripted: ScriptedHost
    var host: any CommandHost { scripted }

    init(host: ScriptedHost, recording: String?) {
        scripted = host
        stage = recording.map { .recording(of: $0) } ?? .simulated
    }

    func present(_ finger: DemonstrationFinger) async {
        scripted.state.withLock { $0.calls.append("touch \(finger)") }
    }

    func finish() async { scripted.state.withLock { $0.calls.append("finish") } }
}

extension ScriptedDemonstration {
    /// What people do in the whole story: the owner once, a stranger twice; then no finger
    /// is left that could open anything.
    static let people: [ScriptedHost.Person] = [
        .touches, .strangerTouches(then: .noMatch),
        .strangerTouches(then: .lockedOut(remainingSeconds: 30)),
        .isNotAsked(.enrollmentChanged),
    ]
}
