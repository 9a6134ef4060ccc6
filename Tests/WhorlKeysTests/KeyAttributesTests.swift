import Testing
import WhorlBiometrics

@testable import WhorlKeys

struct KeyAttributesTests {
    private static let id = KeyID()
    private static let vaultID = randomIdentifier()

    // swift-format-ignore
    private func attributes(
        vaultID: [UInt8] = vaultID, subject: Subject = Subject(uid: 1), id: KeyID = id,
        name: String = "key", kind: KeyKind = .secret, store: StoreKind = .software,
        access: AccessControl = .biometryAny, strength: Strength? = .weak, reuse: Int = 0,
        boot: Bool = false, recovery: Bool = true, simulated: Bool = false, created: Int64 = 0,
        generation: Int64 = 1
    ) throws -> KeyAttributes {
        KeyAttributes(
            vaultID: vaultID, subject: subject, id: id, name: try KeyName(name), kind: kind,
            store: store, access: access, minimumStrength: strength, reuseSeconds: reuse,
            isBootBound: boot, hasRecovery: recovery, isSimulated: simulated, created: created,
            generation: generation)
    }

    @Test func whatIsAuthenticatedDependsOnEveryAttribute() throws {
        let all = [
            try attributes(), try attributes(vaultID: randomIdentifier()),
            try attributes(subject: Subject(uid: 2)), try attributes(id: KeyID()),
            try attributes(name: "other"), try attributes(kind: .signing),
            try attributes(store: .tpm), try attributes(access: .biometryCurrentSet),
            try attributes(access: .biometryAny.or(.deviceCredential)),
            try attributes(strength: .convenience), try attributes(strength: nil),
            try attributes(reuse: 1), try attributes(boot: true), try attributes(recovery: false),
            try attributes(simulated: true), try attributes(created: 1),
            try attributes(generation: 2),
        ]
        #expect(Set(all.map(\.authenticated)).count == all.count)
        #expect(try attributes().authenticated == attributes().authenticated)
    }

    // Sealed keys on disk depend on it: a change of this form makes every key unreadable.
    @Test func theFormIsFixed() throws {
        let zeros = [UInt8](repeating: 0, count: 16)
        let id = try #require(KeyID(bytes: zeros))
        let bytes = try attributes(vaultID: zeros, id: id).authenticated
        let fields = try #require(CanonicalBytes.fields(of: bytes))
        func number(_ value: UInt8) -> [UInt8] { [0, 0, 0, 0, 0, 0, 0, value] }
        #expect(
            fields == [
                Array("whorl/key/1".utf8), zeros, Array("uid:1".utf8), zeros, Array("key".utf8),
                Array("secret".utf8), Array("software".utf8), Array("biometryAny".utf8),
                number(2), number(0), number(0), number(1), number(1), number(0), number(0),
            ])
    }
}
