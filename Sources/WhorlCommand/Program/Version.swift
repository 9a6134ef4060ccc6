/// Which Whorl this is.
enum Version {
    /// The number of the release, by Semantic Versioning 2.0.0.
    static let text = "0.1.0"
}
