import Glibc

/// A child process with which lines are exchanged; ended and waited for when it goes away.
final class Child {
    private let name: String
    private let process: pid_t
    private let input: CInt
    private let output: CInt
    private var received: [UInt8] = []
    private var isReaped = false

    /// How long a line is waited for: longer than anything takes on the busiest machine.
    static let patienceMilliseconds: CInt = 60_000

    /// Starts a program by its path and arguments, with `NAME=value`s added to the environment.
    init(_ command: [String], variables: [String] = []) throws {
        name = command.prefix(2).joined(separator: " ")
        let toChild = try Self.pipe()
        let fromChild = try Self.pipe()
        let environment = variables + Self.environment(without: variables)
        var process: pid_t = 0
        let status = unsafe Self.withCStrings(command) { arguments in
            unsafe Self.withCStrings(environment) { environment in
                var files = unsafe posix_spawn_file_actions_t()
                unsafe posix_spawn_file_actions_init(&files)
                unsafe posix_spawn_file_actions_adddup2(&files, toChild.read, STDIN_FILENO)
                unsafe posix_spawn_file_actions_adddup2(&files, fromChild.write, STDOUT_FILENO)
                defer { unsafe posix_spawn_file_actions_destroy(&files) }
                return unsafe posix_spawn(
                    &process, command[0], &files, nil, arguments, environment)
            }
        }
        close(toChild.read)
        close(fromChild.write)
        (input, output) = (toChild.write, fromChild.read)
        self.process = process
        guard status == 0 else {
            isReaped = true
            throw BenchError("\(name) does not start (errno \(status))")
        }
    }

    deinit {
        close(input)
        close(output)
        guard !isReaped else { return }
        kill(process, SIGKILL)
        waitpid(process, nil, 0)
    }

    /// Says a line.
    func say(_ line: String) throws {
        let bytes = Array((line + "\n").utf8)
        let count = unsafe bytes.withUnsafeBytes {
            unsafe write(input, $0.baseAddress, $0.count)
        }
        // A line is far shorter than what a pipe takes at once.
        guard count == bytes.count else { throw BenchError("\(name) listens no more") }
    }

    /// The next line, without its end.
    func line() throws -> String {
        while true {
            if let end = received.firstIndex(of: UInt8(ascii: "\n")) {
                defer { received.removeSubrange(...end) }
                return String(decoding: received[..<end], as: UTF8.self)
            }
            var waiting = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
            let ready = unsafe poll(&waiting, 1, Self.patienceMilliseconds)
            if ready < 0, errno == EINTR { continue }
            guard ready > 0 else { throw BenchError("\(name) says nothing") }
            var buffer = [UInt8](repeating: 0, count: 4096)
            let count = unsafe buffer.withUnsafeMutableBytes {
                unsafe read(output, $0.baseAddress, $0.count)
            }
            guard count > 0 else { throw BenchError("\(name) ended early") }
            received += buffer[..<count]
        }
    }

    private static func pipe() throws -> (read: CInt, write: CInt) {
        var ends: [CInt] = [-1, -1]
        guard unsafe Glibc.pipe(&ends) == 0 else { throw BenchError("no pipe (errno \(errno))") }
        // A child that held another's end would keep it from seeing the end of its input.
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }

    private static func environment(without variables: [String]) -> [String] {
        let replaced = variables.map { $0.prefix { $0 != "=" } + "=" }
        var kept: [String] = []
        var next = unsafe environ
        while let entry = unsafe next.pointee {
            let text = unsafe String(cString: entry)
            if !replaced.contains(where: { text.hasPrefix($0) }) { kept.append(text) }
            unsafe next += 1
        }
        return kept
    }

    private static func withCStrings<Result>(
        _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
    ) -> Result {
        let copies = unsafe strings.map { unsafe strdup($0) }
        defer { for index in unsafe copies.indices { unsafe free(copies[index]) } }
        return unsafe body(copies + [nil])
    }
}
