import Testing
import WhorlBiometrics

@testable import WhorlKeys

/// Access control, without keys: which way a grant opens, and why none.
struct KeyAdmissionTests {
    private let bench: VaultBench

    init() async throws {
        bench = try await VaultBench.open()
    }

    private func attributes(
        _ access: String, strength: Strength? = .weak, isSimulated: Bool = false,
        generation: Int64 = 2
    ) throws -> KeyAttributes {
        KeyAttributes(
            vaultID: bench.vault.id, subject: VaultBench.subject, id: KeyID(),
            name: try KeyName("key"), kind: .secret, store: .software,
            access: try AccessControl(parsing: access), minimumStrength: strength,
            reuseSeconds: 0, isBootBound: false, hasRecovery: true, isSimulated: isSimulated,
            created: 0, generation: generation)
    }

    private func enrollment(
        generation: Int64 = 2, isPending: Bool = false, prints: Int = 1
    ) -> Result<EnrollmentState, VaultError> {
        let print = StoredPrint(
            id: PrintID(), finger: .leftThumb, reader: VaultBench.reader, enrolled: 0,
            isSimulated: false, isStoredOnChip: false)
        return .success(
            EnrollmentState(
                generation: generation, isPending: isPending,
                prints: Array(repeating: print, count: prints), stateHash: []))
    }

    private struct Given {
        var factors: Set<AuthenticationFactor> = [.finger]
        var proofOf: Subject?
        var strength: Strength? = .weak
        var isSimulated = false
        var allowsSimulated = false
        var generation: Int64 = 2
    }

    private func outcome(
        _ attributes: KeyAttributes, _ enrollment: Result<EnrollmentState, VaultError>,
        _ given: Given = Given(), withdrawn: WithdrawnWays = []
    ) async throws -> Result<String, VaultError> {
        var proof: CredentialProof?
        if let subject = given.proofOf {
            proof = CredentialProof(subject: subject, secret: try secret("private half"))
        }
        let grant = bench.mint.mint(
            purpose: .openKey(attributes.id), subject: VaultBench.subject, request: RequestID(),
            factors: given.factors, credential: proof, strength: given.strength,
            isSimulated: given.isSimulated, allowsSimulated: given.allowsSimulated,
            generation: given.generation, at: bench.clock.now())
        do throws(VaultError) {
            let way = try KeyAdmission(
                attributes: attributes, withdrawn: withdrawn, enrollment: enrollment
            ).way(for: grant)
            return .success(way.sorted.map(\.rawValue).joined(separator: "+"))
        } catch { return .failure(error) }
    }

    private static let pin = Given(factors: [.deviceCredential], proofOf: VaultBench.subject)
    private static let both = Given(
        factors: [.finger, .deviceCredential], proofOf: VaultBench.subject)

    private func isNotPermitted(_ outcome: Result<String, VaultError>) -> Bool {
        if case .failure(.authentication(.notPermitted)) = outcome { true } else { false }
    }

    // MARK: Factors

    @Test func nothingGivenOpensNothing() async throws {
        for access in ["biometryAny", "deviceCredential", "biometryAny or deviceCredential"] {
            let none = Given(factors: [])
            #expect(isNotPermitted(try await outcome(attributes(access), enrollment(), none)))
        }
    }

    @Test func theWrongFactorOpensNothing() async throws {
        #expect(
            isNotPermitted(
                try await outcome(attributes("deviceCredential", strength: nil), enrollment())))
        #expect(
            isNotPermitted(try await outcome(attributes("biometryAny"), enrollment(), Self.pin)))
    }

    @Test func halfOfWhatIsAskedForOpensNothing() async throws {
        let key = try attributes("biometryAny and deviceCredential")
        #expect(isNotPermitted(try await outcome(key, enrollment())))
        #expect(isNotPermitted(try await outcome(key, enrollment(), Self.pin)))
        #expect(
            try await outcome(key, enrollment(), Self.both)
                == .success("biometryAny+deviceCredential"))
    }

    @Test func theRecoveryKeyIsNoneOfTheFactorsOfAWay() async throws {
        let given = Given(factors: [.recoveryKey], proofOf: VaultBench.subject)
        for access in ["biometryAny", "deviceCredential", "biometryAny or deviceCredential"] {
            #expect(isNotPermitted(try await outcome(attributes(access), enrollment(), given)))
        }
    }

    @Test func aCredentialWithoutItsProofIsNone() async throws {
        let key = try attributes("deviceCredential", strength: nil)
        for given in [
            Given(factors: [.deviceCredential]),
            Given(factors: [.deviceCredential], proofOf: Subject(uid: 1)),
        ] {
            guard case .failure(.internalError) = try await outcome(key, enrollment(), given)
            else {
                Issue.record("a way opened")
                return
            }
        }
        #expect(try await outcome(key, enrollment(), Self.pin) == .success("deviceCredential"))
    }

    // MARK: The enrolment

    @Test func aKeyOfAnOlderSetIsDeadForTheFinger() async throws {
        let old = try attributes("biometryCurrentSet", generation: 1)
        #expect(try await outcome(old, enrollment()) == .failure(.keyInvalidated))
        let early = Given(generation: 1)
        #expect(try await outcome(old, enrollment(), early) == .failure(.keyInvalidated))
    }

    @Test func aKeyOfANewerSetThanThereIsOpensNothing() async throws {
        let key = try attributes("biometryCurrentSet", generation: 3)
        #expect(
            try await outcome(key, enrollment(), Given(generation: 3))
                == .failure(.keyInvalidated))
    }

    @Test func aMatchWithAnOlderSetOpensNothing() async throws {
        for access in ["biometryCurrentSet", "biometryAny"] {
            #expect(
                try await outcome(attributes(access), enrollment(), Given(generation: 1))
                    == .failure(.authentication(.enrollmentChanged)))
        }
    }

    @Test func aDeadFingerLeavesTheOtherWaysOpen() async throws {
        let key = try attributes("biometryCurrentSet or deviceCredential", generation: 1)
        #expect(try await outcome(key, enrollment()) == .failure(.keyInvalidated))
        #expect(try await outcome(key, enrollment(), Self.both) == .success("deviceCredential"))
        let mixed = try attributes(
            "biometryCurrentSet or biometryAny and deviceCredential", generation: 1)
        #expect(
            try await outcome(mixed, enrollment(), Self.both)
                == .success("biometryAny+deviceCredential"))
    }

    @Test func whileAnEnrolmentIsPendingNoFingerOpensAnything() async throws {
        for access in ["biometryCurrentSet", "biometryAny", "biometryAny and deviceCredential"] {
            #expect(
                try await outcome(attributes(access), enrollment(isPending: true), Self.both)
                    == .failure(.authentication(.stepUpDue)))
        }
        #expect(
            try await outcome(
                attributes("biometryAny or deviceCredential"), enrollment(isPending: true),
                Self.both) == .success("deviceCredential"))
    }

    @Test func withNoPrintNoFingerOpensAnything() async throws {
        #expect(
            try await outcome(attributes("biometryAny"), enrollment(prints: 0))
                == .failure(.authentication(.notEnrolled)))
    }

    @Test func aDamagedEnrolmentClosesTheFingersWaysOnly() async throws {
        let damage = VaultError.damaged("the list of enrolled fingers was changed")
        let key = try attributes("biometryAny or deviceCredential")
        #expect(try await outcome(key, .failure(damage)) == .failure(damage))
        #expect(try await outcome(key, .failure(damage), Self.pin) == .success("deviceCredential"))
    }

    // MARK: Strength

    @Test(arguments: [nil, .convenience] as [Strength?])
    func aFingerBelowTheMinimumOpensNothing(strength: Strength?) async throws {
        #expect(
            try await outcome(
                attributes("biometryAny"), enrollment(), Given(strength: strength))
                == .failure(.authentication(.strengthLowered)))
    }

    @Test func aFingerAtOrAboveTheMinimumOpens() async throws {
        for strength in [Strength.weak, .strong] {
            #expect(
                try await outcome(
                    attributes("biometryAny"), enrollment(), Given(strength: strength))
                    == .success("biometryAny"))
        }
    }

    @Test func aKeyWithAFingerAndNoMinimumOpensWithNoFinger() async throws {
        #expect(
            try await outcome(attributes("biometryAny", strength: nil), enrollment())
                == .failure(.authentication(.strengthLowered)))
    }

    // MARK: Simulated readers

    @Test func aSimulatedFingerOpensNothingThatIsReal() async throws {
        for access in ["biometryAny", "biometryAny or deviceCredential"] {
            var given = Self.both
            given.isSimulated = true
            given.allowsSimulated = true
            #expect(
                try await outcome(attributes(access), enrollment(), given)
                    == .failure(.authentication(.simulatedNotAllowed)))
        }
    }

    @Test func aSimulatedKeyOpensByNoWayWithoutLeave() async throws {
        let key = try attributes("biometryAny or deviceCredential", isSimulated: true)
        for given in [Given(), Self.pin, Self.both, Given(isSimulated: true)] {
            #expect(
                try await outcome(key, enrollment(), given)
                    == .failure(.authentication(.simulatedNotAllowed)))
        }
        #expect(
            try await outcome(
                key, enrollment(), Given(isSimulated: true, allowsSimulated: true))
                == .success("biometryAny"))
        var pin = Self.pin
        pin.allowsSimulated = true
        #expect(try await outcome(key, enrollment(), pin) == .success("deviceCredential"))
    }
}
