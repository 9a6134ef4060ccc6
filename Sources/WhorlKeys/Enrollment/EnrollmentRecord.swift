import WhorlBiometrics
import WhorlCrypto

/// A subject's enrolment as it is stored, with the code that shows that it is all of it.
///
/// The code covers every print by its digest, so that a row that was changed, removed, added or put
/// back from an older copy by itself is noticed. An older copy of all rows together is not: that is
/// what a TPM's counter is for.
struct EnrollmentRecord {
    let subject: Subject
    let generation: Int64
    let isPending: Bool
    let prints: [PrintRecord]
    let code: [UInt8]

    /// A record that was read.
    ///
    /// - Throws: ``VaultError/damaged(_:)`` if it is not what this store wrote last.
    init(
        subject: Subject, generation: Int64, isPending: Bool, prints: [PrintRecord],
        code: [UInt8], checkedBy key: StorageKey
    ) throws(VaultError) {
        self.init(subject, generation, isPending, prints, code)
        try key.check(code, of: message(key), naming: "the list of enrolled fingers")
    }

    /// A record to be written.
    init(
        subject: Subject, generation: Int64, isPending: Bool, prints: [PrintRecord],
        authenticatedBy key: StorageKey
    ) throws(VaultError) {
        let draft = EnrollmentRecord(subject, generation, isPending, prints, [])
        self.init(
            subject, generation, isPending, prints,
            try key.authenticationCode(for: draft.message(key)))
    }

    private init(
        _ subject: Subject, _ generation: Int64, _ isPending: Bool, _ prints: [PrintRecord],
        _ code: [UInt8]
    ) {
        self.subject = subject
        self.generation = generation
        self.isPending = isPending
        self.prints = prints
        self.code = code
    }

    /// What the world may know of it.
    func state() throws(VaultError) -> EnrollmentState {
        EnrollmentState(
            generation: generation, isPending: isPending, prints: prints.map(\.print),
            stateHash: try Self.digest(setBytes().bytes))
    }

    /// What a subject has who never set anything up.
    static func nothing() throws(VaultError) -> EnrollmentState {
        EnrollmentState(
            generation: 0, isPending: false, prints: [],
            stateHash: try digest(CanonicalBytes("whorl/no-enrollment/1").bytes))
    }

    private func message(_ key: StorageKey) throws(VaultError) -> CanonicalBytes {
        var bytes = CanonicalBytes("whorl/enrollment/1")
        bytes.append(key.vaultID)
        bytes.append(subject.name)
        bytes.append(isPending)
        bytes.append(try setBytes().bytes)
        return bytes
    }

    // Whether an enrolment is under way is no part of the set.
    private func setBytes() throws(VaultError) -> CanonicalBytes {
        var bytes = CanonicalBytes("whorl/enrolled-set/1")
        bytes.append(generation)
        let ordered = prints.sorted { left, right in
            left.print.id.bytes.lexicographicallyPrecedes(right.print.id.bytes)
        }
        for record in ordered {
            bytes.append(record.print.canonical(vaultID: [], subject: subject).bytes)
            bytes.append(try Self.digest(record.sealed))
        }
        return bytes
    }

    private static func digest(_ bytes: [UInt8]) throws(VaultError) -> [UInt8] {
        try crypto("the list of enrolled fingers") { () throws(CryptoError) in
            try SHA256.digest(of: bytes)
        }
    }
}
