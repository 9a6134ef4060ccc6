import CWhorlGLib
import Glibc
import Testing
import WhorlBiometrics
import WhorlKit
import WhorlSensorLab

/// A program with a main loop of its own, as every GTK program has.
@Suite(.timeLimit(.minutes(1)))
struct ApplicationTests {
    @Test func aGApplicationRunsBesideASessionThatOpenedNoLibfprintReader() async {
        await #expect(processExitsWith: .exitCode(0)) {
            let folder = try #require(ApplicationTests.newFolder())
            let session = try await Whorl.inProcess(
                for: "Acme", prompter: .terminal,
                options: Whorl.Options(storeFolder: folder + "/store", simulatedStrength: .weak),
                create: true, source: ScriptedSource([ScriptedReader()]))
            let availability = await session.canAuthenticate(.weak)
            let status = ApplicationTests.runApplication()
            ApplicationTests.remove(folder)
            exit(availability.error == .notEnrolled ? status : 99)
        }
    }

    // What the test above would see if a session took the main loop for itself.
    @Test func libfprintsThreadKeepsAGApplicationFromRunning() async {
        await #expect(processExitsWith: .exitCode(1)) {
            _ = try? await Whorl.libfprint.readers()
            exit(ApplicationTests.runApplication())
        }
    }

    private static func newFolder() -> String? {
        var template = Array("/tmp/whorl-kit-XXXXXX".utf8CString)
        guard unsafe mkdtemp(&template) != nil else { return nil }
        return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    private static func remove(_ folder: String) {
        for name in ["whorl.db", "whorl.db-wal", "whorl.db-shm", "storage.key"] {
            _ = unsafe unlink(folder + "/store/" + name)
        }
        _ = unsafe rmdir(folder + "/store")
        _ = unsafe rmdir(folder)
    }

    // Runs a GApplication that does nothing but start, and gives its exit status.
    private static func runApplication() -> CInt {
        let flags = G_APPLICATION_NON_UNIQUE
        guard let application = unsafe g_application_new("org.example.Whorl", flags) else {
            return 98
        }
        let activate: @convention(c) (gpointer?, gpointer?) -> Void = { _, _ in }
        unsafe g_signal_connect_data(
            application, "activate", unsafeBitCast(activate, to: GCallback.self), nil, nil,
            GConnectFlags(rawValue: 0))
        return unsafe g_application_run(application, 0, nil)
    }
}
