import Foundation
import Glibc
import Synchronization

/// A child process: what it is given, what it says, and how it ends.
///
/// It has a session of its own and so no terminal, is killed when its time is over, and is always
/// reaped. A thread of its own feeds it and listens to it, so that nothing here holds up the pool
/// on which tests run.
final class Child: Sendable {
    /// What a child finds at its standard input.
    enum Input: Sendable {
        /// These bytes, then the end.
        case bytes([UInt8])
        /// Nothing and no end, until the child is gone.
        case open
    }

    /// Where a child's standard output goes.
    enum Output: Sendable {
        /// It is kept.
        case kept
        /// A stream that nobody reads.
        case closedPipe
        /// A file that is there.
        case file(String)
        /// The descriptor is closed.
        case closed
    }

    /// How to start a child.
    struct Start: Sendable {
        var program: String
        var arguments: [String]
        var environment: [String: String]
        var input = Input.bytes([])
        var output = Output.kept
        /// Further descriptors, each with all that can be read from it; at most what a pipe holds.
        var descriptors: [CInt: [UInt8]] = [:]
        /// How long it may live.
        var bound = Duration.seconds(60)
    }

    /// How a child ended.
    enum Ending: Sendable, Hashable {
        case exited(CInt)
        case signalled(CInt)
        /// Its time was over, and it was killed.
        case overdue
    }

    private struct State {
        var output: [UInt8] = []
        var errors: [UInt8] = []
        var ending: Ending?
        var isReaped = false
    }

    let process: pid_t
    private let state = Mutex(State())

    /// Starts a child.
    init(_ start: Start) throws {
        let pipes = try ChildPipes(start)
        process = try pipes.spawn(start)
        let deadline = ContinuousClock.now + start.bound
        Thread { [self] in accompany(pipes, until: deadline) }.start()
    }

    // MARK: Asking

    /// What it wrote to standard output so far.
    var output: [UInt8] { state.withLock(\.output) }
    /// What it wrote to standard error so far.
    var errors: String { state.withLock { String(decoding: $0.errors, as: UTF8.self) } }
    /// How it ended; nil while it runs.
    var ending: Ending? { state.withLock(\.ending) }

    /// Waits until standard error holds a text so many times.
    ///
    /// - Throws: ``Silence`` where the child ended first, as it does at the latest with its time.
    func says(_ text: String, times: Int = 1) async throws {
        try await wait(for: text, times: times) { self.errors }
    }

    /// Waits until standard output holds a text so many times, as ``says(_:times:)`` does.
    func prints(_ text: String, times: Int = 1) async throws {
        try await wait(for: text, times: times) { String(decoding: self.output, as: UTF8.self) }
    }

    private func wait(for text: String, times: Int, in said: () -> String) async throws {
        while true {
            let hasEnded = ending != nil
            if said().components(separatedBy: text).count > times { return }
            if hasEnded { throw Silence(expected: text, said: said()) }
            try await Task.sleep(for: Self.pause)
        }
    }

    /// Waits until it is gone.
    func end() async -> Ending {
        while true {
            if let ending { return ending }
            // Whoever is cancelled still waits: the child is bounded, and must not outlive its test.
            try? await Task.sleep(for: Self.pause)
        }
    }

    /// Sends it a signal, unless it is gone.
    func send(_ signal: CInt) {
        state.withLock { state in
            // Its number may be another's once it is reaped.
            guard !state.isReaped else { return }
            kill(process, signal)
        }
    }

    /// A child ended without saying what a test waited for.
    struct Silence: Error, CustomStringConvertible {
        let expected: String
        let said: String
        var description: String { "the child never said '\(expected)', but:\n\(said)" }
    }

    private static let pause = Duration.milliseconds(5)

    // MARK: The thread

    private func accompany(_ pipes: ChildPipes, until deadline: ContinuousClock.Instant) {
        var isOverdue = false
        while true {
            let (output, errors) = pipes.exchange()
            var status: CInt = 0
            let isGone = state.withLock { state in
                state.output += output
                state.errors += errors
                if unsafe waitpid(process, &status, WNOHANG) == process { state.isReaped = true }
                return state.isReaped
            }
            if isGone {
                let (lastOutput, lastErrors) = pipes.exchange()
                pipes.close()
                state.withLock { state in
                    state.output += lastOutput
                    state.errors += lastErrors
                    state.ending = isOverdue ? .overdue : Self.ending(status)
                }
                return
            }
            if !isOverdue, ContinuousClock.now > deadline {
                isOverdue = true
                kill(-process, SIGKILL)
            }
        }
    }

    // `WIFEXITED` and its like are macros that do not import.
    private static func ending(_ status: CInt) -> Ending {
        let signal = status & 0x7f
        return signal == 0 ? .exited((status >> 8) & 0xff) : .signalled(signal)
    }
}
