import WhorlSensorLab

/// Touches a scripted reader; its fingers are names.
struct ScriptedOperator: Operator {
    let reader: ScriptedReader
    var abilities: Set<OperatorAbility> { [.unplug, .replug] }

    func present(_ finger: PresentedFinger) async throws(OperatorError) {
        reader.touch(finger.rawValue)
    }

    func lift() async throws(OperatorError) {}
    func unplug() async throws(OperatorError) { reader.unplug() }
    func replug() async throws(OperatorError) { reader.replug() }

    func suspend() async throws(OperatorError) {
        throw OperatorError("a scripted reader has no machine to send to sleep")
    }
}
