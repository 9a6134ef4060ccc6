import Glibc

/// A program whose times are taken, as the benchmark sees it: lines on standard input and output.
///
/// The C programs beside this folder speak the same. A contestant says:
///
/// - `touch FINGER`: a finger is to touch the sensor, whenever it waits for one;
/// - `ready`: it waits to be told `go`;
/// - `armed FINGER`: the sensor waits, and the finger is to touch it; when it does is noted;
/// - `lap START ARMED VERDICT ANSWER`: it is done, and these are its times (``Lap``), in nanoseconds
///   of `CLOCK_MONOTONIC`, which all processes share.
///
/// It ends when its standard input does.
enum Contestant {
    /// Waits for the next `go`; false at the end.
    static func isToGo() -> Bool { readLine() == "go" }

    /// Says a line.
    static func say(_ line: String) throws {
        var bytes = Array((line + "\n").utf8)[...]
        while !bytes.isEmpty {
            let count = unsafe bytes.withUnsafeBytes {
                unsafe write(STDOUT_FILENO, $0.baseAddress, $0.count)
            }
            guard count > 0 else { throw BenchError("nobody listens to the contestant") }
            bytes = bytes.dropFirst(count)
        }
    }

    /// Says what a lap took.
    static func say(_ stamps: Stamps) throws {
        try say("lap \(stamps.start) \(stamps.armed) \(stamps.verdict) \(stamps.answer)")
    }
}

/// The times of a lap as a contestant takes them.
struct Stamps: Sendable {
    /// The call began.
    var start: Int64 = 0
    /// The sensor waited for a finger; 0 where none is needed.
    var armed: Int64 = 0
    /// The reader's last event was there; 0 where no reader takes part.
    var verdict: Int64 = 0
    /// The answer was in the caller's hand.
    var answer: Int64 = 0
}

/// Nanoseconds of `CLOCK_MONOTONIC`.
func monotonicNanoseconds() -> Int64 {
    var time = timespec()
    // The clock exists and the pointer is good: it cannot fail.
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}

/// Why a measurement could not be made.
struct BenchError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
