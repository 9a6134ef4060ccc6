import WhorlBiometrics
import WhorlLibfprint

/// Verifies on `LibfprintReader` alone, which stays open: against `libfprint-verify alone`.
enum ReaderContestant {
    static func run() async throws {
        guard let reader = try await LibfprintSource().readers().first else {
            throw AuthenticationError.noReader
        }
        guard case .done = await reader.outcome(of: .open) else {
            throw BenchError("the virtual device does not open")
        }
        for _ in 0..<(await reader.description.enrollStages) {
            try Contestant.say("touch whorl")
        }
        guard case .enrolled(let print) = await reader.outcome(of: .enroll) else {
            throw BenchError("the virtual device does not enrol")
        }
        try Contestant.say("ready")
        while Contestant.isToGo() {
            try Contestant.say(try await lap(of: reader, print))
        }
        _ = await reader.outcome(of: .close)
    }

    private static func lap(
        of reader: any FingerprintReader, _ print: Print
    ) async throws -> Stamps {
        var stamps = Stamps(start: monotonicNanoseconds())
        for await event in await reader.perform(.verify(print)) {
            switch event {
            case .finger(.needed) where stamps.armed == 0:
                stamps.armed = monotonicNanoseconds()
                try Contestant.say("armed whorl")
            case .ended(.match):
                stamps.verdict = monotonicNanoseconds()
                stamps.answer = stamps.verdict
                return stamps
            case .ended(let outcome): throw BenchError("verify ended in \(outcome)")
            default: break
            }
        }
        throw BenchError("the reader stopped answering")
    }
}
