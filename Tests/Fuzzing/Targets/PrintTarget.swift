import Dispatch
import Synchronization
import WhorlBiometrics
import WhorlSecrets

@testable import WhorlLibfprint

/// Prints as libfprint serialises them: it aborts the program over some that it did not write.
enum PrintTarget {
    static func examine(_ bytes: [UInt8]) -> Bool {
        guard !bytes.isEmpty, let secret = try? SecretBytes(copying: bytes.span) else {
            return false
        }
        let print = Print(serialized: secret, isStoredOnChip: false)
        return waiting { await isRead(print) }
    }

    @LibfprintActor
    private static func isRead(_ print: Print) -> Bool {
        guard let template = try? FingerTemplate(reading: print) else { return false }
        guard let written = try? template.print(), (try? FingerTemplate(reading: written)) != nil
        else { preconditionFailure("what was read cannot be written and read again") }
        return true
    }

    // libFuzzer calls from a thread of its own, and wants the answer there.
    private static func waiting(_ body: @escaping @Sendable () async -> Bool) -> Bool {
        let answer = Answer()
        Task {
            try? await LibfprintActor.start()
            answer.give(await body())
        }
        return answer.wait()
    }
}

/// An answer that a thread waits for.
private final class Answer: Sendable {
    private let value = Mutex(false)
    private let isGiven = DispatchSemaphore(value: 0)

    func give(_ answer: Bool) {
        value.withLock { $0 = answer }
        isGiven.signal()
    }

    func wait() -> Bool {
        isGiven.wait()
        return value.withLock { $0 }
    }
}
