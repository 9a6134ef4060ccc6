/// An option as the table has it.
struct OptionSpec: Sendable, Hashable {
    /// What follows the name.
    enum Value: Sendable, Hashable {
        /// Nothing.
        case none
        /// `--name VALUE` or `--name=VALUE`.
        case required(String)
        /// `--name` or `--name=VALUE`.
        case optional(String)
    }

    /// The name without its dashes.
    let name: String
    /// What follows the name.
    let value: Value
    /// What it does, in a few words.
    let summary: String
    /// Whether help leaves it out.
    let isHidden: Bool

    init(_ name: String, _ value: Value, _ summary: String, isHidden: Bool = false) {
        self.name = name
        self.value = value
        self.summary = summary
        self.isHidden = isHidden
    }

    init(_ name: String, _ summary: String, isHidden: Bool = false) {
        self.init(name, .none, summary, isHidden: isHidden)
    }

    /// The option as help shows it.
    var synopsis: String {
        switch value {
        case .none: "--\(name)"
        case .required(let placeholder): "--\(name) \(placeholder)"
        case .optional(let placeholder): "--\(name)[=\(placeholder)]"
        }
    }
}
