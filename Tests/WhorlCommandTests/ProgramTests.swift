import Testing

@testable import WhorlCommand

/// The built program, as a shell starts it.
struct ProgramTests {
    @Test(.timeLimit(.minutes(1)))
    func helpGoesToStandardOutputAndSucceeds() throws {
        let child = try Child(["--help"])
        #expect(child.ending == .exited(0))
        #expect(child.output == Help.lines(for: []).map { $0 + "\n" }.joined())
        #expect(child.errors == "")
    }

    @Test(.timeLimit(.minutes(1)), arguments: [[], ["bogus"], ["doctor"], ["vault", "get"]])
    func aWrongCommandLineIsOneLineOnStandardError(arguments: [String]) throws {
        let child = try Child(arguments)
        #expect(child.ending == .exited(64))
        #expect(child.output == "")
        #expect(child.errors.hasPrefix("whorl: "))
        #expect(child.errors.split(separator: "\n").count == 1)
    }

    @Test(.timeLimit(.minutes(1)))
    func aWrongCommandLineIsJSONTooWhereThatWasAskedFor() throws {
        let child = try Child(["--json", "vault", "gt"])
        #expect(child.ending == .exited(64))
        #expect(
            child.output == #"{"whorl":1,"command":"vault","outcome":"refused","exit":64,"#
                + #""simulated":false,"error":{"case":"usage","domain":"whorl","code":201,"#
                + #""android":null,"laerror":null,"message":"'vault' has no command 'gt'; "#
                + #"did you mean 'vault get'?"}}"# + "\n")
        #expect(child.errors.hasPrefix("whorl: "))
    }

    @Test(.timeLimit(.minutes(1)))
    func setupWithNobodyThereIsAWrongCommandLine() throws {
        let child = try Child(["setup"])
        #expect(child.ending == .exited(64))
        #expect(child.errors.contains("--accept-consent --pin-fd N --recovery-out FILE"))
    }

    @Test(.timeLimit(.minutes(1)))
    func aPipeThatNobodyReadsIsAnErrorAndNoSignal() throws {
        let child = try Child(
            ["taxonomy"], shell: #"{ sleep 0.2; "$0" "$@"; echo "ended $?" >&2; } | true"#)
        #expect(child.errors.contains("whorl: standard output could not be written"))
        #expect(child.errors.hasSuffix("ended 74\n"))
    }

    @Test(.timeLimit(.minutes(1)))
    func aRefusalThatNobodyReadsIsStillARefusal() throws {
        let child = try Child(
            ["--json", "bogus"], shell: #"{ sleep 0.2; "$0" "$@"; echo "ended $?" >&2; } | true"#)
        #expect(child.errors.contains("whorl: there is no command 'bogus'"))
        #expect(child.errors.hasSuffix("ended 64\n"))
    }

    @Test(.timeLimit(.minutes(1)))
    func aFullDiskIsAnError() throws {
        let child = try Child(["--help"], shell: #"exec "$0" "$@" > /dev/full"#)
        #expect(child.ending == .exited(74))
        #expect(child.errors.contains("standard output could not be written"))
    }

    @Test(.timeLimit(.minutes(1)))
    func closedDescriptorsAreErrorsAndNothingElseGetsTheirPlace() throws {
        let output = try Child(["--help"], shell: #"exec "$0" "$@" >&-"#)
        #expect(output.ending == .exited(74))
        let errors = try Child(["bogus"], shell: #"exec "$0" "$@" 2>&-"#)
        #expect(errors.ending == .exited(64))
        let all = try Child(["--json", "bogus"], shell: #"exec "$0" "$@" <&- >&- 2>&-"#)
        #expect(all.ending == .exited(64))
    }

    @Test(.timeLimit(.minutes(1)))
    func aPINDescriptorThatIsNotOpenIsAWrongCommandLine() throws {
        let child = try Child(["unlock", "--pin-fd", "3"])
        #expect(child.ending == .exited(64))
        #expect(child.errors.contains("--pin-fd 3 is not an open descriptor"))
    }

    @Test(.timeLimit(.minutes(1)))
    func anArgumentThatIsNoUTF8IsRefused() throws {
        let child = try Child(
            ["--json"], shell: #"exec "$0" vault get "$(printf '\377')" "$@""#)
        #expect(child.ending == .exited(64))
        #expect(child.errors.contains("argument 3 is not UTF-8"))
        #expect(child.output.hasPrefix(#"{"whorl":1,"command":null,"#))
    }

    @Test(.timeLimit(.minutes(1)))
    func theTaxonomyIsTheDocuments() throws {
        let child = try Child(["taxonomy", "--markdown"])
        #expect(child.ending == .exited(0))
        try Golden.expect(child.output, isIn: "Docs/taxonomy.md")
    }

    @Test(.timeLimit(.minutes(1)))
    func noFoundationIsLinkedInByTheCommandItself() throws {
        // Start-up would double; the umbrella brings FoundationEssentials at most.
        let child = try Child([], shell: #"ldd "$0""#)
        #expect(child.ending == .exited(0))
        let libraries = child.output.split(separator: "\n")
        #expect(!libraries.contains { $0.contains("libFoundation.so") })
        #expect(!libraries.contains { $0.contains("libFoundationInternationalization.so") })
    }
}
