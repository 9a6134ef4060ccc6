import Testing
import WhorlBiometrics
import WhorlCrypto
import WhorlSecrets

@testable import WhorlKeys

/// What every key store must do, whatever is behind it; a store is added by one case.
enum StoreUnderTest: CaseIterable {
    case software

    /// A store of a machine of its own.
    func make() throws -> any KeyStore {
        switch self {
        case .software:
            SoftwareKeyStore(
                storageKey: try StorageKey(
                    SecretBytes(randomCount: 32), vaultID: randomIdentifier()))
        }
    }
}

struct KeyStoreTests {
    private static let owner = VaultBench.subject

    private let bench: VaultBench

    init() async throws {
        bench = try await VaultBench.open(setUp: false)
    }

    private func attributes(
        _ access: String, subject: Subject = owner, name: String = "key", generation: Int64 = 1,
        strength: Strength? = .weak, id: KeyID = KeyID(), kind: KeyKind = .secret
    ) throws -> KeyAttributes {
        KeyAttributes(
            vaultID: bench.vault.id, subject: subject, id: id, name: try KeyName(name),
            kind: kind, store: .software, access: try AccessControl(parsing: access),
            minimumStrength: strength, reuseSeconds: 0, isBootBound: false, hasRecovery: true,
            isSimulated: false, created: 7, generation: generation)
    }

    // A grant as far as a store looks at it.
    private func grant(
        _ attributes: KeyAttributes, proof: consuming CredentialProof? = nil,
        purpose: GrantPurpose? = nil
    ) -> Grant {
        bench.mint.mint(
            purpose: purpose ?? .openKey(attributes.id), subject: attributes.subject,
            request: RequestID(), factors: [.finger, .deviceCredential], credential: proof,
            strength: .strong, isSimulated: false, allowsSimulated: false,
            generation: attributes.generation, at: bench.clock.now())
    }

    private func proof(
        _ store: any KeyStore, _ object: [UInt8], _ derived: borrowing SecretBytes,
        of subject: Subject = owner
    ) async throws -> CredentialProof {
        CredentialProof(
            subject: subject,
            secret: try await store.checkCredential(derived, against: object, of: subject))
    }

    private func unwraps(
        _ store: any KeyStore, _ wrapped: WrappedKey, _ attributes: KeyAttributes,
        _ way: AccessWay, proof: consuming CredentialProof? = nil
    ) async -> Bool {
        do throws(VaultError) {
            _ = try await store.unwrap(
                wrapped, as: attributes, through: way, grant: grant(attributes, proof: proof))
            return true
        } catch { return false }
    }

    // MARK: The credential

    @Test(arguments: StoreUnderTest.allCases)
    func theRightCredentialIsProved(kind: StoreUnderTest) async throws {
        let store = try kind.make()
        let derived = try SecretBytes(randomCount: 32)
        let object = try await store.makeCredential(from: derived, for: Self.owner)
        let secret = try await store.checkCredential(derived, against: object, of: Self.owner)
        #expect(!revealed(secret).isEmpty)
    }

    @Test(arguments: StoreUnderTest.allCases)
    func aWrongCredentialIsNotProved(kind: StoreUnderTest) async throws {
        let store = try kind.make()
        let object = try await store.makeCredential(
            from: SecretBytes(randomCount: 32), for: Self.owner)
        await #expect(throws: VaultError.authentication(.wrongCredential)) {
            _ = try await store.checkCredential(
                SecretBytes(randomCount: 32), against: object, of: Self.owner)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func aCredentialIsProvedForItsSubjectAndMachineOnly(kind: StoreUnderTest) async throws {
        let store = try kind.make()
        let derived = try SecretBytes(randomCount: 32)
        let object = try await store.makeCredential(from: derived, for: Self.owner)
        await #expect(throws: VaultError.self) {
            _ = try await store.checkCredential(derived, against: object, of: Subject(uid: 1))
        }
        let other = try kind.make()
        await #expect(throws: VaultError.self) {
            _ = try await other.checkCredential(derived, against: object, of: Self.owner)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func aChangedCredentialObjectProvesNothing(kind: StoreUnderTest) async throws {
        let store = try kind.make()
        let derived = try SecretBytes(randomCount: 32)
        let object = try await store.makeCredential(from: derived, for: Self.owner)
        for index in stride(from: 0, to: object.count, by: 7) {
            var changed = object
            changed[index] ^= 1
            await #expect(throws: VaultError.self) {
                _ = try await store.checkCredential(derived, against: changed, of: Self.owner)
            }
        }
        for count in [0, 64, 65, object.count - 1] {
            await #expect(throws: VaultError.self) {
                _ = try await store.checkCredential(
                    derived, against: Array(object.prefix(count)), of: Self.owner)
            }
        }
    }

    // MARK: Keys

    private static let expressions = [
        "biometryCurrentSet", "biometryAny", "deviceCredential",
        "biometryAny and deviceCredential", "biometryCurrentSet or deviceCredential",
        "biometryCurrentSet or biometryAny and deviceCredential",
    ]

    @Test(arguments: StoreUnderTest.allCases, expressions)
    func everyWayBringsTheKeyBack(kind: StoreUnderTest, access: String) async throws {
        let store = try kind.make()
        let derived = try SecretBytes(randomCount: 32)
        let object = try await store.makeCredential(from: derived, for: Self.owner)
        let attributes = try attributes(access)
        let key = try SecretBytes(randomCount: 32)
        let wrapped = try await store.wrap(key, as: attributes, credential: object)
        for way in attributes.access.ways {
            let proof = try await proof(store, object, derived)
            let opened = try await store.unwrap(
                wrapped, as: attributes, through: way, grant: grant(attributes, proof: proof))
            #expect(revealed(opened) == revealed(key))
        }
        #expect(!Array(wrapped.parts.joined()).holds(revealed(key)))
    }

    @Test(arguments: StoreUnderTest.allCases)
    func aWayWithTheCredentialNeedsItsProof(kind: StoreUnderTest) async throws {
        let store = try kind.make()
        let derived = try SecretBytes(randomCount: 32)
        let object = try await store.makeCredential(from: derived, for: Self.owner)
        let strange = try SecretBytes(randomCount: 32)
        let strangeObject = try await store.makeCredential(from: strange, for: Self.owner)
        for access in ["deviceCredential", "biometryAny and deviceCredential"] {
            let attributes = try attributes(access)
            let way = attributes.access.ways[0]
            let wrapped = try await store.wrap(
                SecretBytes(randomCount: 32), as: attributes, credential: object)
            #expect(await !unwraps(store, wrapped, attributes, way))
            // Another pair's private half, as of another subject or an older credential.
            let other = try await proof(store, strangeObject, strange)
            #expect(await !unwraps(store, wrapped, attributes, way, proof: other))
            let claimed = CredentialProof(
                subject: Subject(uid: 1),
                secret: try await store.checkCredential(derived, against: object, of: Self.owner))
            #expect(await !unwraps(store, wrapped, attributes, way, proof: claimed))
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func aKeyOpensAsWhatItWasWrappedAsOnly(kind: StoreUnderTest) async throws {
        let store = try kind.make()
        let derived = try SecretBytes(randomCount: 32)
        let object = try await store.makeCredential(from: derived, for: Self.owner)
        let id = KeyID()
        let original = try attributes("biometryCurrentSet or deviceCredential", id: id)
        let wrapped = try await store.wrap(
            SecretBytes(randomCount: 32), as: original, credential: object)
        let others = [
            try attributes("biometryAny or deviceCredential", id: id),
            try attributes("biometryCurrentSet or deviceCredential"),
            try attributes(
                "biometryCurrentSet or deviceCredential", subject: Subject(uid: 1), id: id),
            try attributes("biometryCurrentSet or deviceCredential", name: "other", id: id),
            try attributes("biometryCurrentSet or deviceCredential", generation: 2, id: id),
            try attributes(
                "biometryCurrentSet or deviceCredential", strength: .convenience, id: id),
            try attributes("biometryCurrentSet or deviceCredential", strength: nil, id: id),
        ]
        for other in others {
            for way in other.access.ways {
                let proof = try await proof(store, object, derived)
                #expect(await !unwraps(store, wrapped, other, way, proof: proof))
            }
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func partsOfAnotherWayKeyOrMachineOpenNothing(kind: StoreUnderTest) async throws {
        let store = try kind.make()
        let derived = try SecretBytes(randomCount: 32)
        let object = try await store.makeCredential(from: derived, for: Self.owner)
        let attributes = try attributes("biometryCurrentSet or deviceCredential")
        let wrapped = try await store.wrap(
            SecretBytes(randomCount: 32), as: attributes, credential: object)
        let finger = attributes.access.ways[0]
        var changes = [
            WrappedKey(parts: wrapped.parts.reversed()), WrappedKey(parts: []),
            WrappedKey(parts: Array(wrapped.parts.prefix(1))),
            WrappedKey(parts: wrapped.parts + wrapped.parts),
        ]
        for index in stride(from: 0, to: wrapped.parts[0].count, by: 5) {
            var parts = wrapped.parts
            parts[0][index] ^= 1
            changes.append(WrappedKey(parts: parts))
        }
        for changed in changes {
            #expect(await !unwraps(store, changed, attributes, finger))
        }
        let machine = try kind.make()
        #expect(await !unwraps(machine, wrapped, attributes, finger))
        let foreign = AccessControl.biometryAny.ways[0]
        #expect(await !unwraps(store, wrapped, attributes, foreign))
    }

    @Test(arguments: StoreUnderTest.allCases)
    func theCredentialAloneUnwrapsWhatItAloneOpens(kind: StoreUnderTest) async throws {
        let store = try kind.make()
        let derived = try SecretBytes(randomCount: 32)
        let object = try await store.makeCredential(from: derived, for: Self.owner)
        for access in Self.expressions {
            let attributes = try attributes(access)
            let key = try SecretBytes(randomCount: 32)
            let wrapped = try await store.wrap(key, as: attributes, credential: object)
            let proof = try await proof(store, object, derived)
            let unwrapped = try await store.unwrapByCredential(
                wrapped, as: attributes,
                grant: grant(attributes, proof: proof, purpose: .changeEnrollment))
            let isOpened = attributes.access.ways.contains {
                $0.needsCredential && !$0.needsFinger
            }
            if let unwrapped {
                #expect(isOpened)
                #expect(revealed(unwrapped) == revealed(key))
            } else {
                #expect(!isOpened)
            }
        }
    }

    // MARK: Signing keys

    private func signs(
        _ store: any KeyStore, _ wrapped: WrappedKey, _ attributes: KeyAttributes,
        _ way: AccessWay, _ publicKey: P256PublicKey, proof: consuming CredentialProof? = nil
    ) async -> Bool {
        let digest = [UInt8](repeating: 7, count: 32)
        do throws(VaultError) {
            let signature = try await store.sign(
                digest, with: wrapped, as: attributes, through: way,
                grant: grant(attributes, proof: proof))
            return publicKey.isValid(signature, forDigest: digest)
        } catch { return false }
    }

    @Test(arguments: StoreUnderTest.allCases, expressions)
    func everyWaySignsAndNoneWithoutTheProofItNeeds(
        kind: StoreUnderTest, access: String
    ) async throws {
        let store = try kind.make()
        let derived = try SecretBytes(randomCount: 32)
        let object = try await store.makeCredential(from: derived, for: Self.owner)
        let attributes = try attributes(access, kind: .signing)
        let pair = try await store.makeSigningKey(as: attributes, credential: object)
        for way in attributes.access.ways {
            let proof = try await proof(store, object, derived)
            #expect(
                await signs(store, pair.wrapped, attributes, way, pair.publicKey, proof: proof))
            let signsWithout = await signs(
                store, pair.wrapped, attributes, way, pair.publicKey)
            #expect(signsWithout == !way.needsCredential)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func aSigningKeySignsAsWhatItWasMadeAsOnly(kind: StoreUnderTest) async throws {
        let store = try kind.make()
        let object = try await store.makeCredential(
            from: SecretBytes(randomCount: 32), for: Self.owner)
        let id = KeyID()
        let original = try attributes("biometryAny", id: id, kind: .signing)
        let pair = try await store.makeSigningKey(as: original, credential: object)
        let way = original.access.ways[0]
        #expect(await signs(store, pair.wrapped, original, way, pair.publicKey))
        for other in [
            try attributes("biometryAny", kind: .signing),
            try attributes("biometryAny", id: id),
            try attributes("biometryAny", subject: Subject(uid: 1), id: id, kind: .signing),
            try attributes("biometryAny", name: "other", id: id, kind: .signing),
            try attributes("biometryAny", generation: 2, id: id, kind: .signing),
            try attributes("biometryAny", strength: .convenience, id: id, kind: .signing),
        ] {
            #expect(await !signs(store, pair.wrapped, other, way, pair.publicKey))
        }
        let second = try await store.makeSigningKey(as: original, credential: object)
        #expect(second.publicKey != pair.publicKey)
        #expect(await !signs(store, second.wrapped, original, way, pair.publicKey))
        #expect(await !signs(try kind.make(), pair.wrapped, original, way, pair.publicKey))
    }

    // MARK: The generation

    @Test(arguments: StoreUnderTest.allCases)
    func theGenerationMovesOnByOne(kind: StoreUnderTest) async throws {
        let store = try kind.make()
        let first = try await store.firstGeneration(of: Self.owner)
        #expect(first > 0)
        try await store.advanceGeneration(of: Self.owner, to: first + 1)
    }

    // MARK: The software store

    @Test func theSoftwareStorePromisesNoMoreThanItKeeps() throws {
        let store = try StoreUnderTest.software.make()
        #expect(store.kind == .software)
        #expect(store.strongestMinimum == .weak)
        #expect(!store.bindsToBoot)
        #expect(store.minimumCredentialCount == 6)
    }

    @Test func aWrappedKeyReadsBackAndNothingElseDoes() throws {
        let wrapped = WrappedKey(parts: [[1, 2], [], [3]])
        #expect(try WrappedKey(encoded: wrapped.encoded) == wrapped)
        for bytes in [[], [1], Array(wrapped.encoded.dropLast()), [UInt8](repeating: 0, count: 8)] {
            #expect(throws: VaultError.self) { try WrappedKey(encoded: bytes) }
        }
    }
}
