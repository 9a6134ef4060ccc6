import Testing
import WhorlBiometrics
import WhorlSensorLab

@testable import WhorlCommand

/// The contract's order of refusals: what is wrong is said in this order, whatever else is wrong.
struct RefusalOrderTests {
    private static let storeErrors: [(VaultError, CInt)] = [
        (.configuration("line 3"), 78), (.unsafePermissions("0777"), 77),
        (.storeUnavailable("gone"), 69), (.storeBusy, 75), (.storage("full"), 74),
        (.damaged("torn"), 65), (.foreignStore, 65), (.newerStore, 65), (.notSetUp, 3),
    ]
    private static let commands = [
        ["vault", "put", "github"], ["vault", "get", "nothing"], ["vault", "list"],
        ["vault", "info", "nothing"], ["vault", "remove", "nothing"], ["finger", "list"],
        ["verify"], ["lock"], ["enroll", "--pin-fd", "0"], ["finger", "remove", "--pin-fd", "0"],
        ["unlock", "--pin-fd", "0"],
    ]

    @Test(arguments: commands)
    func whatIsWrongWithTheStoreComesBeforeNamesAndInput(arguments: [String]) async {
        for (error, status) in Self.storeErrors {
            let host = ScriptedHost { $0.openError = error }
            let run = await CommandRun(arguments, on: host)
            #expect(run.status == status, "\(arguments) \(error)")
            #expect(host.calls == ["open"])
        }
    }

    @Test(arguments: commands)
    func whatIsWrongWithTheCommandLineComesFirst(arguments: [String]) async {
        let host = ScriptedHost { $0.openError = .configuration("line 3") }
        let run = await CommandRun(arguments + ["--tries", "9"], on: host)
        #expect(run.status == 64)
        #expect(host.calls.isEmpty)
    }

    @Test(arguments: commands + [["status"], ["setup", "--accept-consent"]])
    func aTPMThatThisVersionHasNoStoreForIsNotThere(arguments: [String]) async {
        let host = ScriptedHost()
        let run = await CommandRun(
            arguments + ["--tpm", "swtpm:path=/s"], on: host, terminal: ScriptedTerminal())
        #expect(run.status == 69)
        #expect(run.errors.contains("--tpm none"))
        #expect(host.calls.isEmpty)
    }

    @Test func aSoftwareKeyStoreMayBeAskedFor() async {
        let host = ScriptedHost()
        let run = await CommandRun("vault", "list", "--tpm", "none", on: host)
        #expect(run.status == 0)
        #expect(host.options.last?.keyStore == .software)
    }

    @Test func namesComeBeforeInput() async throws {
        let host = ScriptedHost()
        try await host.session.vault.put(secret("x"), as: "github")
        let empty = InputDescriptor("")
        for (arguments, status): ([String], CInt) in [
            (["vault", "get", "nothing", "--pin-fd", "\(empty.number)"], 66),
            (["vault", "remove", "nothing", "--pin-fd", "\(empty.number)"], 66),
            (["vault", "put", "github", "--access", "nonsense"], 73),
            (["finger", "remove", "left-thumb", "--pin-fd", "\(empty.number)"], 66),
        ] {
            let run = await CommandRun(arguments, on: host)
            #expect(run.status == status, "\(arguments)")
        }
    }

    @Test func inputComesBeforeTheWaysIn() async throws {
        let host = ScriptedHost { state in
            state.person = [.strangerTouches(then: .lockedOutPermanently)]
        }
        try await host.session.vault.put(secret("x"), as: "github")
        let empty = InputDescriptor("")
        let run = await CommandRun(
            "vault", "get", "github", "--pin-fd", "\(empty.number)", on: host)
        #expect(run.status == 65)
        let secretRun = await CommandRun(
            "vault", "put", "github", "--replace", on: host, input: empty.number)
        #expect(secretRun.status == 65)
        // Nobody was asked for anything.
        #expect(!run.errors.contains("wants to") && !secretRun.errors.contains("wants to"))
    }

    @Test func theStoreOptionsReachTheHost() async {
        let host = ScriptedHost()
        _ = await CommandRun(
            "vault", "list", "--store", "d", "--reader", "synaptics", "--allow-simulated=weak",
            on: host)
        #expect(
            host.options == [
                HostOptions(
                    storeFolder: "d", staysInProcess: true,
                    reader: .driver("synaptics", deviceID: nil), simulatedClass: .weak)
            ])
    }
}
