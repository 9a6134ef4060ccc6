import Glibc
import WhorlBiometrics
import WhorlKeys
import WhorlSecrets
import WhorlSensorLab

@testable import WhorlAuthentication

/// A copy of a store that an earlier version wrote, as its owner's folder holds it.
///
/// What is in it stands in Fixtures/stores/README.md.
final class StoredVersion: Sendable {
    static let pin = "correct horse"
    static let subject = Subject(uid: 0)

    let folder: String
    let recoveryKey: String
    let reader = ScriptedReader(
        .scripted(driver: "virtual_device", deviceID: "0"))

    var store: String { folder + "/store" }

    init(_ version: Int) throws {
        let root = #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
        let original = "/\(root)/Fixtures/stores/\(version)"
        folder = try newFolder()
        recoveryKey = String(decoding: try Self.bytes("\(original)/recovery.key"), as: UTF8.self)
        guard unsafe mkdir(store, 0o700) == 0 else { throw VaultError.storage("no folder") }
        for name in ["whorl.db", "storage.key"] {
            try Self.write(Self.bytes("\(original)/\(name)"), to: "\(store)/\(name)")
        }
    }

    deinit { removeFolder(folder) }

    /// Opens a session on it, with the reader that its finger was enrolled on.
    func session() async throws -> InProcessSession {
        try await InProcessSession.open(
            inFolder: store, create: false, subject: Self.subject,
            parts: InProcessSession.Parts(
                source: ScriptedSource([reader]), prompter: TestPrompter(takesCredentials: false),
                seat: FixedSeat(presence: .local), timekeeper: ManualTimekeeper(),
                policy: AuthenticatorPolicy(simulatedStrength: .convenience),
                origin: RequestOrigin(program: "test", processID: 1)))
    }

    /// The same, after the PIN was given once: a store in a checkout was put back from a copy.
    func trusted() async throws -> InProcessSession {
        let session = try await session()
        _ = try await session.opened("pin-only", pin: Self.pin)
        return session
    }

    func database() throws -> [UInt8] { try Self.bytes("\(store)/whorl.db") }

    static func bytes(_ path: String) throws -> [UInt8] {
        let descriptor = unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw VaultError.storage("\(path): \(errno)") }
        defer { close(descriptor) }
        var all: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = unsafe read(descriptor, &buffer, buffer.count), count > 0 {
            all += buffer.prefix(count)
        }
        return all
    }

    static func write(_ bytes: [UInt8], to path: String) throws {
        let descriptor = unsafe Glibc.open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw VaultError.storage("\(path): \(errno)") }
        defer { close(descriptor) }
        guard fchmod(descriptor, 0o600) == 0,
            unsafe Glibc.write(descriptor, bytes, bytes.count) == bytes.count
        else { throw VaultError.storage("\(path): \(errno)") }
    }
}

extension InProcessSession {
    /// Opens a key with the finger, the PIN, or the recovery key.
    func opened(
        _ name: String, pin: String? = nil, recoveryKey: String? = nil
    ) async throws -> String {
        let request = AuthenticationRequest(
            reason: try Reason("a test"),
            credential: try pin.map { HeldSecret(try secret($0)) },
            recoveryKey: try recoveryKey.map { HeldSecret(try secret($0)) })
        return text(try await vault.get(KeyName(name), request: request))
    }
}
