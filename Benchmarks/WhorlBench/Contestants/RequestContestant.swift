import WhorlAuthentication
import WhorlBiometrics
import WhorlKit
import WhorlLibfprint
import WhorlSecrets

/// Gets a secret or a signature with a finger, by the whole of Whorl, on a store in a folder.
enum RequestContestant {
    /// What happens between the touch and the answer.
    enum Course: String {
        /// The verdict comes at once with the touch, as from libfprint's virtual device.
        case request
        /// The verdict comes when the charge of the attempt is on disk, as from any sensor that
        /// takes longer to compare than a disk to write.
        case secret
        /// The same, and a signature is what comes of it.
        case signature
        /// Another finger touches first; its verdict comes when its charge is on disk. The lap is from
        /// there until the failed attempt is on disk too and the person is told.
        case charge
    }

    /// The name of the secret.
    static let name = "bench"
    private static let signer = "signer"
    private static let pin = "a benchmark"

    /// Runs laps until told to end.
    ///
    /// - Parameters:
    ///   - course: What happens between the touch and the answer.
    ///   - folder: The store's folder.
    ///   - keys: How many keys the store holds.
    /// - Throws: Whatever keeps it from running.
    static func run(_ course: Course, folder: String, keys: Int) async throws {
        let observations = Observations()
        let session = try await Whorl.inProcess(
            for: "WhorlBench", prompter: ObservingPrompter(observations: observations),
            options: Whorl.Options(storeFolder: folder, simulatedStrength: .weak), create: true,
            source: ObservedSource(LibfprintSource(), observations))
        try await prepare(session, keys: keys)
        if course != .request {
            observations.beforeVerdict { try? await waitForCharge(in: session) }
        }
        observations.onArmed { round in
            let finger = course == .charge && round == 1 ? "another" : "whorl"
            try? Contestant.say("armed \(finger)")
        }
        try Contestant.say("ready")
        let request = AuthenticationRequest(reason: try Reason("to see how long it takes"))
        while Contestant.isToGo() {
            observations.begin()
            let start = monotonicNanoseconds()
            let answer =
                try await course == .signature
                ? sign(in: session, request) : get(in: session, request)
            try Contestant.say(try observations.stamps(of: course, start: start, answer: answer))
        }
    }

    // Each gives the moment when the answer was in the caller's hand.
    private static func get(
        in session: InProcessSession, _ request: AuthenticationRequest
    ) async throws -> Int64 {
        let secret = try await session.vault.get(KeyName(name), request: request)
        let answer = monotonicNanoseconds()
        guard secret.count == 64 else { throw BenchError("another secret came out") }
        return answer
    }

    private static func sign(
        in session: InProcessSession, _ request: AuthenticationRequest
    ) async throws -> Int64 {
        let digest = [UInt8](repeating: 7, count: 32)
        _ = try await session.signingKeys.sign(
            .digest(digest), with: KeyName(signer), request: request)
        return monotonicNanoseconds()
    }

    private static func prepare(_ session: InProcessSession, keys: Int) async throws {
        guard try await !session.report().isSetUp else { return }
        try await session.setUp(credential: try credential()) { _ in }
        // A reader takes five touches of this kind; one too many would be the next operation's.
        for _ in 0..<5 { try Contestant.say("touch whorl") }
        _ = try await session.fingers.enroll(
            .rightIndexFinger, confirm: false, keys: .drop,
            request: AuthenticationRequest(
                reason: try Reason("to have a finger"), credential: try credential()))
        try await session.vault.put(try SecretBytes(randomCount: 64), as: name)
        try await session.signingKeys.create(KeyName(signer), options: SigningKeyOptions())
        for index in 1..<max(keys, 1) {
            try await session.vault.put(try SecretBytes(randomCount: 64), as: "\(name) \(index)")
        }
    }

    private static func credential() throws -> HeldSecret {
        HeldSecret(try SecretBytes(copying: Array(pin.utf8).span))
    }

    private static func waitForCharge(in session: InProcessSession) async throws {
        while try await session.report().failures == 0 {
            try await Task.sleep(for: .milliseconds(1))
        }
    }
}
