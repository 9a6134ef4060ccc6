import Synchronization
import WhorlAuthentication
package import WhorlBiometrics
import WhorlKeys
import WhorlSecrets
import WhorlSensorLab

/// A session on a store, with a scripted reader that is touched as each operation wants it.
package final class StoreSession: Sendable {
    package static let subject = Subject(uid: 4711)

    private let session: InProcessSession
    private let source: ScriptedSource
    private let known: Mutex<OwnerSecrets>
    private let delivered: DeliveredKeys

    private init(
        session: InProcessSession, source: ScriptedSource, known: OwnerSecrets,
        delivered: DeliveredKeys
    ) {
        self.session = session
        self.source = source
        self.known = Mutex(known)
        self.delivered = delivered
    }

    /// What the owner knows now.
    private var owner: OwnerSecrets { known.withLock { $0 } }

    /// The recovery keys that were handed out so far, in order.
    package var deliveredKeys: [[UInt8]] { delivered.all }

    /// Opens the store in a folder.
    ///
    /// - Parameters:
    ///   - folder: The store's folder.
    ///   - owner: What its owner knows.
    ///   - isPatient: Whether pauses are real.
    ///   - onDelivery: Told of each recovery key that is handed out, before it counts.
    /// - Returns: The session.
    /// - Throws: What opening throws.
    package static func open(
        _ folder: String, _ owner: OwnerSecrets, isPatient: Bool = false,
        onDelivery: @escaping @Sendable ([UInt8]) -> Void = { _ in }
    ) async throws(VaultError) -> StoreSession {
        let source = ScriptedSource()
        let parts = InProcessSession.Parts(
            source: source, prompter: SilentPrompter(), seat: LocalSeat(),
            timekeeper: LoadTimekeeper(isPatient: isPatient),
            policy: AuthenticatorPolicy(simulatedStrength: .weak, waitSeconds: 20),
            origin: RequestOrigin(program: "load", processID: 1))
        let session = try await InProcessSession.open(
            inFolder: folder, subject: subject, parts: parts, scrypt: OwnerSecrets.cheap)
        return StoreSession(
            session: session, source: source, known: owner,
            delivered: DeliveredKeys(onDelivery))
    }

    // MARK: Operations

    /// Does one thing.
    ///
    /// - Returns: What came of it.
    package func perform(_ operation: StoreOperation) async -> Outcome {
        // A reader of its own each time, so that no touch is left over for the next.
        let reader = ScriptedReader()
        await source.add(reader)
        let outcome: Outcome
        do throws(VaultError) {
            outcome = try await done(operation, on: reader)
        } catch {
            outcome = .refused(error.identifier)
        }
        await session.close()
        await source.remove(reader)
        return outcome
    }

    private func done(
        _ operation: StoreOperation, on reader: ScriptedReader
    ) async throws(VaultError) -> Outcome {
        switch operation {
        case .put(let name, let version, let ways):
            _ = try await session.vault.put(
                KeySecret.make(name, version), as: KeyName(checking: name),
                options: KeyOptions(access: ways.access))
        case .replace(let name, let version, let ways, let factor):
            _ = try await session.vault.replace(
                KeySecret.make(name, version), as: KeyName(checking: name),
                options: KeyOptions(access: ways.access), request: request(factor, reader))
        case .get(let name, let factor):
            let secret = try await session.vault.get(
                KeyName(checking: name), request: request(factor, reader))
            guard let version = KeySecret.version(of: secret, as: name) else {
                return .openedWrongly
            }
            return .opened(version: version)
        case .remove(let name, let factor):
            try await session.vault.remove(
                KeyName(checking: name), request: request(factor, reader))
        case .enroll(let finger, let carry):
            for _ in 0..<4 { reader.touch(finger.rawValue) }
            _ = try await session.fingers.enroll(
                finger.finger, confirm: true, keys: carry, request: request(.pin, nil))
        case .forget(let finger):
            _ = try await session.fingers.remove(finger.finger, request: request(.pin, nil))
        case .changePin(let number):
            let new = OwnerSecrets(pin: number, recoveryKey: [])
            _ = try await session.ownership.changeCredential(
                to: new.credential, request: request(.pin, nil))
            known.withLock { $0.pin = number }
        case .renewRecovery:
            // By the old key, which opens all keys, so that none is lost.
            var request = request(.own, nil)
            request.recoveryKey = owner.heldRecoveryKey
            let delivered = delivered
            _ = try await session.ownership.renewRecovery(request: request) {
                (written) throws(VaultError) in delivered.keep(written)
            }
            known.withLock { $0.recoveryKey = delivered.all.last ?? [] }
        case .rebind:
            _ = try await session.vault.rebind(nil, request: request(.pin, nil))
        case .unlock:
            do throws(AuthenticationError) {
                try await session.unlock(request: request(.pin, nil))
            } catch {
                throw .authentication(error)
            }
        }
        return .done
    }

    private func request(
        _ factor: StoreOperation.Factor, _ reader: ScriptedReader?
    ) -> AuthenticationRequest {
        guard let reason = try? Reason("a load"),
            let limits = RequestLimits(tries: 1, timeoutSeconds: 30)
        else { preconditionFailure("the words of the request do not stand") }
        var request = AuthenticationRequest(reason: reason, limits: limits)
        switch factor {
        case .own, .thumb, .stranger: reader?.touch(factor.rawValue)
        case .pin: request.credential = owner.credential
        case .wrongPin: request.credential = OwnerSecrets.held(Array("wrong horse".utf8))
        }
        return request
    }
}

/// The recovery keys that a closure was given; a test's own are no secrets.
final class DeliveredKeys: Sendable {
    private let keys = Mutex<[[UInt8]]>([])
    private let tell: @Sendable ([UInt8]) -> Void

    init(_ tell: @escaping @Sendable ([UInt8]) -> Void = { _ in }) { self.tell = tell }

    var all: [[UInt8]] { keys.withLock { $0 } }

    func keep(_ written: borrowing SecretBytes) {
        let bytes = OwnerSecrets.bytes(of: written)
        keys.withLock { $0.append(bytes) }
        tell(bytes)
    }
}
