/// How long the command takes from its start to its end, where it does next to nothing.
enum StartMeasure {
    private static let rounds = 100
    private static let budget = 15.0

    static func table(_ bench: Workbench) async throws -> Table {
        let commands = [
            [bench.whorl, "--version"],
            ["/bin/true"],
            [bench.program("hello")],
            [bench.program("same-libraries")],
            [bench.whorl, "--store", bench.disk + "/none", "status"],
            [bench.program("same-libraries"), "look"],
        ]
        var times = [[Double]](repeating: [], count: commands.count)
        // Round by round, so that whatever else the machine does meets all alike.
        for _ in 0..<rounds {
            for (index, command) in commands.enumerated() {
                times[index].append(try await ChildCost.of(command, on: bench).milliseconds)
            }
        }
        let costs = times.map { Distribution($0) }
        return Table(
            title: "A command from its start to its end", unit: "ms", high: 95,
            rows: [
                Row(
                    what: "whorl --version", ours: costs[0], otherName: "/bin/true",
                    others: costs[1], budget: budget),
                Row(what: "", ours: nil, otherName: "hello in Swift", others: costs[2]),
                Row(
                    what: "", ours: nil, otherName: "C with the same libraries",
                    others: costs[3]),
                Row(
                    what: "whorl status, no store", ours: costs[4],
                    otherName: "that C, looking for readers", others: costs[5]),
            ])
    }
}
