import Synchronization
import WhorlAuthentication
import WhorlSecrets

@testable import WhorlCommand

/// Keeps what is written; or refuses it, as a pipe that nobody reads.
final class MemorySink: ByteSink {
    private let text = Mutex("")
    private let failure: SystemError?

    init(failingWith failure: SystemError? = nil) { self.failure = failure }

    var written: String { text.withLock { $0 } }

    func write(_ text: String) throws(SystemError) {
        if let failure { throw failure }
        self.text.withLock { $0 += text }
    }

    func write(bytes: [UInt8]) throws(SystemError) {
        try write(String(decoding: bytes, as: UTF8.self))
    }

    func write(secret: borrowing SecretBytes) throws(SystemError) {
        if let failure { throw failure }
        let revealed = revealed(secret)
        text.withLock { $0 += revealed }
    }
}
