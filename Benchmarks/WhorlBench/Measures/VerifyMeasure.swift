/// What Whorl adds to a verify, against the same libfprint calls from C.
///
/// What counts is all but the wait for the finger: from the call until the sensor waits, and from the
/// touch to the answer. The touch is the moment before the benchmark connects to the virtual device's
/// socket, so the way of the command through that socket is in the time of both.
enum VerifyMeasure {
    private static let budget = 1.0

    static func table(_ bench: Workbench) async throws -> Table {
        var rows = try await alone(bench)
        if let memory = bench.memory {
            rows += try await whole(
                bench, folder: memory, label: "store in memory", budget: budget)
        }
        rows += try await whole(bench, folder: bench.disk, label: "store on disk", budget: nil)
        return Table(
            title: "A verify, without the wait for the finger", unit: "ms", rows: rows)
    }

    private static func alone(_ bench: Workbench) async throws -> [Row] {
        let pairs = try await Contest.pairs(
            300, bench.whorl("reader"), bench.libfprint("alone"))
        return [
            row("the reader alone", pairs, \.busy, budget: budget),
            row("  until the sensor waits", pairs, \.arming),
            row("  from the touch to the verdict", pairs, \.answering),
        ]
    }

    // The charge of the attempt waits for the disk, whoever writes it; a store in memory shows what
    // is Whorl's own.
    private static func whole(
        _ bench: Workbench, folder: String, label: String, budget: Double?
    ) async throws -> [Row] {
        let pairs = try await Contest.pairs(
            200, bench.whorl("request", folder + "/request", "1"), bench.libfprint("whole"))
        return [
            row("vault get, \(label)", pairs, \.busy),
            row("  until the sensor waits", pairs, \.arming),
            row("  from the touch to the secret", pairs, \.answering, budget: budget),
        ]
    }

    private static func row(
        _ what: String, _ pairs: [Pair], _ time: KeyPath<Lap, Int64>, budget: Double? = nil
    ) -> Row {
        Row(
            what: what, ours: Distribution(nanoseconds: pairs.map { $0.first[keyPath: time] }),
            otherName: "libfprint from C",
            others: Distribution(nanoseconds: pairs.map { $0.second[keyPath: time] }),
            added: Distribution(
                nanoseconds: pairs.map {
                    $0.first[keyPath: time] - $0.second[keyPath: time]
                }), budget: budget)
    }
}
