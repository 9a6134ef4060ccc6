import Testing

/// What each module may import, as Docs/architecture.md says.
struct ModuleTests {
    /// Modules of the toolchain that any module may import.
    private let common: Set<String> = ["Glibc", "Synchronization", "Swift"]
    /// The others, and who may.
    private let special = ["FoundationEssentials": ["WhorlKit"]]

    private struct Import {
        let file: String
        let module: String
        let isPublic: Bool
        let isExported: Bool
    }

    private func exports(of module: String) throws -> [String] {
        try imports(of: module).filter(\.isExported).map(\.module)
    }

    private func imports(of module: String) throws -> [Import] {
        try Checkout.files(under: "Sources/\(module)", ending: ".swift").flatMap { file in
            try Checkout.text(file).split(separator: "\n").compactMap { line in
                let words = line.split(separator: " ").map(String.init)
                guard let index = words.firstIndex(of: "import"), index + 1 < words.count,
                    words[..<index].allSatisfy({
                        $0.hasPrefix("@") || ["public", "internal", "package"].contains($0)
                    })
                else { return nil }
                return Import(
                    file: file, module: words[index + 1], isPublic: words.contains("public"),
                    isExported: words.contains("@_exported"))
            }
        }
    }

    @Test func theTableOfModulesIsWhatThePackageDeclares() throws {
        let declared = try DeclaredTarget.all().filter { !$0.isTest && !$0.isC }
        let rows = try ArchitectureRow.all()
        #expect(rows.map(\.module).sorted() == declared.map(\.name).sorted())
        for target in declared {
            guard let row = rows.first(where: { $0.module == target.name }) else { continue }
            #expect(
                row.imports.sorted() == target.dependencies.filter { !$0.hasPrefix("C") }.sorted(),
                "\(target.name)")
            #expect(
                (row.library.map { [$0] } ?? [])
                    == target.dependencies.filter { $0.hasPrefix("C") }.sorted(),
                "\(target.name)")
        }
    }

    @Test func everyCLibraryHasOneSwiftModule() throws {
        let targets = try DeclaredTarget.all()
        let libraries = targets.filter { $0.isC && $0.kind != .executableTarget }
        #expect(!libraries.isEmpty)
        for library in libraries {
            // A C target of ours that stands on a library is no Swift module.
            let users = targets.filter {
                !$0.isTest && !$0.isC && $0.dependencies.contains(library.name)
            }
            #expect(users.count == 1, "\(library.name): \(users.map(\.name))")
        }
    }

    @Test func everyModuleImportsOnlyWhatItsRowSays() throws {
        let rows = try ArchitectureRow.all()
        for row in rows {
            // Who may import an umbrella may import by name what it exports.
            let exported = try row.imports.flatMap { try exports(of: $0) }
            let allowed = row.imports.union(common).union(exported)
                .union(row.library.map { [$0] } ?? [])
            var reported: Set<String> = []
            for found in try imports(of: row.module)
            where !allowed.contains(found.module)
                && special[found.module]?.contains(row.module) != true
                && reported.insert(found.module).inserted
            {
                Issue.record("\(row.module) imports \(found.module), first in \(found.file)")
            }
        }
    }

    @Test func noCModuleIsPartOfAnInterface() throws {
        for row in try ArchitectureRow.all() {
            for found in try imports(of: row.module) where found.isPublic {
                #expect(
                    !found.module.hasPrefix("CWhorl") && found.module != "Glibc",
                    "\(found.file) imports \(found.module) publicly")
            }
        }
    }

    @Test func theArrowsOfTheTablePointOneWay() throws {
        var left = Dictionary(
            uniqueKeysWithValues: try ArchitectureRow.all().map { ($0.module, $0.imports) })
        while let (leaf, _) = left.first(where: { $0.value.isEmpty }) {
            left[leaf] = nil
            for module in left.keys { left[module]?.remove(leaf) }
        }
        #expect(left.isEmpty)
    }

    @Test func everyLibraryProductHasItsDocumentation() throws {
        for product in try DeclaredTarget.libraryProducts() {
            let landing = "Sources/\(product)/\(product).docc/\(product).md"
            #expect(Checkout.exists(landing), "\(landing)")
        }
    }
}
