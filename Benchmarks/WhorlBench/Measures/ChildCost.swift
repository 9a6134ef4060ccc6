/// What one run of a program cost.
struct ChildCost {
    let milliseconds: Double
    let peakMebibytes: Double

    /// Runs a program by `child-cost`; `meanwhile` does what brings the program to its end.
    static func of(
        _ command: [String], variables: [String] = [], on bench: Workbench,
        meanwhile: () async throws -> Void = {}
    ) async throws -> ChildCost {
        let child = try Child([bench.program("child-cost")] + command, variables: variables)
        try await meanwhile()
        let line = try child.line()
        let numbers = line.split(separator: " ").dropFirst().compactMap { Int64($0) }
        guard numbers.count == 3 else { throw BenchError("not a cost: \(line)") }
        guard numbers[2] == 0 else {
            throw BenchError("'\(command.joined(separator: " "))' ended with \(numbers[2])")
        }
        return ChildCost(
            milliseconds: Double(numbers[0]) / 1_000_000,
            peakMebibytes: Double(numbers[1]) / 1024)
    }
}
