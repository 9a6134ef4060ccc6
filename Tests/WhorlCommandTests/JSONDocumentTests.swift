import Glibc
import Testing
import WhorlBiometrics
import WhorlSensorLab

@testable import WhorlCommand

/// The shapes of `--json`, as Docs/json.md shows them.
struct JSONDocumentTests {
    private static let path = "Docs/json.md"

    /// The command lines that the document shows, and nothing else.
    private static let lines = [
        "vault get nothing --out FILE", "vault gt", "status --config", "readers",
        "setup --accept-consent --pin-fd 3 --recovery-out FILE", "unlock --pin-fd 3", "lock",
        "finger list", "enroll left-thumb --pin-fd 3", "verify", "finger remove --pin-fd 3",
        "vault info github", "vault list", "vault get github --out FILE", "vault remove github",
        "vault recover --from COPY --recovery-fd 4", "vault backup FILE",
        "vault restore BACKUP --recovery-fd 5",
        "key create deploy", "key list", "key public release --format jwk",
        "key sign release --format raw", "key remove release", "consent show", "consent decline",
        "consent revoke --yes --pin-fd 3", "disable", "enable --pin-fd 3",
        "reset --yes --pin-fd 3", "lab exercise open,list,close", "demo",
    ]

    private func host(for line: String) async throws -> ScriptedHost {
        let host = ScriptedHost { state in
            state.isSetUp = !line.hasPrefix("setup") && line != "consent decline"
            state.person = Array(repeating: .touches, count: 1)
            if line == "demo" { state.person = ScriptedDemonstration.people }
            state.listing = ReaderListing(
                readers: [.sensor],
                failures: [
                    ReaderFailure(
                        name: "USB 06cb:00bd",
                        error: .notPermitted(
                            SourceError(
                                domain: "g-usb-device-error-quark", code: 9,
                                message: "Access denied")))
                ])
        }
        if line != "demo" { try await host.session.vault.put(secret("hunter2"), as: "github") }
        if line.hasPrefix("key") { try await host.create("release") }
        return host
    }

    private func answer(to line: String) async throws -> String {
        let folder = try TemporaryFolder()
        let pin = InputDescriptor("271828\n")
        let copyKey = InputDescriptor(
            try TestFile.read(Golden.path("Fixtures/stores/1/recovery.key")))
        let key = InputDescriptor(ScriptedHost.recoveryKey)
        try TestFile.write("scripted backup\ngithub\nbank\nstrict", to: folder.path + "/backup")
        let arguments = line.split(separator: " ").map { word in
            switch word {
            case "FILE": folder.path + "/file"
            case "BACKUP": folder.path + "/backup"
            case "COPY": Golden.path("Fixtures/stores/1/whorl.db")
            case "3": "\(pin.number)"
            case "4": "\(copyKey.number)"
            case "5": "\(key.number)"
            default: String(word)
            }
        }
        let message = InputDescriptor("what is signed")
        let run = await CommandRun(
            arguments + ["--json"], on: try await host(for: line), input: message.number)
        return run.output.replacing(folder.path + "/file", with: "FILE")
    }

    @Test(.timeLimit(.minutes(1)))
    func theDocumentShowsWhatIsPrinted() async throws {
        var text = ""
        var shown: [String] = []
        var isExample = false
        for line in try TestFile.read(Golden.path(Self.path)).split(
            separator: "\n", omittingEmptySubsequences: false)
        {
            if line.hasPrefix("$ whorl "), line.hasSuffix(" --json") {
                isExample = true
                let command = String(line.dropFirst("$ whorl ".count).dropLast(" --json".count))
                shown.append(command)
                text += line + "\n"
                for object in try await answer(to: command).split(separator: "\n") {
                    text += JSONText.spread(object) + "\n"
                }
            } else if !isExample || line == "```" {
                isExample = false
                text += line + "\n"
            }
        }
        text.removeLast()
        #expect(shown == Self.lines)
        try Golden.expect(text, isIn: Self.path)
    }

    @Test(.timeLimit(.minutes(1)), arguments: lines)
    func everyAnswerEndsWithAnEnvelopeOfItsOwnLine(line: String) async throws {
        let output = try await answer(to: line)
        #expect(output.hasSuffix("}\n"))
        let objects = output.split(separator: "\n")
        #expect(objects.last?.hasPrefix(#"{"whorl":1,"command":"#) == true)
        #expect(objects.count { $0.hasPrefix(#"{"whorl":1"#) } == 1)
        #expect(!output.contains("hunter2") && !output.contains("271828"))
        #expect(!output.contains(ScriptedHost.recoveryKey))
    }
}
