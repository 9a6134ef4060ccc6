import Synchronization

/// Does something for each number, some at a time, and collects what is to be complained of.
///
/// One test with a loop in it says which numbers failed, and costs less than as many tests.
func complaints(
    in numbers: Range<Int>, _ body: @escaping @Sendable (Int) async throws -> [String]
) async -> [String] {
    let next = NextNumber(numbers.lowerBound)
    return await withTaskGroup(of: [String].self) { group in
        for _ in 0..<3 {
            group.addTask {
                var found: [String] = []
                while !Task.isCancelled {
                    let number = next.take()
                    // The first few say what is wrong; thousands would say no more.
                    guard number < numbers.upperBound, found.count < 20 else { break }
                    do {
                        found += try await body(number).map { "\(number): \($0)" }
                    } catch {
                        found.append("\(number): \(error)")
                    }
                }
                return found
            }
        }
        return await group.reduce(into: []) { $0 += $1 }
    }
}

private final class NextNumber: Sendable {
    private let number: Mutex<Int>

    init(_ first: Int) { number = Mutex(first) }

    func take() -> Int {
        number.withLock { number in
            defer { number += 1 }
            return number
        }
    }
}
