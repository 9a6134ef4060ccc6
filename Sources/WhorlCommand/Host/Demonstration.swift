/// A store and a reader that `whorl demo` may play with, and a finger to touch it.
public protocol Demonstration: Sendable {
    /// The host on which the story is told.
    var host: any CommandHost { get }
    /// Chooses the demonstration's store and reader, with simulated readers allowed.
    var options: HostOptions { get }
    /// What can be shown on it.
    var stage: DemonstrationStage { get }

    /// Touches the sensor once, as soon as it waits for a finger.
    func present(_ finger: DemonstrationFinger) async

    /// Removes everything that was made for the demonstration.
    func finish() async
}

/// What can be shown in a demonstration.
public enum DemonstrationStage: Sendable, Hashable {
    /// A simulated reader, which plays along with the whole story.
    case simulated
    /// The USB traffic of a real sensor, named here, with one touch of the right finger: nothing but
    /// the tape's operations may be asked for.
    case recording(of: String)
}

/// Whose finger touches the sensor in a demonstration.
public enum DemonstrationFinger: Sendable, Hashable {
    /// The one that is enrolled.
    case owner
    /// Another.
    case stranger
}
