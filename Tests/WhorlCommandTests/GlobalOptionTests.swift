import Testing
import WhorlBiometrics

@testable import WhorlCommand

struct GlobalOptionTests {
    private func options(_ line: String) throws -> GlobalOptions {
        try ArgumentParser.parse(line.split(separator: " ").map(String.init)).options
    }

    @Test func withoutOptionsTheDefaultsHold() throws {
        let options = try options("lock")
        #expect(options == GlobalOptions())
        #expect(options.limits == .standard)
        #expect(options.host.simulatedClass == nil)
    }

    @Test func aStoreOfOnesOwnStaysInProcess() throws {
        #expect(
            try options("lock --store d").host
                == HostOptions(
                    storeFolder: "d", staysInProcess: true))
        #expect(try options("lock --in-process").host == HostOptions(staysInProcess: true))
    }

    @Test(arguments: [
        ("fprintd", ReaderSelector.fprintd), ("libfprint", .libfprint),
        ("synaptics", .driver("synaptics", deviceID: nil)),
        ("virtual_image:0", .driver("virtual_image", deviceID: "0")),
        ("a:b:c", .driver("a", deviceID: "b:c")),
        ("recorded:/t/s.jsonl", .recorded(path: "/t/s.jsonl")),
    ])
    func aReaderIsChosen(text: String, selector: ReaderSelector) throws {
        #expect(try options("lock --reader \(text)").host.reader == selector)
    }

    @Test(arguments: [
        ("--allow-simulated", Strength.convenience), ("--allow-simulated=weak", .weak),
        ("--allow-simulated=strong", .strong),
    ])
    func simulatedReadersAreAllowedAClass(text: String, strength: Strength) throws {
        #expect(try options("lock \(text)").host.simulatedClass == strength)
    }

    @Test func theClassOfSimulatedReadersIsNoArgument() throws {
        // Only --allow-simulated=CLASS takes one: what follows is the command.
        let invocation = try ArgumentParser.parse(["--allow-simulated", "lock"])
        #expect(invocation.command == .lock)
    }

    @Test func aKeyStoreIsChosen() throws {
        #expect(try options("lock --tpm none").host.keyStore == .software)
        #expect(
            try options("lock --tpm swtpm:path=/s").host.keyStore == .tpm("swtpm:path=/s"))
    }

    @Test(arguments: [1, 170])
    func timesAreTakenToTheirEnds(seconds: Int) throws {
        #expect(try options("lock --timeout \(seconds)").limits.timeoutSeconds == seconds)
    }

    @Test(arguments: [1, 5])
    func triesAreTakenToTheirEnds(tries: Int) throws {
        #expect(try options("lock --tries \(tries)").limits.tries == tries)
    }

    @Test func standardInputCarriesThePINWhereItCarriesNothingElse() throws {
        #expect(try options("unlock --pin-fd 0").pinDescriptor == 0)
        #expect(try options("vault get x --pin-fd 0").pinDescriptor == 0)
        #expect(throws: ArgumentParser.Refusal.self) { try options("vault put x --pin-fd 0") }
    }

    @Test func outputIsChosen() throws {
        let options = try options("lock --quiet --plain --json")
        #expect(options.isQuiet && options.isPlain && options.isJSON)
    }
}
