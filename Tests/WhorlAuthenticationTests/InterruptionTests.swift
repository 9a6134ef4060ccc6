import Testing
import WhorlBiometrics
import WhorlKeys
import WhorlSensorLab

@testable import WhorlAuthentication

/// What happens to a request while it waits for something else.
struct InterruptionTests {
    private static let own = "s3cret"

    private func get(_ session: InProcessSession, _ bench: SessionBench) async throws -> String {
        text(try await session.vault.get(KeyName("key"), request: bench.request()))
    }

    private func ready() async throws -> SessionBench {
        let bench = try await SessionBench.open()
        try await bench.enroll()
        try await bench.put()
        return bench
    }

    // After whatever happened, the world is as if nothing had.
    private func expectAllIsWell(_ session: InProcessSession, _ bench: SessionBench) async throws {
        bench.reader.touch("own")
        #expect(try await get(session, bench) == Self.own)
        #expect(try await bench.failures() == 0)
        let words = bench.reader.words
        #expect(words.filter { $0 == "open" }.count == words.filter { $0 == "close" }.count)
    }

    private func interrupt(
        at point: Pauses.Point, by action: (InProcessSession, Task<String, any Error>) async -> Void
    ) async throws {
        let bench = try await ready()
        let pauses = Pauses(at: point)
        let session = try await pausingSession(on: bench, pauses)
        bench.reader.touch("own")
        let first = Task { try await get(session, bench) }
        try #require(await pauses.isReached())
        await action(session, first)
        pauses.release()
        switch await first.result {
        case .success(let secret):
            #expect(secret == Self.own)
            #expect(!point.isBeforeVerdict)
        case .failure(let error):
            #expect(error as? VaultError == .authentication(.appCancelled))
            #expect(!point.isAfterVerdict)
        }
        try await expectAllIsWell(session, bench)
    }

    @Test(.timeLimit(.minutes(2)), arguments: Pauses.Point.allCases)
    func aCancelIsHeardWhereverTheRequestWaits(point: Pauses.Point) async throws {
        try await interrupt(at: point) { session, _ in await session.cancel() }
    }

    @Test(.timeLimit(.minutes(2)), arguments: Pauses.Point.allCases)
    func aCancelledTaskIsHeardWhereverTheRequestWaits(point: Pauses.Point) async throws {
        try await interrupt(at: point) { _, first in first.cancel() }
    }

    @Test(.timeLimit(.minutes(2)), arguments: Pauses.Point.allCases)
    func aSecondRequestAndALockDisturbNothing(point: Pauses.Point) async throws {
        let bench = try await ready()
        try await bench.put("two", as: "second")
        let pauses = Pauses(at: point)
        let session = try await pausingSession(on: bench, pauses)
        bench.reader.touch("own")
        bench.reader.touch("own")
        let first = Task { try await get(session, bench) }
        try #require(await pauses.isReached())
        await session.lock()
        let second = Task {
            text(try await session.vault.get(KeyName("second"), request: bench.request()))
        }
        pauses.release()
        #expect(try await first.value == Self.own)
        #expect(try await second.value == "two")
        let actions = bench.prompter.prompts.suffix(2).map { "\($0.action)" }
        #expect(actions == ["open key", "open second"])
        try await expectAllIsWell(session, bench)
    }

    @Test(.timeLimit(.minutes(2))) func aCancelEndsThoseThatWaitInLineToo() async throws {
        let bench = try await ready()
        let gate = ScriptGate()
        bench.reader.script(.verify, .hold(gate), .end(.match(index: 0)))
        let first = Task { try await bench.get() }
        #expect(await gate.isReached())
        var states = await bench.session.states().makeAsyncIterator()
        let second = Task { try await bench.get() }
        while let state = await states.next(), state != .queued(position: 1) {}
        await bench.session.cancel()
        for task in [first, second] {
            await #expect(throws: VaultError.authentication(.appCancelled)) {
                try await task.value
            }
        }
        try await expectAllIsWell(bench.session, bench)
    }

    // MARK: Counting

    private func unruly(_ bench: SessionBench) async -> UnrulyReader {
        let reader = UnrulyReader(bench.reader)
        await bench.source.remove(bench.reader)
        await bench.source.add(reader)
        return reader
    }

    @Test(.timeLimit(.minutes(2)), .bug(id: "17"))
    func aCancelledTaskIsNoWayAroundTheCounter() async throws {
        let bench = try await ready()
        let reader = await unruly(bench)
        reader.hold("verify", whenCancelled: .noMatch)
        let task = Task { try await bench.get() }
        #expect(await reader.isHeld("verify"))
        task.cancel()
        await #expect(throws: VaultError.authentication(.appCancelled)) { try await task.value }
        #expect(try await bench.failures() == 1)
    }

    @Test(.timeLimit(.minutes(2)), .bug(id: "17")) func cancelledTasksDoNotLock() async throws {
        let bench = try await ready()
        let reader = await unruly(bench)
        for _ in 0..<6 {
            reader.hold(
                "verify", events: [.finger([.needed, .present])], whenCancelled: .cancelled)
            let task = Task { try await bench.get() }
            #expect(await reader.isHeld("verify"))
            task.cancel()
            await #expect(throws: VaultError.authentication(.appCancelled)) {
                try await task.value
            }
        }
        try await expectAllIsWell(bench.session, bench)
    }

    @Test func aRightPinIsNoFailedAttemptWhateverBecameOfTheFinger() async throws {
        let bench = try await ready()
        try await bench.put(as: "both", access: .biometryAny.and(.deviceCredential))
        for _ in 0..<6 {
            bench.reader.touch(.fault(.readerTooHot(.whorl("hot"))))
            await #expect(throws: VaultError.authentication(.readerTooHot(.whorl("hot")))) {
                try await bench.get("both", pin: SessionBench.pin)
            }
        }
        bench.reader.touch("own")
        #expect(try await bench.get("both", pin: SessionBench.pin) == Self.own)
    }

    // MARK: Waiting for ever

    @Test(.timeLimit(.minutes(2)), arguments: [Pauses.Point.show, .touchSensor, .dismiss])
    func aPrompterThatNeverReturnsKeepsNobodyForEver(point: Pauses.Point) async throws {
        let bench = try await ready()
        let pauses = Pauses(at: point)
        let session = try await pausingSession(on: bench, pauses)
        bench.reader.touch("own")
        let task = Task { try await get(session, bench) }
        try #require(await pauses.isReached())
        let clock = Task {
            while !Task.isCancelled {
                bench.timekeeper.advance(seconds: 60)
                try? await Task.sleep(for: .milliseconds(10))
            }
        }
        switch await task.result {
        case .success(let secret):
            #expect(secret == Self.own)
            #expect(point == .dismiss)
        case .failure(let error):
            #expect(error as? VaultError == .authentication(.notInteractive))
            #expect(point != .dismiss)
        }
        clock.cancel()
        pauses.release()
        try await expectAllIsWell(session, bench)
    }

    @Test(.timeLimit(.minutes(2)), arguments: ["open", "close"])
    func aReaderThatNeverAnswersKeepsNobodyForEver(word: String) async throws {
        let bench = try await ready()
        let reader = await unruly(bench)
        reader.hold(word, whenCancelled: .failed(.readerStillFinishing(.whorl("stuck"))))
        bench.reader.touch("own")
        let task = Task { try await bench.get() }
        #expect(await reader.isHeld(word))
        let clock = Task {
            while !Task.isCancelled {
                bench.timekeeper.advance(seconds: 60)
                try? await Task.sleep(for: .milliseconds(10))
            }
        }
        _ = await task.result
        await bench.session.close()
        clock.cancel()
        #expect(try await bench.get(pin: SessionBench.pin) == Self.own)
    }
}
