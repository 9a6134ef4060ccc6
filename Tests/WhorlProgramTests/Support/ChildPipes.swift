import Glibc

/// The pipes between a child and its thread.
final class ChildPipes: @unchecked Sendable {
    // Unchecked, since only the thread of the child uses it once the child is started.

    /// The system refused something.
    struct Failure: Error {
        let call: String
        let number: CInt
    }

    private var input: CInt = -1
    private var output: CInt = -1
    private var errors: CInt = -1
    // What is yet to be written to the input.
    private var left: ArraySlice<UInt8> = []
    private var keepsInputOpen = false
    // The child's ends, closed here once it has them: its descriptor, and ours.
    private var given: [(theirs: CInt, ours: CInt)] = []
    private var closesOutput = false

    init(_ start: Child.Start) throws {
        do {
            input = try made(for: STDIN_FILENO)
            switch start.input {
            case .bytes(let bytes): left = bytes[...]
            case .open: keepsInputOpen = true
            }
            try makeOutput(start.output)
            errors = try made(for: STDERR_FILENO)
            for (number, bytes) in start.descriptors { try give(bytes, as: number) }
            for descriptor in [input, output, errors] where descriptor >= 0 {
                guard fcntl(descriptor, F_SETFL, O_NONBLOCK) == 0 else {
                    throw Failure(call: "fcntl", number: errno)
                }
            }
        } catch {
            closeGiven()
            close()
            throw error
        }
    }

    private func makeOutput(_ wanted: Child.Output) throws {
        switch wanted {
        case .kept: output = try made(for: STDOUT_FILENO)
        case .closedPipe: Glibc.close(try made(for: STDOUT_FILENO))
        case .file(let path):
            let descriptor = unsafe open(path, O_WRONLY | O_CLOEXEC)
            guard descriptor >= 0 else { throw Failure(call: "open", number: errno) }
            given.append((STDOUT_FILENO, descriptor))
        case .closed: closesOutput = true
        }
    }

    private func give(_ bytes: [UInt8], as number: CInt) throws {
        let ours = try made(for: number)
        defer { Glibc.close(ours) }
        let count = unsafe send(ours, bytes, bytes.count, CInt(MSG_NOSIGNAL))
        guard count == bytes.count else { throw Failure(call: "send", number: errno) }
    }

    // Makes a descriptor for the child, and returns our end of it.
    private func made(for number: CInt) throws -> CInt {
        let ends = try Self.pair()
        given.append((number, ends.theirs))
        return ends.ours
    }

    // A pair of sockets and no pipe: only those are closed in every other child from the first moment
    // on, and writing to one that nobody reads need not be a signal.
    private static func pair() throws -> (theirs: CInt, ours: CInt) {
        var ends = [CInt](repeating: -1, count: 2)
        let kind = CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard unsafe socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
            throw Failure(call: "socketpair", number: errno)
        }
        // Above every number that a child is given, so that no end of ours lies in the way.
        let moved = ends.map { end in
            let copy = fcntl(end, F_DUPFD_CLOEXEC, 100)
            Glibc.close(end)
            return copy
        }
        guard moved[0] >= 0, moved[1] >= 0 else { throw Failure(call: "fcntl", number: errno) }
        return (moved[0], moved[1])
    }

    // MARK: Starting

    /// Starts the child, which gets its ends and nothing else.
    func spawn(_ start: Child.Start) throws -> pid_t {
        defer { closeGiven() }
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        for (theirs, ours) in given {
            unsafe posix_spawn_file_actions_adddup2(&actions, ours, theirs)
        }
        if closesOutput { unsafe posix_spawn_file_actions_addclose(&actions, STDOUT_FILENO) }
        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        // Threads of a pool may have signals blocked, and a child would inherit that.
        var none = sigset_t()
        unsafe sigemptyset(&none)
        unsafe posix_spawnattr_setsigmask(&attributes, &none)
        let newSession: CInt = 0x80
        unsafe posix_spawnattr_setflags(
            &attributes, Int16(CInt(POSIX_SPAWN_SETSIGMASK) | newSession))
        var process: pid_t = 0
        let environment = start.environment.map { "\($0.key)=\($0.value)" }
        let failure = unsafe Self.withCStrings([start.program] + start.arguments) { arguments in
            unsafe Self.withCStrings(environment) { environment in
                unsafe posix_spawn(
                    &process, start.program, &actions, &attributes, arguments, environment)
            }
        }
        guard failure == 0 else { throw Failure(call: "posix_spawn", number: failure) }
        return process
    }

    private static func withCStrings<Result>(
        _ texts: [String],
        _ body: ([UnsafeMutablePointer<CChar>?]) throws -> Result
    ) rethrows -> Result {
        let copies = unsafe texts.map { unsafe strdup($0) }
        defer {
            for index in unsafe copies.indices { unsafe free(copies[index]) }
        }
        return try unsafe body(copies + [nil])
    }

    private func closeGiven() {
        for (_, ours) in given { Glibc.close(ours) }
        given = []
    }

    // MARK: Running

    /// Waits a moment for something to read or write, and does it.
    func exchange() -> (output: [UInt8], errors: [UInt8]) {
        if input >= 0, left.isEmpty, !keepsInputOpen {
            Glibc.close(input)
            input = -1
        }
        var polled = [
            pollfd(fd: output, events: Int16(POLLIN), revents: 0),
            pollfd(fd: errors, events: Int16(POLLIN), revents: 0),
            pollfd(fd: left.isEmpty ? -1 : input, events: Int16(POLLOUT), revents: 0),
        ]
        if output < 0, errors < 0, polled[2].fd < 0 {
            usleep(2000)
        } else {
            _ = unsafe poll(&polled, nfds_t(polled.count), 5)
        }
        writeInput()
        return (Self.drain(&output), Self.drain(&errors))
    }

    private func writeInput() {
        guard input >= 0, !left.isEmpty else { return }
        let count = unsafe left.withUnsafeBytes {
            unsafe send(input, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL))
        }
        if count > 0 {
            left = left.dropFirst(count)
        } else if errno != EAGAIN, errno != EINTR {
            // The child reads no more.
            left = []
        }
    }

    private static func drain(_ descriptor: inout CInt) -> [UInt8] {
        var all: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while descriptor >= 0 {
            let count = unsafe read(descriptor, &buffer, buffer.count)
            if count > 0 {
                all += buffer[..<count]
            } else if count == 0 {
                Glibc.close(descriptor)
                descriptor = -1
            } else if errno != EINTR {
                break
            }
        }
        return all
    }

    /// Closes what is open.
    func close() {
        for descriptor in [input, output, errors] where descriptor >= 0 { Glibc.close(descriptor) }
        (input, output, errors) = (-1, -1, -1)
    }
}
