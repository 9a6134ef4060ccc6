public import WhorlBiometrics

/// The readers that are there, and those that should be but failed.
public struct ReaderListing: Sendable {
    /// The readers, best first.
    public let readers: [ReaderStatus]
    /// Those that could not be reached.
    public let failures: [ReaderFailure]

    /// Makes a listing.
    public init(readers: [ReaderStatus], failures: [ReaderFailure]) {
        self.readers = readers
        self.failures = failures
    }
}

/// A reader and what a match of it counts for here.
public struct ReaderStatus: Sendable, Hashable {
    /// What the reader is.
    public let description: ReaderDescription
    /// The strength that counts in this process, with its basis: by the catalogue, by what the
    /// options allow a simulated reader, and by what the store in use can back.
    public let rating: StrengthRating

    /// Makes a reader's status.
    public init(description: ReaderDescription, rating: StrengthRating) {
        self.description = description
        self.rating = rating
    }
}

/// A reader, or a way to readers, that failed.
public struct ReaderFailure: Sendable, Hashable {
    /// What it is called, as far as known.
    public let name: String
    /// Why it failed.
    public let error: AuthenticationError

    /// Makes a failure.
    public init(name: String, error: AuthenticationError) {
        self.name = name
        self.error = error
    }
}
