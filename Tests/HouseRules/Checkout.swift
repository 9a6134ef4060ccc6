import Foundation

/// The files of this checkout, as text.
enum Checkout {
    static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    static func exists(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: root.appending(path: path).path)
    }

    /// The paths, below the root, of files under a folder whose names end so.
    static func files(under folder: String, ending suffixes: String...) -> [String] {
        let start = root.appending(path: folder)
        let found = FileManager.default.enumerator(atPath: start.path)
        return (found?.allObjects as? [String] ?? [])
            .filter { path in suffixes.contains { path.hasSuffix($0) } }
            .filter { !$0.split(separator: "/").contains { $0.hasPrefix(".build") } }
            .map { folder == "." ? $0 : "\(folder)/\($0)" }.sorted()
    }
}

/// A target as Package.swift declares it.
struct DeclaredTarget {
    enum Kind: String, CaseIterable {
        case target
        case executableTarget
        case systemLibrary
        case testTarget
    }

    let kind: Kind
    let name: String
    let dependencies: Set<String>

    var isC: Bool { name.hasPrefix("CWhorl") }
    var isTest: Bool { kind == .testTarget }

    /// Every target of Package.swift, by its text: what a reader of the file sees.
    static func all() throws -> [DeclaredTarget] {
        let manifest = try Checkout.text("Package.swift")
        return Kind.allCases.flatMap { kind in
            manifest.components(separatedBy: ".\(kind.rawValue)(").dropFirst().compactMap { rest in
                let body = balanced(rest)
                guard let name = strings(in: body, after: "name:").first else { return nil }
                return DeclaredTarget(
                    kind: kind, name: name,
                    dependencies: Set(strings(in: body, after: "dependencies: [", upTo: "]")))
            }
        }
    }

    /// The libraries that the package offers.
    static func libraryProducts() throws -> [String] {
        try Checkout.text("Package.swift").components(separatedBy: ".library(").dropFirst()
            .compactMap { strings(in: balanced($0), after: "name:").first }
    }

    private static func balanced(_ text: String) -> String {
        var depth = 1
        let end = text.firstIndex { character in
            if character == "(" { depth += 1 }
            if character == ")" { depth -= 1 }
            return depth == 0
        }
        return String(text[..<(end ?? text.endIndex)])
    }

    private static func strings(
        in text: String, after label: String, upTo end: String? = nil
    ) -> [String] {
        guard let start = text.range(of: label)?.upperBound else { return [] }
        var part = text[start...]
        if let end, let stop = part.range(of: end) { part = part[..<stop.lowerBound] }
        return part.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
            .filter { $0.offset % 2 == 1 }.map { String($0.element) }
    }
}

/// A row of the table of modules in Docs/architecture.md.
struct ArchitectureRow {
    let module: String
    let imports: Set<String>
    let library: String?

    static func all() throws -> [ArchitectureRow] {
        try Checkout.text("Docs/architecture.md").split(separator: "\n").compactMap { line in
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            guard line.hasPrefix("| `"), cells.count == 4 else { return nil }
            return ArchitectureRow(
                module: names(in: cells[0])[0], imports: Set(names(in: cells[1])),
                library: names(in: cells[3]).first)
        }
    }

    private static func names(in cell: String) -> [String] {
        cell.split(separator: "`", omittingEmptySubsequences: false).enumerated()
            .filter { $0.offset % 2 == 1 }.map { String($0.element) }
    }
}
