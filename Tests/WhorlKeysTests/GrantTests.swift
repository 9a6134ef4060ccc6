import Testing
import WhorlBiometrics

@testable import WhorlKeys

/// What a grant is refused for before access control is even looked at.
struct GrantTests {
    private let bench: VaultBench

    init() async throws {
        bench = try await VaultBench.open()
        try await bench.enroll()
        try await bench.put()
        try await bench.put("other", as: "other")
    }

    private func refusal(_ grant: consuming Grant) async -> VaultError? {
        await bench.refusal(grant)
    }

    private func isInternalError(_ grant: consuming Grant) async -> Bool {
        if case .internalError = await refusal(grant) { true } else { false }
    }

    @Test func aGrantOfAnotherVaultIsRefused() async throws {
        let other = try await VaultBench.open()
        let purpose = try await bench.purpose(of: "key")
        #expect(
            await isInternalError(
                other.mint.mint(
                    purpose: purpose, subject: VaultBench.subject, request: RequestID(),
                    factors: [.finger], credential: nil, strength: .strong, isSimulated: false,
                    allowsSimulated: false, generation: 2, at: bench.clock.now())))
    }

    @Test func aGrantForAnotherKeyIsRefused() async throws {
        #expect(await isInternalError(try bench.finger(bench.purpose(of: "other"))))
    }

    @Test(arguments: [.authenticate, .changeEnrollment, .clearLockout] as [GrantPurpose])
    func aGrantForSomethingElseIsRefused(purpose: GrantPurpose) async throws {
        #expect(await isInternalError(try bench.finger(purpose)))
        #expect(await isInternalError(try bench.credential(purpose)))
    }

    @Test func aGrantOfAnotherSubjectOpensThatSubjectsKeysOnly() async throws {
        let other = try Subject(name: "other")
        try await bench.setUp(other, pin: "another horse")
        try await bench.enroll(.leftThumb, of: other, pin: "another horse")
        let purpose = try await bench.purpose(of: "key")
        #expect(await refusal(try bench.finger(purpose, subject: other)) == .noSuchKey)
        try await bench.put("theirs", as: "key", of: other)
        #expect(await isInternalError(try bench.finger(purpose, subject: other)))
        #expect(try await bench.get(subject: other) == "theirs")
        #expect(try await bench.get() == "s3cret")
    }

    @Test func aGrantIsGoodForTenSecondsAndNoLonger() async throws {
        let purpose = try await bench.purpose(of: "key")
        let fresh = try await bench.finger(purpose)
        let stale = try await bench.finger(purpose)
        bench.clock.advance(nanoseconds: 10_000_000_000)
        #expect(await refusal(fresh) == nil)
        bench.clock.advance(nanoseconds: 1)
        #expect(await refusal(stale) == .authentication(.systemCancelled))
    }

    @Test func aGrantOfAnotherBootOrOfLaterIsRefused() async throws {
        let purpose = try await bench.purpose(of: "key")
        let early = try await bench.finger(purpose)
        bench.clock.advance(nanoseconds: -1)
        #expect(await refusal(early) == .authentication(.systemCancelled))
        let old = try await bench.finger(purpose)
        bench.clock.reboot()
        #expect(await refusal(old) == .authentication(.systemCancelled))
    }

    @Test func aGrantForAKeyDoesNotServeTheOneThatReplacedIt() async throws {
        let purpose = try await bench.purpose(of: "key")
        let early = try await bench.finger(purpose)
        _ = try await bench.vault.replace(
            secret("new"), as: KeyName("key"), options: KeyOptions(), strength: .weak,
            isSimulated: false, grant: bench.finger(purpose), at: 0)
        #expect(await refusal(early) == .storeBusy)
        #expect(try await bench.get() == "new")
    }

    @Test func requestsAndKeysHaveIdentitiesOfTheirOwn() async throws {
        #expect(RequestID() != RequestID())
        #expect(RequestID().bytes.count == 16)
        #expect(try await bench.purpose(of: "key") != bench.purpose(of: "other"))
    }
}
