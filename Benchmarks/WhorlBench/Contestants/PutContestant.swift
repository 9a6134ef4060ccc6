import WhorlAuthentication
import WhorlBiometrics
import WhorlKit
import WhorlLibfprint
import WhorlSecrets

/// Puts a secret, by the whole of Whorl: `vault.put` on a store that holds so many keys already.
enum PutContestant {
    private static let pin = "a benchmark"

    /// Runs laps until told to end; what a lap put is removed after it, which is no part of it.
    static func run(folder: String, keys: Int) async throws {
        let session = try await Whorl.inProcess(
            for: "WhorlBench", prompter: ObservingPrompter(observations: Observations()),
            options: Whorl.Options(storeFolder: folder), create: true, source: LibfprintSource())
        if try await !session.report().isSetUp {
            try await session.setUp(credential: try credential()) { _ in }
            for index in 0..<keys { try await put(in: session, as: "kept \(index)") }
        }
        try Contestant.say("ready")
        while Contestant.isToGo() {
            let start = monotonicNanoseconds()
            try await put(in: session, as: "lap")
            try Contestant.say(Stamps(start: start, answer: monotonicNanoseconds()))
            try await session.vault.remove(
                KeyName("lap"),
                request: AuthenticationRequest(
                    reason: try Reason("to put it again"), credential: try credential()))
        }
    }

    private static func put(in session: InProcessSession, as name: String) async throws {
        try await session.vault.put(
            try SecretBytes(randomCount: 64), as: name, access: .deviceCredential)
    }

    private static func credential() throws -> HeldSecret {
        HeldSecret(try SecretBytes(copying: Array(pin.utf8).span))
    }
}
