import WhorlBiometrics
import WhorlDatabase

@testable import WhorlAuthentication

/// A record of attempts of which one call always fails.
struct FailingLedger: AttemptLedger {
    enum Call: CaseIterable {
        case recover
        case lockout
        case charge
        case settle
        case refund
        case clear
        case approvedPorts

        /// Whether a finger that matches needs it before something is given out.
        var isNeededForAMatch: Bool {
            switch self {
            case .recover, .lockout, .charge, .approvedPorts: true
            case .settle, .refund, .clear: false
            }
        }
    }

    let inner: any AttemptLedger
    let failing: Call

    private func check(_ call: Call) throws(VaultError) {
        if call == failing { throw .storage("the disk is full") }
    }

    func recover(_ subject: Subject, at now: BootInstant) async throws(VaultError) {
        try check(.recover)
        try await inner.recover(subject, at: now)
    }

    func lockout(
        of subject: Subject, at now: BootInstant
    ) async throws(VaultError) -> LockoutStatus {
        try check(.lockout)
        return try await inner.lockout(of: subject, at: now)
    }

    func failures(of subject: Subject) async throws(VaultError) -> Int {
        try await inner.failures(of: subject)
    }

    func charge(_ subject: Subject) async throws(VaultError) {
        try check(.charge)
        try await inner.charge(subject)
    }

    func settleNoMatch(
        _ subject: Subject, at now: BootInstant
    ) async throws(VaultError) -> LockoutStatus {
        try check(.settle)
        return try await inner.settleNoMatch(subject, at: now)
    }

    func refund(_ subject: Subject) async throws(VaultError) {
        try check(.refund)
        try await inner.refund(subject)
    }

    func clear(_ subject: Subject) async throws(VaultError) {
        try check(.clear)
        try await inner.clear(subject)
    }

    func credentialWait(
        of subject: Subject, at now: BootInstant
    ) async throws(VaultError) -> Int? {
        try await inner.credentialWait(of: subject, at: now)
    }

    func chargeCredential(_ subject: Subject, at now: BootInstant) async throws(VaultError) {
        try await inner.chargeCredential(subject, at: now)
    }

    func clearCredential(_ subject: Subject) async throws(VaultError) {
        try await inner.clearCredential(subject)
    }

    func approvedPorts(
        of subject: Subject, driver: String, deviceID: String
    ) async throws(VaultError) -> Set<String> {
        try check(.approvedPorts)
        return try await inner.approvedPorts(of: subject, driver: driver, deviceID: deviceID)
    }

    func approve(_ reader: ReaderIdentity, for subject: Subject) async throws(VaultError) {
        try await inner.approve(reader, for: subject)
    }

    func forget(_ subject: Subject, in database: Database) throws(DatabaseError) {
        try inner.forget(subject, in: database)
    }
}
