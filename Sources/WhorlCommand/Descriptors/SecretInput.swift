internal import WhorlBiometrics
internal import WhorlKit
internal import WhorlSecrets

/// The secret that `vault put` is given on standard input.
enum SecretInput {
    /// The most bytes of a secret: 1 MiB.
    static let limit = 1 << 20

    /// Reads the secret to the end of the input, byte for byte.
    ///
    /// Blocks until the other end closes.
    ///
    /// - Throws: ``CommandFailure`` where there is none, too much, or no reading it.
    static func read(_ descriptor: CInt) throws(CommandFailure) -> SecretBytes {
        let secret = try readAll(descriptor)
        guard !secret.isEmpty else { throw CommandFailure(.emptySecret) }
        return secret
    }

    private static func readAll(_ descriptor: CInt) throws(CommandFailure) -> SecretBytes {
        do throws(SecretTransferError) {
            return try SecretBytes(readingFrom: descriptor, atMost: limit)
        } catch {
            throw switch error {
            case .tooLong: CommandFailure(.tooLarge(limit: limit))
            case .read(let number), .write(let number): .input(SystemError(number: number))
            case .memory(let memory): .memory(memory.description)
            }
        }
    }
}
