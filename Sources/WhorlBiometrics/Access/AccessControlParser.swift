/// What is wrong with an access-control expression.
public enum AccessControlError: Error, Sendable, Hashable {
    /// There is no term in it.
    case empty
    /// A word is none of ours.
    case unknownWord(String)
    /// A word is reserved for later versions.
    case reservedWord(String)
    /// More than ``AccessControl/maximumTerms`` terms.
    case tooManyTerms
    /// A term, `and`, `or` or parenthesis is missing before this word; empty at the end.
    case unexpected(String)
    /// Parentheses do not pair.
    case unbalanced

    /// A sentence that says what is wrong.
    public var message: String {
        switch self {
        case .empty: "the access control is empty"
        case .unknownWord(let word): "'\(DisplayText(word))' is no access-control word"
        case .reservedWord(let word): "'\(DisplayText(word))' is not supported yet"
        case .tooManyTerms:
            "the access control has more than \(AccessControl.maximumTerms) terms"
        case .unexpected(""): "the access control ends too early"
        case .unexpected(let word):
            "'\(DisplayText(word))' stands where it cannot in the access control"
        case .unbalanced: "the parentheses in the access control do not pair"
        }
    }
}

extension AccessControl {
    /// Reads an expression such as `biometryCurrentSet or deviceCredential`.
    ///
    /// Words are told apart by case. What this version does not understand is refused, never
    /// ignored.
    ///
    /// - Throws: ``AccessControlError`` that names the first thing wrong.
    public init(parsing text: String) throws(AccessControlError) {
        var parser = AccessControlParser(words: Self.words(of: text))
        self = try parser.parse()
    }

    private static func words(of text: String) -> [String] {
        var words: [String] = []
        var word = ""
        for scalar in text.unicodeScalars {
            if scalar == " " || scalar == "\t" || scalar == "(" || scalar == ")" {
                if !word.isEmpty { words.append(word) }
                word = ""
                if scalar == "(" || scalar == ")" { words.append(String(scalar)) }
            } else {
                word.unicodeScalars.append(scalar)
            }
        }
        if !word.isEmpty { words.append(word) }
        return words
    }
}

// Recursive descent; `depth` bounds the recursion, since the text comes from outside.
private struct AccessControlParser {
    let words: [String]
    var position = 0
    var terms = 0
    var depth = 0

    init(words: [String]) { self.words = words }

    private var next: String? { position < words.count ? words[position] : nil }

    mutating func parse() throws(AccessControlError) -> AccessControl {
        guard !words.isEmpty else { throw .empty }
        let whole = try disjunction()
        guard let rest = next else { return whole }
        throw rest == ")" ? .unbalanced : .unexpected(rest)
    }

    private mutating func disjunction() throws(AccessControlError) -> AccessControl {
        var result = try conjunction()
        while next == "or" {
            position += 1
            result = result.or(try conjunction())
        }
        return result
    }

    private mutating func conjunction() throws(AccessControlError) -> AccessControl {
        var result = try term()
        while next == "and" {
            position += 1
            result = result.and(try term())
        }
        return result
    }

    private mutating func term() throws(AccessControlError) -> AccessControl {
        guard let word = next else { throw depth > 0 ? .unbalanced : .unexpected("") }
        position += 1
        switch word {
        case "(":
            depth += 1
            guard depth <= AccessControl.maximumTerms else { throw .tooManyTerms }
            let inner = try disjunction()
            guard next == ")" else { throw next.map { .unexpected($0) } ?? .unbalanced }
            position += 1
            depth -= 1
            return inner
        case ")", "and", "or": throw .unexpected(word)
        case "applicationPassword": throw .reservedWord(word)
        default:
            guard let factor = AccessFactor(rawValue: word) else { throw .unknownWord(word) }
            terms += 1
            guard terms <= AccessControl.maximumTerms else { throw .tooManyTerms }
            return AccessControl(reducing: [AccessWay(factors: [factor])])
        }
    }
}
