import Testing
import WhorlBiometrics
import WhorlDatabase

@testable import WhorlKeys

struct ResetTests {
    private let subject = VaultBench.subject
    private let other = Subject(uid: 4712)

    private func prepared() async throws -> VaultBench {
        let bench = try await VaultBench.open()
        try await bench.enroll()
        try await bench.put()
        return bench
    }

    private func reset(
        _ bench: VaultBench, _ grant: consuming Grant
    ) async throws -> StoreContents {
        try await bench.vault.reset(grant) { _ in }
    }

    private func refusal(_ bench: VaultBench, _ grant: consuming Grant) async -> VaultError? {
        do throws(VaultError) {
            _ = try await bench.vault.reset(grant) { _ in }
            return nil
        } catch { return error }
    }

    @Test func everythingOfTheSubjectGoes() async throws {
        let bench = try await prepared()
        let contents = try await bench.vault.contents(of: subject)
        #expect(contents.fingers == [.rightIndexFinger])
        #expect(contents.keys.map(\.text) == ["key"])
        let gone = try await reset(bench, bench.credential(.reset))
        #expect(gone == contents)
        #expect(try await !bench.vault.hasAnything(of: subject))
        #expect(try await bench.vault.consent(of: subject, at: 0) == .notAsked)
        let again = try await bench.reopened()
        #expect(again.vault.id != bench.vault.id)
        try await again.setUp(pin: "another one")
        #expect(try await again.vault.keys(of: subject).isEmpty)
    }

    @Test func theStorageKeyGoesWithTheLastSubjectOnly() async throws {
        let bench = try await prepared()
        try await bench.setUp(other)
        try await bench.put("theirs", of: other, access: .deviceCredential)
        let key = bench.temporary.contents(of: "storage.key")
        _ = try await reset(bench, bench.credential(.reset))
        #expect(bench.temporary.contents(of: "storage.key") == key)
        #expect(try await bench.getWithPin(subject: other) == "theirs")
        // In a vault that is still there the same one may be set up again.
        try await bench.setUp()
        _ = try await reset(bench, bench.credential(.reset))
        _ = try await reset(bench, bench.credential(.reset, subject: other))
        #expect(!bench.temporary.names().contains { $0.hasPrefix("storage.key") })
        let again = try await bench.reopened()
        #expect(again.temporary.contents(of: "storage.key") != key)
    }

    @Test func whoHasNeitherPinNorRecoveryKeyDeletesAllTheSame() async throws {
        let bench = try await prepared()
        _ = try await reset(bench, bench.nothing(.reset))
        #expect(try await !bench.vault.hasAnything(of: subject))
    }

    @Test func aFingerOrAGrantForSomethingElseDeletesNothing() async throws {
        let bench = try await prepared()
        await #expect(throws: VaultError.self) { try await reset(bench, bench.finger(.reset)) }
        for purpose in [GrantPurpose.changeConsent, .authenticate, .changeEnrollment] {
            await #expect(throws: VaultError.self) {
                try await reset(bench, bench.nothing(purpose))
            }
            await #expect(throws: VaultError.self) {
                try await reset(bench, bench.credential(purpose))
            }
        }
        let old = bench.nothing(.reset)
        bench.clock.advance(nanoseconds: (Grant.lifetimeSeconds + 1) * 1_000_000_000)
        #expect(await refusal(bench, old) == .authentication(.systemCancelled))
        #expect(try await bench.get() == "s3cret")
    }

    @Test func theRestGoesInTheSameTransaction() async throws {
        let bench = try await prepared()
        await #expect(throws: VaultError.self) {
            try await bench.vault.reset(bench.credential(.reset)) {
                (_) throws(DatabaseError) in throw .full(code: 13)
            }
        }
        #expect(try await bench.get() == "s3cret")
        #expect(bench.temporary.names().contains("storage.key"))
    }

    @Test(arguments: [
        "UPDATE print SET finger = 'left-thumb'", "DELETE FROM enrollment",
        "UPDATE subject SET salt = x'00'", "UPDATE wrapped_key SET access = 'nonsense'",
        "DELETE FROM subject", "UPDATE print SET port_kind = 'ps/2'",
    ])
    func aStoreThatWasChangedGoesToo(sql: String) async throws {
        let bench = try await prepared()
        try bench.tamper(sql)
        #expect(try await bench.vault.hasAnything(of: subject))
        #expect(try await bench.vault.contents(of: subject).keys.count == 1)
        _ = try await reset(bench, bench.nothing(.reset))
        #expect(try await !bench.vault.hasAnything(of: subject))
        try await bench.reopened().setUp()
    }

    @Test func aSubjectWhoRevokedOrOnlyDeclinedIsForgotten() async throws {
        let bench = try await prepared()
        _ = try await bench.vault.revokeConsent(bench.credential(.changeConsent), at: 0)
        _ = try await bench.vault.declineConsent(other, at: 1000)
        _ = try await reset(bench, bench.nothing(.reset, subject: other))
        #expect(try await bench.vault.consent(of: other, at: 1000) == .notAsked)
        _ = try await reset(bench, bench.credential(.reset))
        #expect(try await bench.vault.consent(of: subject, at: 0) == .notAsked)
    }

    // MARK: Others with the store open

    @Test func whoHadTheStoreOpenBringsNothingBack() async throws {
        let bench = try await prepared()
        let late = try await bench.reopened()
        _ = try await reset(bench, bench.credential(.reset))
        await #expect(throws: VaultError.storeUnavailable("the store was reset by another program"))
        {
            try await late.setUp()
        }
        await #expect(throws: VaultError.notSetUp) { try await late.put() }
        await #expect(throws: VaultError.notSetUp) {
            try await late.vault.beginEnrollment(subject)
        }
        #expect(try await !late.vault.hasAnything(of: subject))

        let new = try await bench.reopened()
        try await new.setUp()
        for attempt in 0..<3 {
            await #expect(
                throws: VaultError.storeUnavailable("the store was reset by another program")
            ) {
                switch attempt {
                case 0: try await late.setUp()
                case 1: try await late.put(access: .deviceCredential)
                default: _ = try await reset(late, late.nothing(.reset))
                }
            }
        }
        #expect(try await new.vault.isSetUp(subject))
    }

    @Test func aVaultThatIsMadeBetweenTheTwoStepsKeepsItsKey() async throws {
        // As a crash leaves it: the vault's row is gone, and the key's file is there.
        let bench = try await prepared()
        _ = try await bench.vault.reset(bench.credential(.reset)) { _ in }
        let key = [UInt8](repeating: 7, count: 32)
        try bench.temporary.write(key, to: "storage.key")
        try bench.temporary.write(key, to: "storage.key.old")
        let new = try await bench.reopened()
        try await new.setUp()
        #expect(new.temporary.contents(of: "storage.key") == key)
        #expect(!new.temporary.names().contains("storage.key.old"))
        // The late one's second step finds a vault there.
        await #expect(throws: VaultError.self) {
            try await bench.vault.reset(bench.nothing(.reset)) { _ in }
        }
        #expect(new.temporary.contents(of: "storage.key") == key)
        _ = try await new.reopened().proof()
    }
}
