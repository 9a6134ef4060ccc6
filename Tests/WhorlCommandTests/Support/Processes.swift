import Glibc
import Testing

/// How a process ended, as `waitpid` tells it.
enum Ending: Equatable {
    case exited(CInt)
    case signalled(CInt)
    case stopped(CInt)
    case tooLate
}

/// Processes without Foundation.
enum Processes {
    /// The program beside the test bundle; the package builds it for this target.
    static var program: String {
        get throws {
            var buffer = [CChar](repeating: 0, count: 4096)
            let count = unsafe readlink("/proc/self/exe", &buffer, buffer.count - 1)
            try #require(count > 0)
            let own = String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
            let folder = own.split(separator: "/").dropLast().joined(separator: "/")
            return "/\(folder)/whorl"
        }
    }

    /// A pipe that no other process inherits.
    static func pipe() throws -> (read: CInt, write: CInt) {
        var ends: [CInt] = [-1, -1]
        try #require(unsafe Glibc.pipe(&ends) == 0)
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }

    /// Starts a process; what it reads comes from a path.
    static func spawn(
        _ words: [String], _ environment: [String], input: String, output: CInt, errors: CInt
    ) throws -> pid_t {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_addopen(&actions, 0, input, O_RDWR | O_NOCTTY, 0)
        unsafe posix_spawn_file_actions_adddup2(&actions, output, 1)
        unsafe posix_spawn_file_actions_adddup2(&actions, errors, 2)
        var arguments = unsafe words.map { unsafe strdup($0) } + [nil]
        var variables = unsafe environment.map { unsafe strdup($0) } + [nil]
        defer {
            // By index: swift-format 6.3.1 joins `for unsafe word` into one word.
            for index in unsafe arguments.indices { unsafe free(arguments[index]) }
            for index in unsafe variables.indices { unsafe free(variables[index]) }
        }
        var pid = pid_t()
        let failure = unsafe posix_spawn(
            &pid, words[0], &actions, nil, &arguments, &variables)
        try #require(failure == 0)
        return pid
    }

    /// Waits for the end of a process, for ten seconds at most, and then ends it.
    static func wait(for pid: pid_t, orStop: Bool = false) -> Ending {
        var status: CInt = 0
        for _ in 0..<1000 {
            if unsafe waitpid(pid, &status, WNOHANG | (orStop ? WUNTRACED : 0)) == pid {
                if status & 0xFF == 0x7F { return .stopped((status >> 8) & 0xFF) }
                return status & 0x7F == 0
                    ? .exited((status >> 8) & 0xFF) : .signalled(status & 0x7F)
            }
            usleep(10_000)
        }
        kill(pid, SIGKILL)
        unsafe waitpid(pid, &status, 0)
        return .tooLate
    }

    /// All that comes from descriptors until their other ends close, for ten seconds at most.
    static func readAll(_ descriptors: [CInt]) -> [String] {
        var bytes = descriptors.map { _ in [UInt8]() }
        var open = Set(descriptors.indices)
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        for _ in 0..<1000 where !open.isEmpty {
            var polled = open.sorted().map {
                pollfd(fd: descriptors[$0], events: Int16(POLLIN), revents: 0)
            }
            guard unsafe poll(&polled, nfds_t(polled.count), 10) > 0 else { continue }
            for (index, entry) in zip(open.sorted(), polled) where entry.revents != 0 {
                let count = unsafe read(descriptors[index], &buffer, buffer.count)
                if count > 0 { bytes[index] += buffer[..<count] } else { open.remove(index) }
            }
        }
        return bytes.map { String(decoding: $0, as: UTF8.self) }
    }
}
