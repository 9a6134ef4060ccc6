/// From the verdict to the secret, and what it takes to record an attempt.
enum SecretMeasure {
    private static let budget = 1.0

    static func table(_ bench: Workbench) async throws -> Table {
        var rows: [Row] = []
        if let memory = bench.memory {
            rows.append(try await opening(bench, folder: memory, label: "store in memory"))
        }
        rows.append(try await opening(bench, folder: bench.disk, label: "store on disk"))
        rows.append(try await charging(bench))
        return Table(title: "The store", unit: "ms", rows: rows)
    }

    private static func opening(
        _ bench: Workbench, folder: String, label: String
    ) async throws -> Row {
        let pairs = try await Contest.pairs(
            500, bench.whorl("secret", folder + "/secret"),
            bench.row("open", in: folder + "/open.db"))
        return Row(
            what: "verdict to secret, \(label)",
            ours: Distribution(nanoseconds: pairs.map(\.first.opening)),
            otherName: "a row and two AES-GCM from C",
            others: Distribution(nanoseconds: pairs.map(\.second.whole)), budget: budget)
    }

    private static func charging(_ bench: Workbench) async throws -> Row {
        let pairs = try await Contest.pairs(
            100, bench.whorl("charge", bench.disk + "/charge"),
            bench.row("charge", in: bench.disk + "/charge.db"))
        return Row(
            what: "an attempt recorded on disk",
            ours: Distribution(nanoseconds: pairs.map(\.first.opening)),
            otherName: "a row changed and synced from C",
            others: Distribution(nanoseconds: pairs.map(\.second.whole)))
    }
}
