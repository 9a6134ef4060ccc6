import Foundation
import Testing

/// How files are written.
struct TextTests {
    private let sources = Checkout.files(under: "Sources", ending: ".swift", ".c", ".h")

    @Test func noSourceFileIsLongerThanFourHundredLines() throws {
        #expect(sources.count > 50)
        for file in sources {
            let lines = try Checkout.text(file).split(
                separator: "\n", omittingEmptySubsequences: false
            ).count
            #expect(lines <= 401, "\(file) has \(lines - 1) lines")
        }
    }

    @Test func nothingIsLeftForLater() throws {
        // Put together here, so that this file does not hold them.
        let marks = ["TO" + "DO", "FIX" + "ME", "XX" + "X:", "HA" + "CK"]
        let files = sources + Checkout.files(under: "Tests", ending: ".swift")
        for file in files {
            let text = try Checkout.text(file)
            for mark in marks {
                #expect(!text.contains(mark), "\(file) holds \(mark)")
            }
        }
    }

    @Test func noNameSaysNothing() throws {
        let empty = /\b(class|struct|enum|actor|protocol)\s+\w*(Manager|Helper|Util|Utils)\b/
        for file in sources where file.hasSuffix(".swift") {
            let found = try Checkout.text(file).firstMatch(of: empty)
            #expect(found == nil, "\(file): \(found.map { String($0.output.0) } ?? "")")
        }
    }

    @Test func noPublicDeclarationNamesAPointer() throws {
        let pointer = /(?m)^\s*public [^{\n]*(\n[^{\n]*){0,4}?(Unsafe\w*Pointer|OpaquePointer)/
        for file in sources where file.hasSuffix(".swift") {
            let declarations = try Checkout.text(file).split(separator: "\n\n")
                .flatMap { $0.components(separatedBy: "    public ").dropFirst() }
                .compactMap { $0.components(separatedBy: "{").first }
            for declaration in declarations {
                #expect(
                    "public \(declaration)".firstMatch(of: pointer) == nil,
                    "\(file): public \(declaration)")
            }
        }
    }

    @Test func everyDecisionIsListedInTheArchitecture() throws {
        let architecture = try Checkout.text("Docs/architecture.md")
        for decision in Checkout.files(under: "Docs/decisions", ending: ".md") {
            #expect(architecture.contains("(\(decision.dropFirst("Docs/".count)))"), "\(decision)")
        }
    }

    @Test func everyLinkInADocumentLeadsSomewhere() throws {
        let documents =
            ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"]
            .filter { Checkout.exists($0) }
            + Checkout.files(under: "Docs", ending: ".md")
            + Checkout.files(under: "udev", ending: ".md")
        #expect(documents.count > 3)
        for document in documents {
            let folder = (document as NSString).deletingLastPathComponent
            for link in try Checkout.text(document).matches(of: /\]\(([^)#:\s]+)(#[^)]*)?\)/) {
                let target = folder.isEmpty ? "\(link.1)" : "\(folder)/\(link.1)"
                #expect(Checkout.exists(target), "\(document) links to \(link.1)")
            }
        }
    }
}
