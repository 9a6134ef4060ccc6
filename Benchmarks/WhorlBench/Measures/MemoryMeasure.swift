import WhorlSensorLab

/// The largest resident memory of `whorl vault get`.
enum MemoryMeasure {
    private static let rounds = 5

    static func table(_ bench: Workbench) async throws -> Table {
        let store = bench.disk + "/memory"
        // Starting this contestant makes the store, with a finger and a secret.
        _ = try await bench.whorl("request", store, "1")
        let socket = bench.sockets + "/memory"
        let sensor = VirtualDeviceController(socketPath: socket, patience: .seconds(30))
        let variables = Runner.variables(socket: socket)
        let get = [
            bench.whorl, "--store", store, "--reader", "libfprint", "--allow-simulated=weak",
            "vault", "get", RequestContestant.name,
        ]
        var ours: [Double] = []
        var others: [Double] = []
        for _ in 0..<rounds {
            let cost = try await ChildCost.of(get, variables: variables, on: bench) {
                try await sensor.scan("whorl")
            }
            ours.append(cost.peakMebibytes)
            let other = try await ChildCost.of(
                [bench.program("same-libraries"), "open"], variables: variables, on: bench)
            others.append(other.peakMebibytes)
        }
        return Table(
            title: "Peak resident memory", unit: "MiB", high: 100,
            rows: [
                Row(
                    what: "whorl vault get", ours: Distribution(ours),
                    otherName: "C with the same libraries and reader",
                    others: Distribution(others))
            ])
    }
}
