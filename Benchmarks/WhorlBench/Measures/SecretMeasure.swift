/// From the verdict to the secret, and what it takes to record an attempt.
enum SecretMeasure {
    private static let budget = 1.0

    static func table(_ bench: Workbench) async throws -> Table {
        var rows: [Row] = []
        if let memory = bench.memory {
            rows.append(try await opening(bench, folder: memory, label: "store in memory"))
        }
        rows.append(try await opening(bench, folder: bench.disk, label: "store on disk"))
        if let memory = bench.memory { rows.append(try await signing(bench, folder: memory)) }
        for keys in [10, 1000] {
            rows.append(
                try await opening(
                    bench, folder: bench.disk, keys: keys, label: "\(keys) keys on disk"))
        }
        for keys in [10, 1000] { rows.append(try await putting(bench, keys: keys)) }
        rows.append(try await charging(bench))
        return Table(title: "The store", unit: "ms", rows: rows)
    }

    private static func opening(
        _ bench: Workbench, folder: String, keys: Int = 1, label: String
    ) async throws -> Row {
        let pairs = try await Contest.pairs(
            keys == 1 ? 500 : 200, bench.whorl("secret", "\(folder)/secret\(keys)", "\(keys)"),
            bench.row("open", in: "\(folder)/open\(keys).db"))
        return Row(
            what: "verdict to secret, \(label)",
            ours: Distribution(nanoseconds: pairs.map(\.first.opening)),
            otherName: "a row and two AES-GCM from C",
            others: Distribution(nanoseconds: pairs.map(\.second.whole)), budget: budget)
    }

    private static func signing(_ bench: Workbench, folder: String) async throws -> Row {
        let pairs = try await Contest.pairs(
            500, bench.whorl("signature", folder + "/signature", "1"),
            bench.row("sign", in: folder + "/sign.db"))
        return Row(
            what: "verdict to signature, store in memory",
            ours: Distribution(nanoseconds: pairs.map(\.first.opening)),
            otherName: "a row, AES-GCM and ECDSA from C",
            others: Distribution(nanoseconds: pairs.map(\.second.whole)))
    }

    private static func putting(_ bench: Workbench, keys: Int) async throws -> Row {
        let pairs = try await Contest.pairs(
            60, bench.whorl("put", "\(bench.disk)/put\(keys)", "\(keys)"),
            bench.row("put", in: "\(bench.disk)/put\(keys).db"))
        return Row(
            what: "vault put, \(keys) keys there",
            ours: Distribution(nanoseconds: pairs.map(\.first.whole)),
            otherName: "two AES-GCM and a row synced from C",
            others: Distribution(nanoseconds: pairs.map(\.second.whole)))
    }

    private static func charging(_ bench: Workbench) async throws -> Row {
        let pairs = try await Contest.pairs(
            100, bench.whorl("charge", bench.disk + "/charge", "1"),
            bench.row("charge", in: bench.disk + "/charge.db"))
        return Row(
            what: "an attempt recorded on disk",
            ours: Distribution(nanoseconds: pairs.map(\.first.opening)),
            otherName: "a row changed and synced from C",
            others: Distribution(nanoseconds: pairs.map(\.second.whole)))
    }
}
