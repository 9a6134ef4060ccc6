import WhorlSensorLab

/// A contestant that runs, and the finger for its sensor.
final class Runner {
    private let child: Child
    private let sensor: VirtualDeviceController?

    /// Between `armed` and the touch: a person is slower, and what follows `armed` is over then.
    private static let reaction = Duration.milliseconds(3)

    /// Starts a contestant, whose virtual device listens at the socket, and waits until it is ready.
    init(_ command: [String], socket: String? = nil) async throws {
        sensor = socket.map { VirtualDeviceController(socketPath: $0, patience: .seconds(30)) }
        child = try Child(command, variables: socket.map(Self.variables) ?? [])
        _ = try await listen(until: "ready")
    }

    /// The environment in which a program finds one virtual device, and never a real reader.
    static func variables(socket: String) -> [String] {
        ["FP_VIRTUAL_DEVICE=\(socket)", "FP_DRIVERS_WHITELIST=virtual_device"]
    }

    /// Lets it run a lap.
    func lap() async throws -> Lap {
        try child.say("go")
        let (line, touched) = try await listen(until: "lap")
        return try Lap(line, touched: touched)
    }

    private func listen(until last: String) async throws -> (line: String, touched: Int64?) {
        var touched: Int64?
        while true {
            let line = try child.line()
            let words = line.split(separator: " ").map(String.init)
            switch (words.first, words.dropFirst().first) {
            case (last, _): return (line, touched)
            case ("touch", let finger?): try await sensor?.scan(finger)
            case ("armed", let finger?):
                try await Task.sleep(for: Self.reaction)
                touched = monotonicNanoseconds()
                try await sensor?.scan(finger)
            default: throw BenchError("not understood: \(line)")
            }
        }
    }
}

/// A lap of each of two contestants, one right after the other.
struct Pair {
    let first: Lap
    let second: Lap
}

/// Two contestants that run alternately, so that whatever else the machine does meets both.
enum Contest {
    // The first laps fill caches and start threads.
    private static let warmUp = 10

    /// Runs laps in pairs; which goes first alternates too.
    static func pairs(
        _ count: Int, _ first: Runner, _ second: Runner
    ) async throws -> [Pair] {
        var pairs: [Pair] = []
        for index in 0..<(warmUp + count) {
            let isSwapped = !index.isMultiple(of: 2)
            let early = try await (isSwapped ? second : first).lap()
            let late = try await (isSwapped ? first : second).lap()
            guard index >= warmUp else { continue }
            pairs.append(
                isSwapped ? Pair(first: late, second: early) : Pair(first: early, second: late))
        }
        return pairs
    }
}
