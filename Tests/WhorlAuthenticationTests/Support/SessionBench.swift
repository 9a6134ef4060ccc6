import Glibc
import Synchronization
import WhorlBiometrics
import WhorlKeys
import WhorlSecrets
import WhorlSensorLab

@testable import WhorlAuthentication

/// A session on a real store in a folder of its own, with a scripted reader and clocks to turn.
final class SessionBench: Sendable {
    static let pin = "correct horse"
    static let subject = Subject(uid: 4711)

    let folder: String
    let reader: ScriptedReader
    let source: ScriptedSource
    let prompter: TestPrompter
    let timekeeper: ManualTimekeeper
    let session: InProcessSession
    let vault: Vault
    /// In its written form; empty where this bench did not set the store up.
    let recoveryKey: String

    private init(
        folder: String, reader: ScriptedReader, source: ScriptedSource, prompter: TestPrompter,
        timekeeper: ManualTimekeeper, session: InProcessSession, vault: Vault,
        recoveryKey: String
    ) {
        self.folder = folder
        self.reader = reader
        self.source = source
        self.prompter = prompter
        self.timekeeper = timekeeper
        self.session = session
        self.vault = vault
        self.recoveryKey = recoveryKey
    }

    deinit {
        removeFolder(folder)
    }

    /// Opens a store; a new one in a new folder unless one is given.
    static func open(
        folder given: String? = nil, setUp: Bool = true, simulated: Strength? = .weak,
        reader description: ReaderDescription = .scripted(), on shared: ScriptedReader? = nil,
        prompter: TestPrompter = TestPrompter(), timekeeper: ManualTimekeeper = ManualTimekeeper(),
        seat: SeatPresence = .local, waitSeconds: Int = 0,
        ledger wrap: (@Sendable (any AttemptLedger) -> any AttemptLedger)? = nil
    ) async throws -> SessionBench {
        let folder = try given ?? newFolder()
        let reader = shared ?? ScriptedReader(description)
        let source = ScriptedSource([reader])
        let database = try await StoreDatabase.open(folder: folder + "/store", creating: true)
        let opened = try await Vault.open(
            database: database, timekeeper: timekeeper, scrypt: try .cheap)
        let vault = opened.vault
        let recoveryKey = KeptText()
        if setUp, try await !vault.isSetUp(subject) {
            try await vault.setUp(
                subject, pin: HeldSecret(try secret(pin)), consentAt: timekeeper.unixTime()
            ) { (written) throws(VaultError) in recoveryKey.keep(text(written)) }
        }
        let parts = InProcessSession.Parts(
            source: source, prompter: prompter, seat: FixedSeat(presence: seat),
            timekeeper: timekeeper,
            policy: AuthenticatorPolicy(simulatedStrength: simulated, waitSeconds: waitSeconds),
            origin: RequestOrigin(program: "test", processID: 1))
        let ledger: any AttemptLedger = try await DatabaseAttemptLedger.open(database)
        let session = InProcessSession(
            opened: opened, ledger: wrap?(ledger) ?? ledger, folder: folder + "/store",
            subject: subject, parts: parts)
        return SessionBench(
            folder: folder, reader: reader, source: source, prompter: prompter,
            timekeeper: timekeeper, session: session, vault: vault, recoveryKey: recoveryKey.text)
    }

    /// A request with the recovery key.
    func recovery(_ written: String? = nil) throws -> AuthenticationRequest {
        AuthenticationRequest(
            reason: try Reason("a test"),
            recoveryKey: HeldSecret(try secret(written ?? recoveryKey)))
    }

    /// A request with the PIN, or with none.
    func request(pin: String? = nil, tries: Int = 3) throws -> AuthenticationRequest {
        AuthenticationRequest(
            reason: try Reason("a test"),
            limits: RequestLimits(tries: tries, timeoutSeconds: 30) ?? .standard,
            credential: try pin.map { HeldSecret(try secret($0)) })
    }

    /// Enrols a finger that the scripted sensor knows by this name.
    @discardableResult
    func enroll(
        _ name: String = "own", as finger: Finger = .rightIndexFinger, keys: KeyCarry = .drop
    ) async throws -> EnrollmentResult {
        for _ in 0..<4 { reader.touch(name) }
        return try await session.fingers.enroll(
            finger, confirm: true, keys: keys, request: request(pin: Self.pin))
    }

    func put(
        _ value: String = "s3cret", as name: String = "key",
        access: AccessControl = .biometryCurrentSet.or(.deviceCredential)
    ) async throws {
        try await session.vault.put(try secret(value), as: name, access: access)
    }

    func get(_ name: String = "key", pin: String? = nil, tries: Int = 3) async throws -> String {
        text(try await session.vault.get(KeyName(name), request: request(pin: pin, tries: tries)))
    }

    func failures() async throws -> Int { try await session.report().failures }
}

/// A text that a closure hands out.
final class KeptText: Sendable {
    private let content = Mutex("")

    var text: String { content.withLock { $0 } }

    func keep(_ text: String) { content.withLock { $0 = text } }
}

struct FixedSeat: SeatObserver {
    let presence: SeatPresence
    func presence() async -> SeatPresence { presence }
}

func newFolder() throws -> String {
    var template = Array("/tmp/whorl-test-XXXXXX".utf8CString)
    guard unsafe mkdtemp(&template) != nil else {
        throw VaultError.storage("no temporary folder")
    }
    return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
}

func removeFolder(_ folder: String) {
    guard let entries = unsafe opendir(folder) else { return }
    while let entry = unsafe readdir(entries) {
        let name = unsafe withUnsafeBytes(of: entry.pointee.d_name) { bytes in
            unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        guard name != ".", name != ".." else { continue }
        let path = folder + "/" + name
        if unsafe unlink(path) != 0 { removeFolder(path) }
    }
    unsafe closedir(entries)
    unsafe rmdir(folder)
}
