internal import Synchronization
public import WhorlBiometrics

/// A source of readers that come and go as a test says.
public final class ScriptedSource: ReaderSource {
    private struct State {
        var readers: [any FingerprintReader & AnyObject]
        var failure: AuthenticationError?
        var listeners: [UInt64: AsyncStream<ReaderChange>.Continuation] = [:]
        var tickets: UInt64 = 0
    }
    private let state: Mutex<State>

    /// Makes a source with these readers.
    public init(_ readers: [any FingerprintReader & AnyObject] = []) {
        state = Mutex(State(readers: readers))
    }

    /// From now on it cannot be found out which readers there are; nil ends that.
    public func fail(_ error: AuthenticationError?) { state.withLock { $0.failure = error } }

    /// A reader is plugged in.
    public func add(_ reader: any FingerprintReader & AnyObject) async {
        let description = await reader.description
        tell(.added(description)) { $0.readers.append(reader) }
    }

    /// A reader is unplugged; what it does itself is its own script.
    public func remove(_ reader: any FingerprintReader & AnyObject) async {
        tell(.removed(await reader.description)) { $0.readers.removeAll { $0 === reader } }
    }

    /// The readers that are there now.
    ///
    /// - Throws: What ``fail(_:)`` was given.
    public func readers() async throws(AuthenticationError) -> [any FingerprintReader] {
        let (readers, failure) = state.withLock { ($0.readers, $0.failure) }
        if let failure { throw failure }
        return readers
    }

    /// Tells of readers that come and go, from the time of the call on.
    public func changes() async -> AsyncStream<ReaderChange> {
        let (stream, continuation) = AsyncStream.makeStream(of: ReaderChange.self)
        let ticket = state.withLock { state in
            state.tickets += 1
            state.listeners[state.tickets] = continuation
            return state.tickets
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { $0.listeners[ticket] = nil }
        }
        return stream
    }

    private func tell(_ change: ReaderChange, after update: (inout State) -> Void) {
        let listeners = state.withLock { state in
            update(&state)
            return Array(state.listeners.values)
        }
        for listener in listeners { listener.yield(change) }
    }
}
