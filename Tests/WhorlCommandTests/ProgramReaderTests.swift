import Glibc
import Testing

@testable import WhorlCommand

/// The built program on libfprint's virtual device.
struct ProgramReaderTests {
    private struct Machine: ~Copyable {
        let folder: TemporaryFolder

        init() throws { folder = try TemporaryFolder() }

        var environment: [String] {
            ["PATH=/usr/bin:/bin", "FP_VIRTUAL_DEVICE=\(folder.path)/sensor"]
        }

        var options: [String] {
            ["--store", "\(folder.path)/store", "--reader", "libfprint", "--allow-simulated"]
        }

        func run(_ arguments: [String], fingers: [String] = []) throws -> Child {
            SocketFinger.say(fingers.map { "SCAN \($0)" }, at: "\(folder.path)/sensor")
            return try Child(
                arguments + options, shell: #"exec "$0" "$@" 3<"# + "\(folder.path)/pin",
                environment: environment)
        }

        func start(_ arguments: [String]) throws -> InteractiveChild {
            try InteractiveChild(arguments + options, environment: environment)
        }

        func prepare() throws {
            try TestFile.write("314159", to: "\(folder.path)/pin")
            let setUp = try run([
                "setup", "--accept-consent", "--pin-fd", "3", "--recovery-out",
                "\(folder.path)/recovery",
            ])
            #expect(setUp.ending == .exited(0), "\(setUp.errors)")
            let enrolled = try run(
                ["enroll", "--pin-fd", "3"], fingers: Array(repeating: "owner", count: 6))
            #expect(enrolled.ending == .exited(0), "\(enrolled.errors)")
            #expect(enrolled.errors.contains("Enrolling: 5 of 5"))
            let stored = try Child(
                ["vault", "put", "x"] + options, shell: #"printf secret | "$0" "$@""#,
                environment: environment)
            #expect(stored.ending == .exited(0), "\(stored.errors)")
        }
    }

    @Test(.timeLimit(.minutes(2)), arguments: ["\u{3}", "SIGTERM"])
    func aPromptForAFingerCanBeEndedAndCostsNothing(how: String) throws {
        let machine = try Machine()
        try machine.prepare()
        let child = try machine.start([
            "vault", "get", "x", "--json", "--out", "\(machine.folder.path)/never",
        ])
        let shown = child.terminal.read(until: "or type the PIN and press Enter")
        #expect(shown.contains("wants to open x") && shown.contains("simulated"))
        if how == "SIGTERM" { child.signal(SIGTERM) } else { child.terminal.type(how) }
        let end = child.finish()
        #expect(end.ending == .signalled(how == "SIGTERM" ? SIGTERM : SIGINT))
        #expect(end.output.contains(how == "SIGTERM" ? "system-cancelled" : "user-cancelled"))
        #expect(child.terminal.echoes)
        let status = try machine.run(["status", "--json"])
        #expect(status.output.contains(#""lockout":{"failures":0,"#))
        let opened = try machine.run(["vault", "get", "x"], fingers: ["owner"])
        #expect(opened.ending == .exited(0), "\(opened.errors)")
        #expect(opened.output == "secret")
    }
}
