/// Many measurements of one thing.
struct Distribution {
    private let sorted: [Double]

    /// Makes a distribution of at least one value.
    init(_ values: [Double]) {
        precondition(!values.isEmpty)
        sorted = values.sorted()
    }

    /// Nanoseconds, as milliseconds.
    init(nanoseconds: [Int64]) { self.init(nanoseconds.map { Double($0) / 1_000_000 }) }

    /// The least value that so many percent are not above: the nearest rank.
    func quantile(percent: Int) -> Double {
        let rank = (sorted.count * percent + 99) / 100
        return sorted[min(max(rank, 1), sorted.count) - 1]
    }

    var median: Double { quantile(percent: 50) }
}
