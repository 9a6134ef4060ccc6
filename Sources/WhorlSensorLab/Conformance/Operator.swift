/// Who touches the sensor while a reader is put through its paces: a person, a rig, or a simulator.
///
/// A call returns when it has been done, not when the reader has noticed.
public protocol Operator: Sendable {
    /// What this operator can do besides presenting fingers.
    var abilities: Set<OperatorAbility> { get }

    /// Lays a finger on the sensor, or swipes it, once.
    ///
    /// - Throws: ``OperatorError`` where it could not be done.
    func present(_ finger: PresentedFinger) async throws(OperatorError)

    /// Takes the finger off the sensor.
    func lift() async throws(OperatorError)

    /// Pulls the reader out.
    func unplug() async throws(OperatorError)

    /// Puts it back.
    func replug() async throws(OperatorError)

    /// Sends the machine to sleep, and wakes it up.
    func suspend() async throws(OperatorError)
}

/// What not every operator can do.
public enum OperatorAbility: String, Sendable, Hashable, CaseIterable {
    /// ``Operator/unplug()``
    case unplug
    /// ``Operator/replug()``
    case replug
    /// ``Operator/suspend()``
    case suspend
}

/// One of the two fingers that an operator has.
///
/// The same one each time it is asked for, and never the other.
public enum PresentedFinger: String, Sendable, Hashable, CaseIterable {
    /// The one that is enrolled.
    case first
    /// One that is never enrolled.
    case second
}

/// Why an operator could not do what was asked: the check could not be made.
public struct OperatorError: Error, Sendable, Hashable {
    /// What happened.
    public let message: String

    /// Makes an error.
    public init(_ message: String) { self.message = message }
}
