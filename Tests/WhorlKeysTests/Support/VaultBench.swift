import Synchronization
import Testing
import WhorlBiometrics
import WhorlCrypto
import WhorlDatabase
import WhorlSecrets

@testable import WhorlKeys

/// A vault in a folder of its own, with its mint, a clock to turn, and a way to change rows.
final class VaultBench: Sendable {
    static let pin = "correct horse"
    static let subject = Subject(uid: 4711)

    let temporary: TemporaryFolder
    let clock: ManualClock
    let vault: Vault
    let mint: GrantMint
    let database: StoreDatabase

    var folder: String { temporary.path }

    private init(
        temporary: TemporaryFolder, clock: ManualClock, database: StoreDatabase,
        opened: consuming OpenedVault
    ) {
        self.temporary = temporary
        self.clock = clock
        self.database = database
        vault = opened.vault
        mint = opened.takeMint()
    }

    /// Opens a vault, whose PINs are cheap to try.
    static func open(
        in given: TemporaryFolder? = nil, clock: ManualClock = ManualClock(), setUp: Bool = true,
        store: @Sendable (StorageKey) -> any KeyStore = { SoftwareKeyStore(storageKey: $0) }
    ) async throws -> VaultBench {
        let temporary = try given ?? TemporaryFolder()
        let database = try await StoreDatabase.open(
            folder: temporary.path, creating: true)
        let opened = try await Vault.open(
            database: database, timekeeper: clock,
            scrypt: try ScryptParameters(cost: 16, blockSize: 1, parallelization: 1),
            store: store)
        let bench = VaultBench(
            temporary: temporary, clock: clock, database: database, opened: opened)
        if setUp { try await bench.setUp() }
        return bench
    }

    /// The same store, opened again.
    func reopened() async throws -> VaultBench {
        try await Self.open(in: temporary, clock: clock, setUp: false)
    }

    /// Sets a subject up, and gives the recovery key in its written form.
    @discardableResult
    func setUp(
        _ subject: Subject = VaultBench.subject, pin: String = VaultBench.pin
    ) async throws -> String {
        let kept = KeptText()
        try await vault.setUp(subject, pin: held(pin), consentAt: 1_700_000_000) {
            (written) throws(VaultError) in kept.keep(WhorlKeysTests.text(written))
        }
        return kept.text
    }

    // MARK: Grants

    func proof(
        _ subject: Subject = VaultBench.subject, pin: String = VaultBench.pin
    ) async throws -> CredentialProof {
        try await vault.checkCredential(subject, pin: held(pin))
    }

    /// A grant as the authenticator would mint it after a finger matched.
    func finger(
        _ purpose: GrantPurpose, subject: Subject = VaultBench.subject,
        strength: Strength? = .weak, isSimulated: Bool = false, allowsSimulated: Bool = false,
        generation: Int64? = nil
    ) async throws -> Grant {
        let current = try await vault.enrollment(of: subject).generation
        return mint.mint(
            purpose: purpose, subject: subject, request: RequestID(), factors: [.finger],
            credential: nil, strength: strength, isSimulated: isSimulated,
            allowsSimulated: allowsSimulated, generation: generation ?? current, at: clock.now())
    }

    /// A grant as the authenticator would mint it after the PIN was right.
    func credential(
        _ purpose: GrantPurpose, subject: Subject = VaultBench.subject,
        pin: String = VaultBench.pin, factors: Set<AuthenticationFactor> = [.deviceCredential],
        isSimulated: Bool = false, allowsSimulated: Bool = false
    ) async throws -> Grant {
        let proof = try await proof(subject, pin: pin)
        return mint.mint(
            purpose: purpose, subject: subject, request: RequestID(), factors: factors,
            credential: proof, strength: factors.contains(.finger) ? .weak : nil,
            isSimulated: isSimulated, allowsSimulated: allowsSimulated,
            generation: try await vault.enrollment(of: subject).generation, at: clock.now())
    }

    /// A grant of another mint of the same vault.
    func credential(
        _ purpose: GrantPurpose, by mint: consuming GrantMint
    ) async throws -> Grant {
        mint.mint(
            purpose: purpose, subject: Self.subject, request: RequestID(),
            factors: [.deviceCredential], credential: try await proof(), strength: nil,
            isSimulated: false, allowsSimulated: false, generation: 0, at: clock.now())
    }

    /// A grant as the authenticator would mint it for the recovery key.
    func recovery(
        _ purpose: GrantPurpose, _ written: String, subject: Subject = VaultBench.subject,
        allowsSimulated: Bool = false
    ) async throws -> Grant {
        let proof = try await vault.checkRecoveryKey(held(written), of: subject)
        return mint.mint(
            purpose: purpose, recovery: proof, request: RequestID(),
            allowsSimulated: allowsSimulated, at: clock.now())
    }

    /// The sealed recovery branch of a key, as it is stored.
    func storedRecovery(of name: String) throws -> [UInt8]? {
        let database = try Database(inFolder: folder, named: StoreDatabase.fileName, create: false)
        return try database.row(
            "SELECT recovery FROM wrapped_key WHERE name = ? AND recovery IS NOT NULL", .text(name)
        ) { (row) throws(DatabaseError) in try row.blob(0) }
    }

    /// A grant for which nothing was given.
    func nothing(_ purpose: GrantPurpose, subject: Subject = VaultBench.subject) -> Grant {
        mint.mint(
            purpose: purpose, subject: subject, request: RequestID(), factors: [],
            credential: nil, strength: nil, isSimulated: false, allowsSimulated: false,
            generation: 0, at: clock.now())
    }

    func purpose(
        of name: String, subject: Subject = VaultBench.subject
    ) async throws -> GrantPurpose {
        .openKey(try await vault.key(KeyName(name), of: subject).id)
    }

    // MARK: The main path

    static let reader = ReaderIdentity(
        driver: "synaptics", deviceID: "0",
        port: .usb(sysfsPath: "pci0000:00/usb1/1-3", removable: false))

    @discardableResult
    func enroll(
        _ finger: Finger = .rightIndexFinger, _ template: String = "own",
        of subject: Subject = VaultBench.subject, pin: String = VaultBench.pin,
        keys: KeyCarry = .drop, isSimulated: Bool = false, onChip: Bool = false
    ) async throws -> EnrollmentChange {
        try await vault.beginEnrollment(subject)
        return try await vault.commitEnrollment(
            finger: finger, print: WhorlKeysTests.print(template, onChip: onChip),
            reader: Self.reader, isSimulated: isSimulated, keys: keys,
            grant: credential(
                .changeEnrollment, subject: subject, pin: pin, allowsSimulated: isSimulated),
            at: 1_700_000_100)
    }

    @discardableResult
    func put(
        _ value: String = "s3cret", as name: String = "key",
        of subject: Subject = VaultBench.subject,
        access: AccessControl = .biometryCurrentSet.or(.deviceCredential),
        isSimulated: Bool = false, hasRecovery: Bool = true
    ) async throws -> KeyInfo {
        try await vault.put(
            secret(value), as: KeyName(name), for: subject,
            options: KeyOptions(access: access, hasRecovery: hasRecovery),
            strength: access.mentionsFinger ? .weak : nil, isSimulated: isSimulated,
            at: 1_700_000_200)
    }

    /// Opens a key with a finger.
    func get(_ name: String = "key", subject: Subject = VaultBench.subject) async throws -> String {
        let opened = try await vault.open(
            KeyName(name),
            grant: finger(purpose(of: name, subject: subject), subject: subject))
        return WhorlKeysTests.text(opened)
    }

    /// Opens a key with the PIN.
    func getWithPin(
        _ name: String = "key", subject: Subject = VaultBench.subject, pin: String = VaultBench.pin
    ) async throws -> String {
        let opened = try await vault.open(
            KeyName(name),
            grant: credential(purpose(of: name, subject: subject), subject: subject, pin: pin))
        return WhorlKeysTests.text(opened)
    }

    /// Why a grant opens no key; nil where it opens it.
    func refusal(opening name: String = "key", _ grant: consuming Grant) async -> VaultError? {
        do throws(VaultError) {
            _ = try await vault.open(KeyName(checking: name), grant: grant)
            return nil
        } catch { return error }
    }

    // MARK: Rows

    /// Runs SQL as somebody would who can write the file.
    ///
    /// What the file's own rules forbid, such a person would switch off.
    func tamper(_ sql: String) throws {
        let database = try Database(inFolder: folder, named: StoreDatabase.fileName, create: false)
        try database.run("PRAGMA foreign_keys=0")
        let count = try database.run(sql)
        // A change that found nothing to change would prove nothing.
        #expect(count > 0 || sql.hasPrefix("CREATE"))
    }

    /// Changes one value as little as its type allows.
    func nudge(_ column: String, of table: String, where condition: String = "1") throws {
        let database = try Database(inFolder: folder, named: StoreDatabase.fileName, create: false)
        try database.run("PRAGMA foreign_keys=0")
        let select = "SELECT \(column) FROM \(table) WHERE \(condition) LIMIT 1"
        let type = try database.row("SELECT typeof((\(select)))") { (row) throws(DatabaseError) in
            try row.text(0)
        }
        let changed: DatabaseValue
        switch type {
        case "integer":
            let old = try database.row(select) { (row) throws(DatabaseError) in
                try row.integer(0)
            }
            changed = .integer(try #require(old) == 0 ? 1 : #require(old) - 1)
        case "text":
            let old = try database.row(select) { (row) throws(DatabaseError) in try row.text(0) }
            changed = .text(try #require(old) + "x")
        case "blob":
            var old = try #require(
                try database.row(select) { (row) throws(DatabaseError) in try row.blob(0) })
            old[old.count - 1] ^= 1
            changed = .blob(old)
        default:
            changed = .blob([0])
        }
        let count = try database.run(
            "UPDATE \(table) SET \(column) = ? WHERE \(condition)", changed)
        #expect(count == 1)
    }

    /// Exchanges one value between two rows.
    func swap(_ column: String, of table: String, _ first: String, _ second: String) throws {
        let database = try Database(inFolder: folder, named: StoreDatabase.fileName, create: false)
        try database.run("PRAGMA foreign_keys=0")
        func find(_ condition: String) throws -> (row: Int64, value: String) {
            try #require(
                try database.row("SELECT rowid, quote(\(column)) FROM \(table) WHERE \(condition)")
                {
                    (row) throws(DatabaseError) in (try row.integer(0), try row.text(1))
                })
        }
        let one = try find(first)
        let two = try find(second)
        // Where values must be different, they must be so at every moment.
        let neither = one.value.hasPrefix("X'") ? "x'00'" : "'neither'"
        for (row, value) in [(two.row, neither), (one.row, two.value), (two.row, one.value)] {
            try database.run("UPDATE \(table) SET \(column) = \(value) WHERE rowid = \(row)")
        }
    }

    /// The columns of a table.
    func columns(of table: String) throws -> [String] {
        let database = try Database(inFolder: folder, named: StoreDatabase.fileName, create: false)
        return try database.rows("SELECT name FROM pragma_table_info('\(table)')") {
            (row) throws(DatabaseError) in try row.text(0)
        }
    }

    /// Bytes of a row.
    func blob(_ column: String, of table: String, where condition: String = "1") throws -> [UInt8] {
        let database = try Database(inFolder: folder, named: StoreDatabase.fileName, create: false)
        return try #require(
            try database.row("SELECT \(column) FROM \(table) WHERE \(condition)") {
                (row) throws(DatabaseError) in try row.blob(0)
            })
    }

    /// Brings everything into the one file, so that it can be copied.
    func sweepForCopy() throws {
        try Database(inFolder: folder, named: StoreDatabase.fileName, create: false).checkpoint()
    }

    /// Everything that is in the database's files; `-shm` only has numbers of pages and locks.
    func files() -> [UInt8] {
        let names = ["", "-wal", "-journal"].map { "\(StoreDatabase.fileName)\($0)" }
        return names.flatMap { temporary.contents(of: $0) ?? [] }
    }
}

/// Keeps a text that a closure was given.
final class KeptText: Sendable {
    private let content = Mutex("")
    func keep(_ text: String) { content.withLock { $0 = text } }
    var text: String { content.withLock { $0 } }
}
