public import WhorlBiometrics

/// Something that every reader must do, as a plain function that can be run with no test framework.
public struct Requirement: Sendable, Identifiable {
    /// The stable name, used in reports: `verify-matches-the-enrolled-finger`.
    public let id: String
    /// What is required, as a sentence.
    public let sentence: String
    /// What a reader must be able to do for this to be asked of it.
    public let features: ReaderFeatures
    /// What the operator must be able to do for this to be checked.
    public let abilities: Set<OperatorAbility>
    private let body: @Sendable (any FingerprintReader, any Operator) async throws -> Void

    init(
        _ id: String, _ sentence: String, features: ReaderFeatures = [],
        abilities: Set<OperatorAbility> = [],
        body: @escaping @Sendable (any FingerprintReader, any Operator) async throws -> Void
    ) {
        self.id = id
        self.sentence = sentence
        self.features = features
        self.abilities = abilities
        self.body = body
    }

    /// How long one requirement may take before it has failed.
    public static let patience = Duration.seconds(60)

    /// What became of a check.
    public enum Verdict: Sendable, Hashable {
        /// The reader does it.
        case passed
        /// The reader does not.
        case failed(String)
        /// It was not asked: the reader has not the feature, or the operator not the ability.
        case notApplicable(String)
        /// It could not be found out.
        case unchecked(String)
    }

    /// Puts a closed reader to this test, and leaves it closed.
    ///
    /// - Parameters:
    ///   - reader: The reader, closed, with no finger on it.
    ///   - operator: Who touches it.
    ///   - patience: How long it may take.
    /// - Returns: The verdict, in bounded time even where the reader never answers.
    public func check(
        _ reader: any FingerprintReader, with operator: any Operator,
        patience: Duration = Requirement.patience
    ) async -> Verdict {
        let missing = features.subtracting(await reader.description.features)
        guard missing.isEmpty else {
            return .notApplicable("the reader has not: \(missing.words.joined(separator: ", "))")
        }
        let unable = abilities.subtracting(`operator`.abilities).map(\.rawValue).sorted()
        guard unable.isEmpty else {
            return .notApplicable("the operator cannot \(unable.joined(separator: ", "))")
        }
        return await first(within: patience) { [body] in
            do {
                try await body(reader, `operator`)
                return .passed
            } catch let error as OperatorError {
                return .unchecked(error.message)
            } catch let error as Nonconformance {
                return .failed(error.message)
            } catch {
                return .failed("\(error)")
            }
        } ?? .failed("not done within \(patience)")
    }
}

/// What a reader did that it must not, or did not that it must.
struct Nonconformance: Error {
    let message: String
    init(_ message: String) { self.message = message }
}

/// Runs work, and gives up on it after a while: also where the work ignores its cancellation.
func first<Success: Sendable>(
    within limit: Duration, _ work: @escaping @Sendable () async -> Success
) async -> Success? {
    let (results, continuation) = AsyncStream.makeStream(of: Success?.self)
    let working = Task { continuation.yield(await work()) }
    let watching = Task {
        try? await Task.sleep(for: limit)
        continuation.yield(nil)
    }
    defer {
        working.cancel()
        watching.cancel()
    }
    for await result in results { return result }
    return nil
}
