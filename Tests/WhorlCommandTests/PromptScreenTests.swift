import Testing
import WhorlAuthentication
import WhorlBiometrics

@testable import WhorlCommand

struct PromptScreenTests {
    private static func prompt(
        reader: ReaderDescription? = .sensor, finger: Finger? = nil, takesCredential: Bool = true,
        needsBoth: Bool = false, action: String = "open github", program: String = "whorl",
        reason: String = "Sign in", detail: String? = nil
    ) throws -> Prompt {
        Prompt(
            origin: RequestOrigin(program: program, processID: 4711),
            action: DisplayText(action), reason: try Reason(reason),
            detail: detail.map { DisplayText($0) }, reader: reader, finger: finger,
            takesCredential: takesCredential, needsBoth: needsBoth)
    }

    private static let states: [PromptState] = [
        .queued(position: 2), .touchSensor, .fingerSeen, .hint(.tooShort), .touchSensor,
        .noMatch(triesLeft: 2), .liftFinger, .touchSensor, .noMatch(triesLeft: 1),
        .hint(.cleanSensor), .wrongCredential, .enterCredential,
        .fingerUnavailable(.lockedOut(remainingSeconds: 30)), .enterCredential,
        .credentialUnavailable(.credentialThrottled(remainingSeconds: 30)),
    ]
    private static let enrolment: [PromptState] = [
        .touchSensor, .enrolling(completed: 1, of: 5), .hint(.notCentred),
        .enrolling(completed: 2, of: 5), .liftFinger, .enrolling(completed: 5, of: 5),
        .confirmTouch, .noMatch(triesLeft: 2), .confirmTouch,
    ]

    private func session(
        _ prompt: Prompt, _ states: [PromptState], takesCredentials: Bool = true,
        style: PromptScreen.Style, success: String? = "done"
    ) -> String {
        var screen = PromptScreen(prompt, takesCredentials: takesCredentials, style: style)
        var text = screen.opening()
        for state in states { text += screen.state(state, columns: 80) }
        return text + screen.closing(success)
    }

    // MARK: Golden

    @Test func plainPromptsAreOneLineAState() throws {
        let text =
            session(try Self.prompt(detail: "acme.example"), Self.states, style: .plain)
            + "--\n"
            + session(try Self.prompt(reader: .virtual), Self.enrolment, style: .plain)
        #expect(!text.contains("\r") && !text.contains("\u{1b}"))
        try Golden.expect(text, isIn: "Fixtures/cli/prompt-plain.txt")
    }

    @Test func promptsAreDrawnOverOnATerminal() throws {
        let style = PromptScreen.Style(redraws: true, hasColour: true)
        let text =
            session(try Self.prompt(), Self.states, style: style) + "--\n"
            + session(try Self.prompt(reader: .virtual), Self.enrolment, style: style, success: nil)
        let shown = text.replacing("\u{1b}", with: "<ESC>").replacing("\r", with: "<CR>\n")
        try Golden.expect(shown + "\n", isIn: "Fixtures/cli/prompt-terminal.txt")
    }

    // MARK: What a prompt says

    @Test func aPromptNamesWhoAsksForWhatAndWithWhich() throws {
        let text = session(try Self.prompt(reader: .virtual), [], style: .plain, success: nil)
        for part in [
            "whorl (process 4711)", "open github", "Sign in", "Virtual image device",
            "virtual_image:0", "no class", "simulated",
        ] {
            #expect(text.contains(part), "\(part)")
        }
        let real = session(try Self.prompt(), [], style: .plain, success: nil)
        #expect(real.contains("class 3 strong (claimed"))
        #expect(!real.contains("simulated"))
    }

    @Test func nothingThatIsAskedCanMoveTheCursor() throws {
        let prompt = try Self.prompt(
            action: "open \u{1b}[2Jgithub\r", program: "who\u{202e}rl\n",
            reason: "because\u{7}", detail: "\u{9b}31m")
        let text = session(prompt, Self.states, style: .plain)
        #expect(text.unicodeScalars.filter { $0 != "\n" && DisplayTextProbe.isUnsafe($0) }.isEmpty)
        #expect(text.contains("\\u{1b}") && text.contains("\\u{202e}"))
    }

    @Test(arguments: [
        (true, true, false, "Touch the sensor, or type the PIN and press Enter"),
        (true, true, true, "Touch the sensor, and type the PIN: both are needed"),
        (true, false, false, "Touch the sensor"),
        (false, true, false, "Type the PIN and press Enter"),
    ])
    func whatToDoFitsWhatServes(
        hasReader: Bool, takesCredential: Bool, needsBoth: Bool, instruction: String
    ) throws {
        let prompt = try Self.prompt(
            reader: hasReader ? .sensor : nil, takesCredential: takesCredential,
            needsBoth: needsBoth)
        #expect(PromptWords(prompt, takesCredentials: true).instruction == instruction)
    }

    @Test func whereNoPINCanBeTypedNoneIsAskedFor() throws {
        let prompt = try Self.prompt()
        #expect(PromptWords(prompt, takesCredentials: false).instruction == "Touch the sensor")
        let without = try Self.prompt(reader: nil)
        #expect(PromptWords(without, takesCredentials: false).instruction == nil)
        let text = session(without, [.enterCredential], takesCredentials: false, style: .plain)
        #expect(!text.contains("Type"))
    }

    @Test func theOneFingerThatServesIsNamed() throws {
        let press = PromptWords(try Self.prompt(finger: .leftThumb), takesCredentials: false)
        #expect(press.instruction == "Touch the sensor with your left thumb")
        let swipe = PromptWords(
            try Self.prompt(reader: .virtual, finger: .leftThumb), takesCredentials: false)
        #expect(swipe.instruction == "Swipe your left thumb over the sensor")
    }

    // MARK: Drawing

    @Test(arguments: [20, 40, 80])
    func aLineThatIsDrawnOverNeverWraps(columns: Int) throws {
        var screen = PromptScreen(
            try Self.prompt(), takesCredentials: true,
            style: PromptScreen.Style(redraws: true, hasColour: false))
        for state in Self.states + Self.enrolment {
            let line = screen.state(state, columns: columns)
            #expect(line.drop { $0 != "K" }.dropFirst().count < columns, "\(state)")
        }
    }

    @Test func newsOutlastTheSensorsBeingReadyAgain() throws {
        var screen = PromptScreen(
            try Self.prompt(), takesCredentials: true,
            style: PromptScreen.Style(redraws: true, hasColour: false))
        _ = screen.state(.noMatch(triesLeft: 2), columns: 200)
        #expect(screen.state(.touchSensor, columns: 200).contains("did not match; 2 tries left"))
        _ = screen.state(.fingerSeen, columns: 200)
        #expect(!screen.state(.touchSensor, columns: 200).contains("did not match"))
    }

    @Test(arguments: [
        (0, 5, "[----------]"), (1, 5, "[##--------]"),
        (5, 5, "[##########]"), (9, 5, "[##########]"),
        (-1, 5, "[----------]"), (1, 0, ""), (1, -3, ""),
        (Int.max, Int.max, "[##########]"),
        (Int.max / 2, Int.max, "[##########]"),
    ])
    func theBarStandsForWhatIsDone(completed: Int, total: Int, bar: String) {
        #expect(PromptWords.bar(completed: completed, of: total) == bar)
    }

    @Test func successNamesTheFactorAndWhatItIsWorth() {
        let finger = AuthenticationResult(
            factors: [.finger], rating: ReaderDescription.sensor.rating, isSimulated: false)
        let words = PromptWords.success(finger)
        #expect(words.hasPrefix("the finger matched, class 3 strong (claimed"))
        let both = AuthenticationResult(
            factors: [.finger, .deviceCredential],
            rating: StrengthRating(.weak, basis: .configured), isSimulated: true)
        #expect(
            PromptWords.success(both)
                == "the finger matched, class 2 weak (set by configuration) and the PIN was right "
                + "(simulated)")
    }

    @Test func terminalsThatCanNoMoreAreWrittenPlainly() {
        let plain = PromptScreen.Style.plain
        for kind in [nil, "", "dumb"] {
            #expect(Environment(terminalKind: kind).style(isPlain: false) == plain)
        }
        #expect(Environment(terminalKind: "xterm").style(isPlain: true) == plain)
        #expect(
            Environment(terminalKind: "xterm").style(isPlain: false)
                == PromptScreen.Style(redraws: true, hasColour: true))
        #expect(
            Environment(terminalKind: "xterm", forbidsColour: true).style(isPlain: false)
                == PromptScreen.Style(redraws: true, hasColour: false))
    }
}

private enum DisplayTextProbe {
    static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
        DisplayText(String(scalar)).shown != String(scalar)
    }
}
