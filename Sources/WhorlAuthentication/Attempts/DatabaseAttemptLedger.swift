import WhorlBiometrics
import WhorlDatabase
import WhorlKeys

/// The record of attempts in the store's database, on its thread.
actor DatabaseAttemptLedger: AttemptLedger {
    private let store: StoreDatabase

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        unsafe store.thread.asUnownedSerialExecutor()
    }

    private init(store: StoreDatabase) {
        self.store = store
    }

    /// Opens the record in a store's database, and makes its tables where they are missing.
    static func open(_ store: StoreDatabase) async throws(VaultError) -> DatabaseAttemptLedger {
        let ledger = DatabaseAttemptLedger(store: store)
        try await ledger.migrate()
        return ledger
    }

    private func migrate() throws(VaultError) {
        try store.perform { (database) throws(DatabaseError) in
            try database.migrate([AttemptTables.schema])
        }
    }

    // MARK: Fingers

    func recover(_ subject: Subject, at now: BootInstant) throws(VaultError) {
        try change(subject) { record in
            record.ladder.recover(at: now)
            record.throttle.recover(at: now)
        }
    }

    func lockout(of subject: Subject, at now: BootInstant) throws(VaultError) -> LockoutStatus {
        try record(of: subject).ladder.status(at: now)
    }

    func failures(of subject: Subject) throws(VaultError) -> Int {
        try record(of: subject).ladder.failures
    }

    func charge(_ subject: Subject) throws(VaultError) {
        try change(subject) { $0.ladder.charge() }
    }

    func settleNoMatch(
        _ subject: Subject, at now: BootInstant
    ) throws(VaultError) -> LockoutStatus {
        try change(subject) { $0.ladder.settleNoMatch(at: now) }.ladder.status(at: now)
    }

    func refund(_ subject: Subject) throws(VaultError) {
        try change(subject, .unsynced) { $0.ladder.refund() }
    }

    func clear(_ subject: Subject) throws(VaultError) {
        try change(subject, .unsynced) { $0.ladder.clear() }
    }

    // MARK: Credential

    func credentialWait(of subject: Subject, at now: BootInstant) throws(VaultError) -> Int? {
        try record(of: subject).throttle.remainingSeconds(at: now)
    }

    func chargeCredential(_ subject: Subject, at now: BootInstant) throws(VaultError) {
        try change(subject) { $0.throttle.charge(at: now) }
    }

    func clearCredential(_ subject: Subject) throws(VaultError) {
        try change(subject, .unsynced) { $0.throttle.clear() }
    }

    // MARK: Ports

    func approvedPorts(
        of subject: Subject, driver: String, deviceID: String
    ) throws(VaultError) -> Set<String> {
        try store.perform { (database) throws(DatabaseError) in
            Set(
                try database.rows(
                    AttemptTables.approved, .text(subject.name), .text(driver), .text(deviceID)
                ) { row throws(DatabaseError) in try row.text(0) })
        }
    }

    func approve(_ reader: ReaderIdentity, for subject: Subject) throws(VaultError) {
        try store.transaction { () throws(VaultError) in
            _ = try store.perform { (database) throws(DatabaseError) in
                try database.run(
                    AttemptTables.approve, .text(subject.name), .text(reader.driver),
                    .text(reader.deviceID), .text(reader.port.key))
            }
        }
    }

    // MARK: The end

    nonisolated func forget(_ subject: Subject, in database: Database) throws(DatabaseError) {
        try database.run(AttemptTables.forgetAttempts, .text(subject.name))
        try database.run(AttemptTables.forgetPorts, .text(subject.name))
    }

    // MARK: Rows

    private struct Record: Equatable {
        var ladder = LockoutLadder()
        var throttle = CredentialThrottle()
    }

    @discardableResult
    private func change(
        _ subject: Subject, _ kind: Database.TransactionKind = .immediate,
        _ body: (inout Record) -> Void
    ) throws(VaultError) -> Record {
        try store.transaction(kind) { () throws(VaultError) in
            let before = try record(of: subject)
            var after = before
            body(&after)
            if after != before { try write(after, of: subject) }
            return after
        }
    }

    private func record(of subject: Subject) throws(VaultError) -> Record {
        let found = try store.perform { (database) throws(DatabaseError) in
            try database.row(AttemptTables.read, .text(subject.name)) {
                row throws(DatabaseError) in
                try Record(
                    ladder: LockoutLadder(
                        failures: Int(clamping: row.integer(0)),
                        lockedAt: Self.instant(row, boot: 2, time: 3),
                        hasOpenCharge: row.integer(1) != 0),
                    throttle: CredentialThrottle(
                        failures: Int(clamping: row.integer(4)),
                        lastAttempt: Self.instant(row, boot: 5, time: 6)))
            }
        }
        guard let found else { return Record() }
        // A count below nothing would be as many free attempts.
        guard found.ladder.failures >= 0, found.throttle.failures >= 0 else {
            throw .damaged("the count of failed attempts")
        }
        return found
    }

    private func write(_ record: Record, of subject: Subject) throws(VaultError) {
        let locked = record.ladder.lockedAt
        let tried = record.throttle.lastAttempt
        _ = try store.perform { (database) throws(DatabaseError) in
            try database.run(
                AttemptTables.write, .text(subject.name), .integer(Int64(record.ladder.failures)),
                .integer(record.ladder.hasOpenCharge ? 1 : 0), .optional(locked?.bootID),
                .optional(locked?.nanoseconds), .integer(Int64(record.throttle.failures)),
                .optional(tried?.bootID), .optional(tried?.nanoseconds))
        }
    }

    private static func instant(
        _ row: borrowing Row, boot: Int, time: Int
    ) throws(DatabaseError) -> BootInstant? {
        if row.isNull(boot) || row.isNull(time) { return nil }
        return try BootInstant(bootID: row.text(boot), nanoseconds: row.integer(time))
    }
}

extension ReaderPort {
    /// The port as text, the same for the same port.
    ///
    /// Removability is left out: it says what kind of port it is, not which.
    var key: String {
        switch self {
        case .usb(let sysfsPath, _): "usb:\(sysfsPath)"
        case .none: "none"
        case .unknown: "unknown"
        }
    }
}
