import Foundation
import WhorlSensorLab

/// Stores that many tests start from, each made once by the program itself and copied.
actor PreparedStores {
    /// What a store holds; each holds what those before it hold.
    enum State: Int, CaseIterable {
        /// There is no store.
        case none
        /// The PIN is ``Bench/pin``.
        case setUp
        /// The finger `f1` is the right index finger, on the virtual device.
        case enrolled
        /// The key `github` holds ``secret``.
        case holding
    }

    static let secret = "s3cret"
    static let shared = PreparedStores()

    private var made: [State: Task<Bench, any Error>] = [:]

    /// Puts a store in such a state into a bench.
    func copy(_ state: State, to bench: Bench) async throws {
        guard state != .none else { return }
        let original = try await original(state)
        try Self.copyFolder(original.store, to: bench.store)
    }

    private func original(_ state: State) async throws -> Bench {
        if let task = made[state] { return try await task.value }
        let before = State(rawValue: state.rawValue - 1) ?? .none
        let task = Task { () -> Bench in
            let bench = try Bench()
            try await copy(before, to: bench)
            try await Self.advance(bench, to: state)
            return bench
        }
        made[state] = task
        return try await task.value
    }

    private static func advance(_ bench: Bench, to state: State) async throws {
        let run =
            switch state {
            case .none, .setUp:
                try await bench.whorl(
                    "setup", "--accept-consent", "--recovery-out", bench.recoveryFile,
                    manner: .withPIN)
            case .enrolled: try await bench.enroll("f1")
            case .holding: try await bench.whorl("vault", "put", "github", manner: .input(secret))
            }
        guard run.status == 0 else { throw Unprepared(run: run) }
    }

    private static func copyFolder(_ original: String, to copy: String) throws {
        let files = FileManager.default
        try files.createDirectory(
            atPath: copy, withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700])
        for name in try files.contentsOfDirectory(atPath: original) {
            let isMade = files.createFile(
                atPath: "\(copy)/\(name)", contents: files.contents(atPath: "\(original)/\(name)"),
                attributes: [.posixPermissions: 0o600])
            guard isMade else { throw CocoaError(.fileWriteUnknown) }
        }
    }

    /// A store that tests start from could not be made.
    struct Unprepared: Error, CustomStringConvertible {
        let run: ProgramRun
        var description: String { "no store to start from: \(run)" }
    }
}

extension Bench {
    /// Enrols a finger of the scripted kinds, without the touch that confirms.
    @discardableResult
    func enroll(
        _ ridges: String, as finger: String = "right-index-finger", on reader: Reader = .device,
        keys: String = "drop"
    ) async throws -> ProgramRun {
        let sensor = sensor(reader)
        return try await whorl(
            "enroll", finger, "--no-confirm", "--keys", keys,
            manner: Manner(pin: Bench.pin, reader: reader.driver)
        ) { child in try await sensor.enroll(ridges, child: child) }
    }

    /// What `status` says of failed attempts.
    func failures() async throws -> Int? {
        try await status()["lockout"]?["failures"]?.integer
    }

    /// How long `status` says that fingers are locked out.
    func lockedSeconds() async throws -> Int? {
        try await status()["lockout"]?["remainingSeconds"]?.integer
    }

    /// What `status` says.
    func status() async throws -> JSONValue {
        try await whorl("status", "--json").object()
    }
}
