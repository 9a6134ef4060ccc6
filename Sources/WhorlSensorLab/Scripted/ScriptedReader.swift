internal import Synchronization
public import WhorlBiometrics

/// A reader that does what a test wrote down for it, and writes down what it was told.
///
/// For each kind of command there is a queue of scripts: lists of ``ScriptedStep``. A command with
/// no script left is played by a sensor in memory, which waits for a ``ScriptedTouch`` and compares
/// the names of fingers; nothing matches that was not touched. The name of a finger is all there is
/// to its prints: this reader protects nothing.
///
/// Touches queue up, as they do at libfprint's virtual device: one too many is taken by the next
/// operation.
public final class ScriptedReader: FingerprintReader {
    /// The kinds of commands, by the words of `ReaderCommand.word`.
    public enum Command: String, Sendable, Hashable, CaseIterable {
        /// `ReaderCommand.open`
        case open
        /// `ReaderCommand.close`
        case close
        /// `ReaderCommand.suspend`
        case suspend
        /// `ReaderCommand.resume`
        case resume
        /// `ReaderCommand.enroll`
        case enroll
        /// `ReaderCommand.verify(_:)`
        case verify
        /// `ReaderCommand.identify(_:)`
        case identify
        /// `ReaderCommand.capture`
        case capture
        /// `ReaderCommand.list`
        case list
        /// `ReaderCommand.delete(_:)`
        case delete
        /// `ReaderCommand.clearStorage`
        case clear
    }

    private struct State {
        var description: ReaderDescription
        var commands: [ReaderCommand] = []
        var cancels = 0
        var scripts: [String: [[ScriptedStep]]] = [:]
        var running: ScriptedOperation?
        var isPlugged = true
    }
    private let state: Mutex<State>
    private let sensor = ScriptedSensor()

    /// Makes a reader that is plugged in and closed.
    public init(_ description: ReaderDescription = .scripted()) {
        state = Mutex(State(description: description))
    }

    // MARK: What the test says

    /// Adds a script for the next command of that kind that has none yet.
    ///
    /// A script that ends without ``ScriptedStep/end(_:)`` or ``ScriptedStep/fallSilent`` is a fault
    /// of the reader, never a verdict.
    public func script(_ command: Command, _ steps: ScriptedStep...) {
        state.withLock { $0.scripts[command.rawValue, default: []].append(steps) }
    }

    /// A finger touches the sensor.
    public func touch(_ touch: ScriptedTouch) { sensor.touches.append(touch) }

    /// The finger with this name touches the sensor, and reads well.
    public func touch(_ finger: String) { touch(.finger(finger)) }

    /// The reader is pulled out: what runs, and all that follows, ends in
    /// `AuthenticationError.readerDisconnected(_:)`.
    public func unplug() {
        let running = state.withLock { state in
            state.isPlugged = false
            return state.running
        }
        sensor.close()
        running?.cut(short: .failed(Self.unplugged))
    }

    /// The reader is put back, closed.
    public func replug() { state.withLock { $0.isPlugged = true } }

    /// Changes what the reader says it is.
    public func describe(as description: ReaderDescription) {
        state.withLock { $0.description = description }
    }

    // MARK: What the test asks

    /// The commands that the reader was given so far, those it refused included.
    public var commands: [ReaderCommand] { state.withLock { $0.commands } }

    /// The words of those commands, for comparing.
    public var words: [String] { commands.map(\.word) }

    /// How often the reader was told to cancel.
    public var cancels: Int { state.withLock { $0.cancels } }

    // MARK: FingerprintReader

    /// What the reader says it is.
    public var description: ReaderDescription {
        get async { state.withLock { $0.description } }
    }

    /// Starts an operation and gives its events.
    public func perform(_ command: ReaderCommand) async -> AsyncStream<ReaderEvent> {
        let (stream, continuation) = AsyncStream.makeStream(of: ReaderEvent.self)
        let operation = ScriptedOperation(continuation)
        let refusal = state.withLock { state -> AuthenticationError? in
            state.commands.append(command)
            guard state.isPlugged else { return Self.unplugged }
            if let running = state.running {
                return running.isLingering
                    ? .readerStillFinishing(.whorl("the driver ignores its cancel"))
                    : .readerBusy(.whorl("another operation runs"))
            }
            state.running = operation
            return nil
        }
        if let refusal {
            operation.end(.failed(refusal))
            return stream
        }
        continuation.onTermination = { [weak operation] reason in
            if case .cancelled = reason { operation?.cancel() }
        }
        operation.run { [self] in
            let outcome = await play(command, in: operation)
            // Free before the last event is out, so that whoever sees it can go on at once.
            state.withLock { $0.running = nil }
            operation.end(outcome)
        }
        return stream
    }

    /// Cancels the operation that runs, if one does.
    public func cancel() async {
        let running = state.withLock { state in
            state.cancels += 1
            return state.running
        }
        running?.cancel()
    }

    // MARK: Playing

    private static let unplugged = AuthenticationError.readerDisconnected(
        .whorl("the scripted reader was unplugged"))

    private func play(
        _ command: ReaderCommand, in operation: ScriptedOperation
    ) async -> ReaderOutcome? {
        operation.send(.started)
        let script = state.withLock { state -> [ScriptedStep]? in
            guard let scripts = state.scripts[command.word], !scripts.isEmpty else { return nil }
            return state.scripts[command.word]?.removeFirst()
        }
        guard let script else {
            let description = state.withLock { $0.description }
            return await sensor.play(command, as: description, in: operation)
        }
        for step in script {
            switch step {
            case .event(.ended(let outcome)), .end(let outcome): return outcome
            case .event(let event): operation.send(event)
            case .hold(let gate):
                await gate.pass()
                if Task.isCancelled { return .cancelled }
            case .ignoreCancel: operation.ignoreCancel()
            case .fallSilent: return nil
            }
        }
        return .failed(.readerFault(.whorl("the script of \(command.word) has no end")))
    }
}

extension ReaderDescription {
    /// A scripted reader: simulated, so a match counts for nothing where that was not allowed.
    ///
    /// - Parameters:
    ///   - driver: The name of the driver; `scripted` is none of libfprint's.
    ///   - deviceID: What tells it from others of its kind.
    ///   - features: What it can do.
    ///   - enrollStages: Good captures that an enrolment takes, 1 or more.
    ///   - reality: Whether it passes for a sensor.
    ///   - rating: Its strength; nil for what `StrengthCatalogue` says of driver and reality.
    /// - Returns: The description.
    public static func scripted(
        driver: String = "scripted", deviceID: String = "0",
        features: ReaderFeatures = [.verify, .identify], enrollStages: Int = 3,
        reality: ReaderReality = .simulated, rating: StrengthRating? = nil
    ) -> ReaderDescription {
        ReaderDescription(
            identity: ReaderIdentity(driver: driver, deviceID: deviceID, port: .none),
            name: "Scripted reader", reality: reality, features: features, scanType: .press,
            enrollStages: enrollStages, matchesOnChip: features.contains(.storage),
            rating: rating ?? StrengthCatalogue.rating(driver: driver, reality: reality))
    }
}
