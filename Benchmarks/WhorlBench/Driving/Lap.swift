/// One lap of a contestant: a verify, a request, or whatever it does when told `go`.
struct Lap {
    private let stamps: Stamps
    /// When the finger that counts touched the sensor; nil where none did.
    private let touched: Int64?

    init(_ line: String, touched: Int64?) throws {
        let words = line.split(separator: " ")
        let numbers = words.dropFirst().compactMap { Int64($0) }
        guard words.first == "lap", numbers.count == 4 else {
            throw BenchError("not the times of a lap: \(line)")
        }
        stamps = Stamps(
            start: numbers[0], armed: numbers[1], verdict: numbers[2], answer: numbers[3])
        self.touched = touched
    }

    /// Nanoseconds from the call to the answer, where no finger is waited for.
    var whole: Int64 { stamps.answer - stamps.start }
    /// From the call until the sensor waits.
    var arming: Int64 { stamps.armed - stamps.start }
    /// From the touch to the answer.
    var answering: Int64 { touched.map { stamps.answer - $0 } ?? whole }
    /// All but the wait for the finger.
    var busy: Int64 { arming + answering }
    /// From the reader's last event to the answer.
    var opening: Int64 { stamps.answer - stamps.verdict }
}
