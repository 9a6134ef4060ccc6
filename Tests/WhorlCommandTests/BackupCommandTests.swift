import Glibc
import Testing
import WhorlBiometrics
import WhorlSensorLab

@testable import WhorlCommand

final class BackupCommandTests {
    private let folder: TemporaryFolder
    private static let copy = Golden.path("Fixtures/stores/1/whorl.db")

    init() throws { folder = try TemporaryFolder() }

    private func file(_ name: String) -> String { folder.path + "/" + name }

    private func recover(
        _ arguments: String..., key: String? = nil
    ) async throws -> CommandRun {
        let own = try TestFile.read(Golden.path("Fixtures/stores/1/recovery.key"))
        let key = InputDescriptor(key ?? own)
        return await CommandRun(
            ["vault", "recover", "--from", Self.copy, "--recovery-fd", "\(key.number)"] + arguments,
            on: ScriptedHost())
    }

    // MARK: Recovering

    @Test func recoveringNeedsTheRecoveryKeyAndSaysSo() async {
        let host = ScriptedHost()
        let run = await CommandRun("vault", "recover", "github", on: host)
        #expect(run.status == 64)
        #expect(run.errors.contains("--recovery-fd"))
        #expect(host.calls.isEmpty)
    }

    @Test(arguments: [
        ["vault", "recover", "--out", "x"], ["vault", "recover", "github", "--json"],
        ["vault", "backup"], ["vault", "restore"],
    ])
    func whatIsIncompleteIsRefused(words: [String]) async {
        #expect(await CommandRun(words, on: ScriptedHost()).status == 64)
    }

    @Test func aFileThatIsNotThereIsToldBeforeTheKeyIsRead() async {
        let run = await CommandRun(
            "vault", "recover", "--from", file("nothing"), "--recovery-fd", "0", on: ScriptedHost())
        #expect(run.status == 66)
        #expect(run.errors.contains("could not be read"))
    }

    @Test func aFolderIsNoFile() async throws {
        let run = await CommandRun(
            "vault", "recover", "--from", folder.path, "--recovery-fd", "0", on: ScriptedHost())
        #expect(run.status == 65)
    }

    @Test func anotherRecoveryKeyIsRefused() async throws {
        // A right form of another key: 32 bytes of zeros.
        let other = "00000-00001-00002-00003-00004-00005-00006-00007-00008-00009-0000A-0000B-0000C"
        let run = try await recover("pin-only", "--allow-simulated", key: other)
        #expect(run.status == 4)
        let wrong = try await recover("github", "--allow-simulated", key: other)
        #expect(wrong.status == 1)
        #expect(wrong.output.isEmpty)
    }

    @Test func aMistypedRecoveryKeyIsToldByItsGroup() async throws {
        let run = try await recover(key: "00000-00011")
        #expect(run.status == 65)
    }

    @Test func aKeyIsGivenOut() async throws {
        let run = try await recover("github", "--allow-simulated")
        #expect(run.status == 0)
        #expect(run.output == "s3cret")
    }

    @Test func aSimulatedKeyNeedsTheWord() async throws {
        let run = try await recover("github")
        #expect(run.status == 77)
        #expect(run.output.isEmpty)
    }

    @Test func aKeyGoesIntoANewFile() async throws {
        let run = try await recover(
            "bank", "--allow-simulated", "--out", file("out"), "--json")
        #expect(run.status == 0)
        #expect(run.output.contains(#""subject":"uid:0","name":"bank","out":"#))
        #expect(!run.output.contains("bank-secret"))
        #expect(try TestFile.read(file("out")) == "bank-secret")
        #expect(TestFile.mode(file("out")) == 0o600)
        let again = try await recover("bank", "--allow-simulated", "--out", file("out"))
        #expect(again.status == 73)
    }

    @Test func aKeyThatIsNotThereIsSaidSo() async throws {
        #expect(try await recover("nothing").status == 66)
    }

    @Test func theKeysAreListedWithWhatIsLeftOut() async throws {
        let run = try await recover()
        #expect(run.status == 0)
        #expect(
            run.output == """
                the recovery key opens 3 keys of uid:0
                  bank (simulated)
                  both (simulated)
                  github (simulated)
                it does not open:
                  pin-only: the recovery key does not open it

                """)
    }

    @Test func aSubjectWhoIsNotThereIsNamed() async throws {
        let run = try await recover("--subject", "uid:4711")
        #expect(run.status == 64)
        #expect(run.errors.contains("uid:0"))
    }

    // MARK: Backups

    @Test func aBackupIsANewFileOfItsOwnersAlone() async throws {
        let host = ScriptedHost()
        try await host.session.vault.put(secret("x"), as: "github")
        let run = await CommandRun("vault", "backup", file("backup"), on: host)
        #expect(run.status == 0)
        #expect(run.output.contains("  github\n"))
        #expect(try TestFile.read(file("backup")) == "scripted backup\ngithub")
        #expect(TestFile.mode(file("backup")) == 0o600)
        let again = await CommandRun("vault", "backup", file("backup"), on: host)
        #expect(again.status == 73)
        #expect(folder.names == ["backup"])
    }

    @Test func aBackupIntoNoFolderIsRefused() async throws {
        let run = await CommandRun("vault", "backup", file("no/backup"), on: ScriptedHost())
        #expect(run.status == 66)
    }

    @Test func whatBecameOfEachKeyIsSaid() async throws {
        try TestFile.write("scripted backup\ngithub\nbank\nstrict", to: file("backup"))
        let host = ScriptedHost()
        try await host.session.vault.put(secret("x"), as: "github")
        let key = InputDescriptor(ScriptedHost.recoveryKey)
        let run = await CommandRun(
            "vault", "restore", file("backup"), "--recovery-fd", "\(key.number)", on: host)
        #expect(run.status == 0)
        #expect(
            run.output == """
                restored 1 key
                  bank
                kept as they were, since they are here already:
                  github
                not restored:
                  strict: no reader here is strong enough for this; ask for a lower --strength, or use \
                the PIN

                """)
    }

    @Test func whereNothingCouldBeRestoredTheReasonIsTheCommands() async throws {
        try TestFile.write("scripted backup\nstrict", to: file("backup"))
        let key = InputDescriptor(ScriptedHost.recoveryKey)
        let run = await CommandRun(
            "vault", "restore", file("backup"), "--recovery-fd", "\(key.number)",
            on: ScriptedHost())
        #expect(run.status == 77)
    }

    @Test func whatIsNoBackupIsRefused() async throws {
        try TestFile.write("something else", to: file("backup"))
        let key = InputDescriptor(ScriptedHost.recoveryKey)
        let run = await CommandRun(
            "vault", "restore", file("backup"), "--recovery-fd", "\(key.number)",
            on: ScriptedHost())
        #expect(run.status == 65)
    }

    @Test(arguments: StoreRestoration.allCases)
    func statusSaysThatTheStoreWasPutBack(restoration: StoreRestoration) async throws {
        var report = try await ScriptedHost().report()
        report.restoration = restoration
        let text = StatusText.lines(for: report, showsSettings: false).joined(separator: " ")
            .split(separator: " ").joined(separator: " ")
        #expect(text.contains("no finger counts until the PIN is given once"))
    }
}
