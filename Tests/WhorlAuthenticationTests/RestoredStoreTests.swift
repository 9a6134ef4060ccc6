import Glibc
import Testing
import WhorlBiometrics
import WhorlSecrets
import WhorlSensorLab

@testable import WhorlAuthentication

/// A store that was put back from a copy: whose finger counts there, nobody knows.
struct RestoredStoreTests {
    // A store with a finger and keys, whose stamp is gone.
    private func restored() async throws -> (SessionBench, SessionBench) {
        let bench = try await SessionBench.open(prompter: TestPrompter(takesCredentials: false))
        try await bench.enroll()
        try await bench.put()
        try #require(unsafe unlink(bench.folder + "/store/stamp") == 0)
        let again = try await SessionBench.open(
            folder: bench.folder, prompter: TestPrompter(takesCredentials: false))
        return (bench, again)
    }

    @Test(.bug(id: "44"))
    func noFingerCountsAndNothingIsArmed() async throws {
        let (first, bench) = try await restored()
        let refusal = AuthenticationError.storeRestored(.unknown)
        await #expect(throws: VaultError.authentication(refusal)) { try await bench.get() }
        await #expect(throws: VaultError.authentication(refusal)) {
            try await bench.session.fingers.verify(nil, request: bench.request())
        }
        #expect(bench.reader.commands.isEmpty)
        // Who opened the store before hears of it too.
        await #expect(throws: VaultError.authentication(refusal)) { try await first.get() }
        #expect(try await bench.session.report().restoration == .unknown)
        #expect(try await bench.failures() == 0)
    }

    @Test func theRefusalIsAStepUpThatSaysWhatItMeans() {
        for restoration in StoreRestoration.allCases {
            let error = AuthenticationError.storeRestored(restoration)
            #expect(error.entry.identifier == "step-up-due")
            #expect(error.sentence.contains("fingers and counts are those of then"))
            #expect(error.sentence.contains("whorl unlock"))
        }
    }

    @Test(arguments: ["unlock", "get", "change"])
    func thePINEndsIt(way: String) async throws {
        let (first, bench) = try await restored()
        switch way {
        case "unlock": try await bench.session.unlock(request: bench.request(pin: SessionBench.pin))
        case "get": _ = try await bench.get(pin: SessionBench.pin)
        default:
            _ = try await bench.session.ownership.changeCredential(
                to: HeldSecret(try secret("another horse")),
                request: bench.request(pin: SessionBench.pin))
        }
        bench.reader.touch("own")
        #expect(try await bench.get() == "s3cret")
        #expect(try await first.session.report().restoration == nil)
    }

    @Test func aWrongPINDoesNotEndIt() async throws {
        let (first, bench) = try await restored()
        await #expect(throws: VaultError.authentication(.wrongCredential)) {
            try await bench.get(pin: "wrong horse")
        }
        await #expect(throws: VaultError.authentication(.storeRestored(.unknown))) {
            try await bench.get()
        }
        withExtendedLifetime(first) {}
    }

    @Test func theRecoveryKeyEndsIt() async throws {
        let stored = try StoredVersion(1)
        _ = try await stored.session()
        try #require(unsafe unlink(stored.store + "/stamp") == 0)
        let session = try await stored.session()
        await #expect(throws: VaultError.authentication(.storeRestored(.unknown))) {
            try await session.opened("github")
        }
        #expect(try await session.opened("github", recoveryKey: stored.recoveryKey) == "s3cret")
        stored.reader.script(
            .verify, .event(.finger([.needed, .present])), .end(.match(index: 0)))
        #expect(try await session.opened("bank") == "bank-secret")
    }
}
