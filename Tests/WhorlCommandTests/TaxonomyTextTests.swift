import Testing
import WhorlAuthentication
import WhorlBiometrics

@testable import WhorlCommand

struct TaxonomyTextTests {
    @Test func theTaxonomyIsPrintedForPrograms() async throws {
        let run = await CommandRun("taxonomy", "--json")
        #expect(run.status == 0)
        let spread = run.output.split(separator: "\n").map { JSONText.spread($0) + "\n" }.joined()
        // One line an entry.
        try Golden.expect(
            spread.replacing("}, {", with: "},\n    {"), isIn: "Fixtures/cli/taxonomy.json")
    }

    @Test func theTaxonomyIsPrintedForPeople() async throws {
        let run = await CommandRun("taxonomy")
        for entry in Taxonomy.entries { #expect(run.output.contains(" \(entry.identifier) ")) }
        for row in LibfprintMapping.rows { #expect(run.output.contains(row.constant)) }
        for line in run.output.split(separator: "\n") {
            #expect(line.count <= TextLayout.columns, "\(line)")
        }
    }

    @Test func theDocumentIsMadeFromTheTable() throws {
        let page = TaxonomyText.markdown.map { $0 + "\n" }.joined()
        try Golden.expect(page, isIn: "Docs/taxonomy.md")
    }

    @Test func noSentenceBreaksATable() {
        for line in TaxonomyText.markdown where line.hasPrefix("| ") {
            let columns = line.split(separator: "|").count
            #expect([3, 4, 7].contains(columns), "\(line)")
        }
    }
}
