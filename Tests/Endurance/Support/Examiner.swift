import Synchronization
import WhorlBiometrics
import WhorlDatabase
import WhorlKeys
import WhorlSecrets
import WhorlStoreLoad

/// Opens a store and its keys by every way in.
final class Examiner: Sendable {
    static let subject = StoreSession.subject

    let vault: Vault
    private let mint: GrantMint
    private let recovery: Recovery
    private let owner: Mutex<OwnerSecrets>
    private let clock: StillTimekeeper

    private init(
        _ opened: consuming OpenedVault, recovery: Recovery, owner: OwnerSecrets,
        clock: StillTimekeeper
    ) {
        vault = opened.vault
        mint = opened.takeMint()
        self.recovery = recovery
        self.owner = Mutex(owner)
        self.clock = clock
    }

    static func open(
        _ folder: StoreFolder, _ owner: OwnerSecrets
    ) async throws(VaultError) -> Examiner {
        let clock = StillTimekeeper()
        let database = try await StoreDatabase.open(folder: folder.path, creating: false)
        return Examiner(
            try await Vault.open(database: database, timekeeper: clock),
            recovery: Recovery(database: database), owner: owner, clock: clock)
    }

    /// Finds out which PIN and which recovery key are the right ones, and goes on with those.
    ///
    /// - Returns: What is right now; nil where a right one is missing.
    func findOwner(pins: Set<Int>, keys: [[UInt8]]) async -> OwnerSecrets? {
        for pin in pins {
            for key in keys {
                let owner = OwnerSecrets(pin: pin, recoveryKey: key)
                do throws(VaultError) {
                    _ = try await vault.checkCredential(Self.subject, pin: owner.credential)
                    _ = try await vault.checkRecoveryKey(owner.heldRecoveryKey, of: Self.subject)
                } catch { continue }
                self.owner.withLock { $0 = owner }
                return owner
            }
        }
        return nil
    }

    // MARK: Ways in

    /// A way in that is tried.
    enum Way: String, CaseIterable {
        case finger
        case pin
        case both
        case recovery
    }

    /// What a way into a key gave.
    enum Answer: Hashable {
        case opened(version: Int)
        case openedWrongly
        case refused(VaultError)
    }

    func open(_ name: KeyName, by way: Way) async -> Answer {
        do throws(VaultError) {
            let version =
                way == .recovery ? try await recovered(name) : try await opened(name, by: way)
            return version.map { .opened(version: $0) } ?? .openedWrongly
        } catch {
            return .refused(error)
        }
    }

    private func opened(_ name: KeyName, by way: Way) async throws(VaultError) -> Int? {
        let enrollment = try await vault.enrollment(of: Self.subject)
        let key = try await vault.key(name, of: Self.subject)
        let proof =
            way == .finger
            ? nil
            : try await vault.checkCredential(Self.subject, pin: owner.withLock { $0 }.credential)
        let factors: Set<AuthenticationFactor> =
            switch way {
            case .finger: [.finger]
            case .pin, .recovery: [.deviceCredential]
            case .both: [.finger, .deviceCredential]
            }
        let grant = mint.mint(
            purpose: .openKey(key.id), subject: Self.subject, request: RequestID(),
            factors: factors, credential: proof, strength: way == .pin ? nil : .weak,
            isSimulated: way != .pin, allowsSimulated: true, generation: enrollment.generation,
            at: clock.now())
        return KeySecret.version(of: try await vault.open(name, grant: grant), as: name.text)
    }

    private func recovered(_ name: KeyName) async throws(VaultError) -> Int? {
        guard let written = owner.withLock({ $0 }).heldRecoveryKey.take() else {
            throw .internalError("a key was taken twice")
        }
        let keys = try await recovery.read().first { $0.subject == Self.subject }
        guard let keys else { throw .notSetUp }
        let secret = try keys.open(name, with: HeldSecret(written))
        return KeySecret.version(of: secret, as: name.text)
    }
}

/// A clock that stands, so that no grant is ever too old.
struct StillTimekeeper: Timekeeper {
    func now() -> BootInstant { BootInstant(bootID: "the only one", nanoseconds: 1) }
    func unixTime() -> Int64 { 1_800_000_000 }
    func sleep(nanoseconds: Int64) async { await Task.yield() }
}
