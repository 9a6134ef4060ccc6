/// One thing that must be given for a key to open.
public enum AccessFactor: String, Sendable, Hashable, CaseIterable, Comparable {
    /// A finger that was enrolled when the key was made, with no change of the enrolment since.
    case biometryCurrentSet
    /// Any finger enrolled now.
    case biometryAny
    /// The owner's PIN or passphrase for Whorl.
    case deviceCredential

    /// Whether a finger gives it.
    public var isBiometric: Bool { self != .deviceCredential }

    /// The order in which factors are written: fingers first.
    public static func < (left: AccessFactor, right: AccessFactor) -> Bool {
        left.order < right.order
    }

    private var order: Int {
        switch self {
        case .biometryCurrentSet: 0
        case .biometryAny: 1
        case .deviceCredential: 2
        }
    }
}

/// One way into a key: the factors that must all be given.
public struct AccessWay: Sendable, Hashable, Comparable {
    /// The factors; never empty, and of the two biometric ones at most one.
    public let factors: Set<AccessFactor>

    /// The factors of this way in the order in which they are written.
    public var sorted: [AccessFactor] { factors.sorted() }
    /// Whether a finger is part of this way.
    public var needsFinger: Bool { factors.contains { $0.isBiometric } }
    /// Whether the credential is part of this way.
    public var needsCredential: Bool { factors.contains(.deviceCredential) }
    /// Whether this way dies with a change of the enrolment.
    public var isBoundToGeneration: Bool { factors.contains(.biometryCurrentSet) }

    init(factors: Set<AccessFactor>) {
        // A finger of the current set is also any enrolled finger, so the one says both.
        self.factors =
            factors.contains(.biometryCurrentSet) ? factors.subtracting([.biometryAny]) : factors
    }

    // Whether whoever satisfies this way satisfies `other` too.
    func implies(_ other: AccessWay) -> Bool {
        other.factors.allSatisfy { wanted in
            factors.contains(wanted)
                || (wanted == .biometryAny && factors.contains(.biometryCurrentSet))
        }
    }

    /// Orders ways by their factors, as they are written.
    public static func < (left: AccessWay, right: AccessWay) -> Bool {
        left.sorted.lexicographicallyPrecedes(right.sorted)
    }
}

/// Who may open a key: ways in, any one of which is enough.
///
/// Written with Apple's words where the meaning is Apple's (`biometryCurrentSet`, `biometryAny`)
/// and Android's for the credential (`deviceCredential`), joined by `and`, `or` and parentheses,
/// `and` binding tighter. It is kept in one canonical form: the shortest list of ways, in order, so
/// that two expressions that mean the same are equal and print alike.
public struct AccessControl: Sendable, Hashable, CustomStringConvertible {
    /// The most terms that an expression may have.
    public static let maximumTerms = 8

    /// The ways in, in order; never empty, none implied by another.
    public let ways: [AccessWay]

    init(reducing ways: [AccessWay]) {
        let distinct = Set(ways)
        self.ways =
            distinct.filter { way in
                !distinct.contains { $0 != way && way.implies($0) }
            }.sorted()
    }

    /// A finger enrolled when the key was made.
    public static let biometryCurrentSet = AccessControl(
        reducing: [AccessWay(factors: [.biometryCurrentSet])])
    /// Any finger enrolled now.
    public static let biometryAny = AccessControl(reducing: [AccessWay(factors: [.biometryAny])])
    /// The owner's PIN or passphrase for Whorl.
    public static let deviceCredential = AccessControl(
        reducing: [AccessWay(factors: [.deviceCredential])])

    /// Either this or the other.
    public func or(_ other: AccessControl) -> AccessControl {
        AccessControl(reducing: ways + other.ways)
    }

    /// Both this and the other.
    public func and(_ other: AccessControl) -> AccessControl {
        AccessControl(
            reducing: ways.flatMap { mine in
                other.ways.map { AccessWay(factors: mine.factors.union($0.factors)) }
            })
    }

    /// Whether some way needs a finger.
    public var mentionsFinger: Bool { ways.contains { $0.needsFinger } }
    /// Whether some way needs the credential.
    public var mentionsCredential: Bool { ways.contains { $0.needsCredential } }

    /// The canonical form, which ``init(parsing:)`` reads back to an equal value.
    public var description: String {
        ways.map { $0.sorted.map(\.rawValue).joined(separator: " and ") }
            .joined(separator: " or ")
    }
}
