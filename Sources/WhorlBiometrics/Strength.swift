/// How much a match is worth: Android's class 1 (convenience), 2 (weak) or 3 (strong).
///
/// Ordered as Android orders its classes. None is a CDD claim, because nobody publishes false
/// accept or spoof rates for libfprint's drivers; a strength is therefore always shown together
/// with its ``StrengthBasis``. Source: Android CDD 7.3.10.
public enum Strength: Int, Sendable, Hashable, Comparable, CaseIterable {
    /// Class 1: never enough where something is protected.
    case convenience = 1
    /// Class 2: may take part in a prompt, and may open keys that ask for no more.
    case weak = 2
    /// Class 3: may open keys.
    case strong = 3

    /// Orders strengths as Android orders its classes.
    public static func < (left: Strength, right: Strength) -> Bool {
        left.rawValue < right.rawValue
    }

    /// The number of the class, 1 to 3.
    public var classNumber: Int { rawValue }

    /// The word used in arguments, JSON and documents.
    public var word: String {
        switch self {
        case .convenience: "convenience"
        case .weak: "weak"
        case .strong: "strong"
        }
    }

    /// The strength of that word, or nil for any other.
    public init?(word: String) {
        guard let found = Self.allCases.first(where: { $0.word == word }) else { return nil }
        self = found
    }
}

/// Why a reader has the strength that it has.
@nonexhaustive
public enum StrengthBasis: Sendable, Hashable {
    /// The sensor matches, over a channel that this host has authenticated.
    case attestedMatchOnChip
    /// The sensor matches and keeps the template; a fake USB device could claim a match.
    case claimedMatchOnChip
    /// This host matches full-size pictures at NIST's default threshold of 40.
    case hostMatchingDefaultThreshold
    /// This host matches with the given bozorth3 threshold, or pictures of a small or swipe sensor.
    case hostMatchingReduced(threshold: Int)
    /// The driver is in no table of ours.
    case unknownDriver
    /// Nothing was measured by a sensor: the reader is simulated, recorded or emulated.
    case notReal
    /// An administrator or a caller's option set the strength.
    case configured

    /// One sentence that says where the strength comes from.
    public var sentence: String {
        switch self {
        case .attestedMatchOnChip:
            "attested: the sensor matches, over a channel this host has authenticated"
        case .claimedMatchOnChip:
            "claimed: the sensor matches; a fake USB device could claim a match"
        case .hostMatchingDefaultThreshold:
            "this host matches at NIST's default threshold of 40"
        case .hostMatchingReduced(let threshold):
            threshold < 40
                ? "this host matches at a lowered threshold of \(threshold)"
                : "this host matches the pictures of a swipe or small sensor"
        case .unknownDriver: "the driver is not in the strength catalogue"
        case .notReal: "simulated: no sensor measured anything"
        case .configured: "set by configuration"
        }
    }
}

/// A reader's strength together with its basis; they are never shown apart.
public struct StrengthRating: Sendable, Hashable {
    /// The strength, or nil where a match counts for nothing (a simulated reader not allowed).
    public let strength: Strength?
    /// Why.
    public let basis: StrengthBasis

    /// Makes a rating.
    public init(_ strength: Strength?, basis: StrengthBasis) {
        self.strength = strength
        self.basis = basis
    }
}
