import Foundation
import Glibc
import WhorlStoreLoad

/// A child that works on a store, and what it said until its end.
struct StoreChild: Sendable {
    /// How a child ended.
    enum Ending: Sendable, Hashable {
        case exited(CInt)
        case signalled(CInt)
        /// Its time was over.
        case overdue
    }

    let lines: [String]
    let ending: Ending

    /// Whether it was killed by a signal of that name, ours or its own.
    var wasKilled: Bool { ending == .signalled(SIGKILL) }

    /// How many calls its storage counted; nil where it was not closed.
    var callCount: UInt64? {
        lines.last.flatMap { $0.hasPrefix("closed ") ? UInt64($0.dropFirst(7)) : nil }
    }

    /// How a child does what it is told.
    enum Manner: String {
        /// With no real pause.
        case hasty
        /// With real pauses.
        case patient
        /// Rounds of the mixed load without end.
        case rounds
    }

    /// Runs a child to its end.
    ///
    /// - Parameters:
    ///   - folder: The store.
    ///   - plan: How its storage breaks.
    ///   - manner: How it does what it is told.
    ///   - operations: What it is told.
    ///   - killAfter: How long it lives once it has opened the store.
    /// - Returns: What it said and how it ended.
    /// - Throws: `POSIXError` where it cannot be started.
    static func run(
        on folder: StoreFolder, _ plan: FaultPlan = FaultPlan(.all), _ manner: Manner = .hasty,
        _ operations: [StoreOperation] = [], killAfter: Duration? = nil
    ) async throws -> StoreChild {
        let arguments =
            [folder.path, plan.argument, manner.rawValue, folder.recoveryKey]
            + operations.map(\.argument)
        return try await withCheckedThrowingContinuation { continuation in
            // A thread of its own: it waits, and nothing may wait on the pool that tests share.
            let thread = Thread {
                continuation.resume(
                    with: Result { try Running(arguments).accompanied(killAfter: killAfter) })
            }
            thread.start()
        }
    }

    /// The program, beside the tests.
    private static let program: String = {
        let tests = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        var folder = URL(filePath: tests ?? "/").deletingLastPathComponent()
        while folder.path != "/" {
            let program = folder.appending(path: "WhorlStoreChild").path
            if FileManager.default.isExecutableFile(atPath: program) { return program }
            folder.deleteLastPathComponent()
        }
        return "WhorlStoreChild"
    }()

    // MARK: Running

    private struct Running {
        let process: pid_t
        let output: CInt

        init(_ arguments: [String]) throws {
            var ends: [CInt] = [-1, -1]
            // Sockets, since pipe2(2) does not import and other children must not inherit these.
            let kind = CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
            guard unsafe socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
                throw Self.failure(errno)
            }
            output = ends[0]
            defer { close(ends[1]) }
            var actions = unsafe posix_spawn_file_actions_t()
            unsafe posix_spawn_file_actions_init(&actions)
            defer { unsafe posix_spawn_file_actions_destroy(&actions) }
            unsafe posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
            let words = [StoreChild.program] + arguments
            let copies = unsafe words.map { unsafe strdup($0) }
            defer { for index in unsafe copies.indices { unsafe free(copies[index]) } }
            var process: pid_t = 0
            let code = unsafe posix_spawn(
                &process, StoreChild.program, &actions, nil, copies + [nil], environ)
            guard code == 0 else {
                close(output)
                throw Self.failure(code)
            }
            self.process = process
        }

        static func failure(_ code: CInt) -> any Error {
            POSIXError(POSIXErrorCode(rawValue: code) ?? .EIO)
        }

        func accompanied(killAfter: Duration?) throws -> StoreChild {
            let bound = ContinuousClock.now + .seconds(60)
            var deadline = bound
            var said: [UInt8] = []
            var isOverdue = false
            while true {
                var polled = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
                let left = max(deadline - ContinuousClock.now, .zero)
                if unsafe poll(&polled, 1, CInt(left / .milliseconds(1))) == 0 {
                    isOverdue = deadline == bound
                    // To the microsecond, so that a kill can fall anywhere.
                    let rest = max(deadline - ContinuousClock.now, .zero)
                    usleep(useconds_t(min(rest / .microseconds(1), 1000)))
                    kill(process, SIGKILL)
                    // What it said before can still be read to its end.
                    deadline = .now + .seconds(60)
                    continue
                }
                var buffer = [UInt8](repeating: 0, count: 1 << 14)
                let count = unsafe read(output, &buffer, buffer.count)
                if count > 0 {
                    let isFirst = said.isEmpty
                    said += buffer[..<count]
                    if isFirst, let killAfter { deadline = .now + killAfter }
                } else if count == 0 || errno != EINTR {
                    break
                }
            }
            close(output)
            var status: CInt = 0
            while unsafe waitpid(process, &status, 0) < 0, errno == EINTR {}
            let signal = status & 0x7f
            return StoreChild(
                lines: String(decoding: said, as: UTF8.self).split(separator: "\n").map(
                    String.init),
                ending: isOverdue
                    ? .overdue : signal == 0 ? .exited((status >> 8) & 0xff) : .signalled(signal))
        }
    }
}
