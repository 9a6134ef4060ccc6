internal import Glibc
internal import WhorlKit
internal import WhorlSecrets

/// The PIN that comes from a descriptor, `--pin-fd`.
enum CredentialInput {
    /// The most bytes of a PIN or passphrase.
    static let limit = 1024

    /// Looks whether the descriptor is open; before we open any ourselves, or it may be one of ours.
    ///
    /// - Throws: ``UsageError`` where it is not.
    static func check(_ descriptor: CInt) throws(UsageError) {
        guard fcntl(descriptor, F_GETFD) >= 0 else {
            throw UsageError(
                "--pin-fd \(descriptor) is not an open descriptor",
                advice: "open it, as in --pin-fd \(descriptor) \(descriptor)<FILE")
        }
    }

    /// Reads the PIN to the end of the descriptor and drops one newline.
    ///
    /// Blocks until the other end closes.
    ///
    /// - Throws: ``CommandFailure`` where there is none, too much, or no reading it.
    static func read(_ descriptor: CInt) throws(CommandFailure) -> SecretBytes {
        var secret = try readAll(descriptor)
        secret.dropTrailingNewline()
        guard secret.count <= limit else { throw tooLong(descriptor) }
        guard !secret.isEmpty else {
            throw .credentialInput("descriptor \(descriptor) gave no PIN")
        }
        return secret
    }

    private static func readAll(_ descriptor: CInt) throws(CommandFailure) -> SecretBytes {
        do throws(SecretTransferError) {
            // One byte more, for the newline.
            return try SecretBytes(readingFrom: descriptor, atMost: limit + 1)
        } catch {
            throw failure(error, descriptor)
        }
    }

    private static func tooLong(_ descriptor: CInt) -> CommandFailure {
        .credentialInput("descriptor \(descriptor) gave more than \(limit) bytes")
    }

    private static func failure(
        _ error: SecretTransferError, _ descriptor: CInt
    ) -> CommandFailure {
        switch error {
        case .tooLong: tooLong(descriptor)
        case .read(let number), .write(let number):
            .credentialDescriptor(descriptor, SystemError(number: number))
        case .memory(let memory): .memory(memory.description)
        }
    }
}
