import Testing
import WhorlBiometrics

struct AccessControlTests {
    @Test(arguments: [
        ("", AccessControlError.empty),
        ("   ", .empty),
        ("face", .unknownWord("face")),
        ("BiometryAny", .unknownWord("BiometryAny")),
        ("biometryAny,deviceCredential", .unknownWord("biometryAny,deviceCredential")),
        ("applicationPassword", .reservedWord("applicationPassword")),
        ("biometryAny or applicationPassword", .reservedWord("applicationPassword")),
        ("or", .unexpected("or")),
        ("biometryAny or", .unexpected("")),
        ("biometryAny and and deviceCredential", .unexpected("and")),
        ("biometryAny deviceCredential", .unexpected("deviceCredential")),
        ("(biometryAny", .unbalanced),
        ("biometryAny)", .unbalanced),
        ("()", .unexpected(")")),
        ("(biometryAny or", .unbalanced),
        ("biometryAny (deviceCredential)", .unexpected("(")),
        ("biometryAny\u{202E}", .unknownWord("biometryAny\u{202E}")),
    ])
    func nonsenseIsRefusedAndNamed(text: String, error: AccessControlError) {
        #expect(throws: error) { try AccessControl(parsing: text) }
    }

    @Test func moreThanEightTermsAreRefused() throws {
        let eight = Array(repeating: "biometryAny", count: 8).joined(separator: " or ")
        #expect(try AccessControl(parsing: eight) == .biometryAny)
        #expect(throws: AccessControlError.tooManyTerms) {
            try AccessControl(parsing: eight + " or deviceCredential")
        }
    }

    @Test func deepNestingIsRefusedInsteadOfOverflowingTheStack() {
        let text = String(repeating: "(", count: 100_000) + "biometryAny"
        #expect(throws: AccessControlError.tooManyTerms) { try AccessControl(parsing: text) }
    }

    @Test(arguments: [
        ("deviceCredential or biometryAny", "biometryAny or deviceCredential"),
        ("deviceCredential and biometryAny", "biometryAny and deviceCredential"),
        ("biometryAny or biometryAny", "biometryAny"),
        // Whoever gives both gives one.
        ("biometryAny or biometryAny and deviceCredential", "biometryAny"),
        // A finger of the current set is also any enrolled finger.
        ("biometryCurrentSet or biometryAny", "biometryAny"),
        ("biometryCurrentSet and biometryAny", "biometryCurrentSet"),
        (
            "(biometryCurrentSet or biometryAny) and deviceCredential",
            "biometryAny and deviceCredential"
        ),
        ("((deviceCredential))", "deviceCredential"),
        ("biometryAny or deviceCredential and biometryCurrentSet", "biometryAny"),
        (
            "biometryCurrentSet or biometryAny and deviceCredential",
            "biometryCurrentSet or biometryAny and deviceCredential"
        ),
    ])
    func expressionsAreReducedToTheShortestForm(text: String, canonical: String) throws {
        #expect(try AccessControl(parsing: text).description == canonical)
    }

    @Test func andBindsTighterThanOr() throws {
        let control = try AccessControl(
            parsing: "deviceCredential or biometryAny and deviceCredential")
        #expect(control == .deviceCredential)
    }

    // Random expressions, with their meaning computed apart from the code under test.
    @Test func everyExpressionReadsBackFromItsCanonicalFormAndMeansTheSame() throws {
        var random = SeededRandom(seed: 20_261_130)
        for _ in 0..<20_000 {
            var terms = 0
            let tree = Tree.random(depth: 3, terms: &terms, using: &random)
            guard terms <= AccessControl.maximumTerms else { continue }
            let control = try AccessControl(parsing: tree.text)
            #expect(try AccessControl(parsing: control.description) == control)
            for given in Tree.everyGift {
                let opens = control.ways.contains { way in
                    way.factors.allSatisfy { given.contains($0) }
                }
                #expect(opens == tree.opens(with: given), "\(tree.text) with \(given)")
            }
            for way in control.ways {
                #expect(
                    !control.ways.contains { $0 != way && $0.factors.isSubset(of: way.factors) })
            }
        }
    }
}

// An expression with a meaning of its own: what somebody gives opens it or does not.
private enum Tree {
    case factor(AccessFactor)
    indirect case or(Tree, Tree)
    indirect case and(Tree, Tree)

    // What a person can give: a finger of the current set is always also any finger.
    static let everyGift: [Set<AccessFactor>] = [
        [], [.deviceCredential], [.biometryAny], [.biometryAny, .deviceCredential],
        [.biometryAny, .biometryCurrentSet],
        [.biometryAny, .biometryCurrentSet, .deviceCredential],
    ]

    static func random(depth: Int, terms: inout Int, using random: inout SeededRandom) -> Tree {
        if depth == 0 || Int.random(in: 0..<3, using: &random) == 0 {
            terms += 1
            return .factor(AccessFactor.allCases.randomElement(using: &random) ?? .biometryAny)
        }
        let left = Tree.random(depth: depth - 1, terms: &terms, using: &random)
        let right = Tree.random(depth: depth - 1, terms: &terms, using: &random)
        return Bool.random(using: &random) ? .or(left, right) : .and(left, right)
    }

    var text: String {
        switch self {
        case .factor(let factor): factor.rawValue
        case .or(let left, let right): "(\(left.text) or \(right.text))"
        case .and(let left, let right): "(\(left.text)) and(\(right.text))"
        }
    }

    func opens(with given: Set<AccessFactor>) -> Bool {
        switch self {
        case .factor(let factor): given.contains(factor)
        case .or(let left, let right): left.opens(with: given) || right.opens(with: given)
        case .and(let left, let right): left.opens(with: given) && right.opens(with: given)
        }
    }
}

// SplitMix64, so that a failure can be repeated.
struct SeededRandom: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
