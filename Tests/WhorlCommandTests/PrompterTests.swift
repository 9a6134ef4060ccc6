import Testing
import WhorlAuthentication
import WhorlBiometrics
import WhorlSecrets

@testable import WhorlCommand

struct PrompterTests {
    private func prompt(takesCredential: Bool = true) throws -> Prompt {
        Prompt(
            origin: RequestOrigin(program: "whorl", processID: 1), action: DisplayText("open x"),
            reason: try Reason("test"), detail: nil, reader: .virtual,
            takesCredential: takesCredential, needsBoth: false)
    }

    private func terminalPrompter(
        _ terminal: ScriptedTerminal, takesCredentials: Bool = true,
        _ interruptions: Interruptions = Interruptions()
    ) -> TerminalPrompter {
        TerminalPrompter(
            terminal: terminal, takesCredentials: takesCredentials, style: .plain,
            interruptions: interruptions)
    }

    private func first(of inputs: AsyncStream<PromptInput>) async -> PromptInput? {
        for await input in inputs { return input }
        return nil
    }

    // MARK: At a terminal

    @Test func whatIsTypedComesAsTheCredential() async throws {
        let terminal = ScriptedTerminal([.line("271828")])
        let inputs = try await terminalPrompter(terminal).show(prompt())
        guard case .credential(let held) = await first(of: inputs), let typed = held.take() else {
            Issue.record("no credential came")
            return
        }
        #expect(revealed(typed) == "271828")
    }

    @Test func enterAloneIsNoCredential() async throws {
        let terminal = ScriptedTerminal([.line("")])
        let inputs = try await terminalPrompter(terminal).show(prompt())
        terminal.type(.line("1"))
        guard case .credential(let held) = await first(of: inputs), let typed = held.take() else {
            Issue.record("no credential came")
            return
        }
        #expect(revealed(typed) == "1")
    }

    @Test func whereThePINServesNotWhatIsTypedIsForgotten() async throws {
        for takesCredentials in [true, false] {
            let terminal = ScriptedTerminal([.line("271828")])
            let prompter = terminalPrompter(terminal, takesCredentials: takesCredentials)
            let inputs = try await prompter.show(prompt(takesCredential: !takesCredentials))
            terminal.type(.end)
            guard case .cancelled = await first(of: inputs) else {
                Issue.record("something else than the end came")
                return
            }
        }
    }

    @Test func aLineThatIsTooLongIsSaidSo() async throws {
        let terminal = ScriptedTerminal([.tooLong])
        let inputs = try await terminalPrompter(terminal).show(prompt())
        terminal.type(.end)
        _ = await first(of: inputs)
        #expect(terminal.shown.contains("longer than a PIN can be (1024 bytes)"))
    }

    @Test func ctrlCCancelsAndASignalOfTheSystemIsTheSystems() async throws {
        for interruption in [Interruption.person, .system] {
            let interruptions = Interruptions()
            interruptions.hold(true)
            let inputs = try await terminalPrompter(ScriptedTerminal(), interruptions)
                .show(prompt())
            #expect(interruptions.receive(2, interruption))
            switch (await first(of: inputs), interruption) {
            case (.cancelled, .person), (.systemCancelled, .system): break
            default: Issue.record("\(interruption) came as something else")
            }
        }
    }

    @Test func whatWasInterruptedBeforeIsCancelledAtOnce() async throws {
        let interruptions = Interruptions()
        interruptions.hold(true)
        #expect(interruptions.receive(2, .person))
        let inputs = try await terminalPrompter(ScriptedTerminal(), interruptions).show(prompt())
        guard case .cancelled = await first(of: inputs) else {
            Issue.record("it was not cancelled")
            return
        }
    }

    @Test func theEndPutsTheTerminalBackAndFinishesTheInputs() async throws {
        let result = AuthenticationResult(factors: [.finger], rating: nil, isSimulated: false)
        for ending in [PromptEnding.succeeded(result), .failed(.timedOut)] {
            let terminal = ScriptedTerminal()
            let prompter = terminalPrompter(terminal)
            let inputs = try await prompter.show(prompt())
            #expect(!terminal.isRestored)
            await prompter.dismiss(ending)
            #expect(terminal.isRestored)
            #expect(await first(of: inputs) == nil)
            let before = terminal.shown
            await prompter.update(.touchSensor)
            await prompter.dismiss(ending)
            #expect(terminal.shown == before)
        }
    }

    @Test func aSecondPromptTakesTheFirstAway() async throws {
        let terminal = ScriptedTerminal([.line("lost"), .line("kept")])
        let prompter = terminalPrompter(terminal)
        let before = try await prompter.show(prompt(takesCredential: false))
        let after = try await prompter.show(prompt())
        #expect(await first(of: before) == nil)
        guard case .credential(let held) = await first(of: after), let typed = held.take() else {
            Issue.record("no credential came")
            return
        }
        #expect(revealed(typed) == "kept")
    }

    @Test func aTerminalThatIsGoneIsARefusal() async throws {
        let prompt = try prompt()
        await #expect(throws: AuthenticationError.notInteractive) {
            _ = try await terminalPrompter(ScriptedTerminal(isGone: true)).show(prompt)
        }
    }

    // MARK: Without one

    @Test func withoutATerminalLinesGoToStandardError() async throws {
        let sink = MemorySink()
        let prompter = LinePrompter(sink: sink, isQuiet: false, interruptions: Interruptions())
        #expect(!prompter.takesCredentials)
        _ = try await prompter.show(prompt())
        await prompter.update(.touchSensor)
        await prompter.update(.noMatch(triesLeft: 1))
        await prompter.dismiss(.failed(.noMatch))
        #expect(
            sink.written.hasSuffix(
                "Swipe your finger over the sensor\n"
                    + "That finger did not match; 1 try left. Again\n"))
        #expect(!sink.written.contains("type the PIN"))
    }

    @Test func quietAndBrokenLogsDoNotStopARequest() async throws {
        let sink = MemorySink(failingWith: .brokenPipe)
        for isQuiet in [true, false] {
            let interruptions = Interruptions()
            interruptions.hold(true)
            let prompter = LinePrompter(sink: sink, isQuiet: isQuiet, interruptions: interruptions)
            let inputs = try await prompter.show(prompt())
            await prompter.update(.touchSensor)
            #expect(interruptions.receive(15, .system))
            guard case .systemCancelled = await first(of: inputs) else {
                Issue.record("it was not cancelled")
                return
            }
            await prompter.dismiss(.failed(.systemCancelled))
        }
    }

    // MARK: Watching

    @Test func simulatedReadersAreRemembered() async throws {
        let watch = PromptWatch(
            LinePrompter(sink: MemorySink(), isQuiet: true, interruptions: Interruptions()))
        #expect(!watch.isSimulated)
        _ = try await watch.show(prompt())
        #expect(watch.isSimulated)
        let result = AuthenticationResult(
            factors: [.deviceCredential], rating: nil, isSimulated: false)
        await watch.dismiss(.succeeded(result))
        #expect(watch.isSimulated)
        #expect(watch.result == result)
    }
}
