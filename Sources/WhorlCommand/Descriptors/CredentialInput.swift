internal import Glibc
internal import WhorlKit
internal import WhorlSecrets

/// A PIN or a recovery key that comes from a descriptor, such as `--pin-fd`.
struct CredentialInput: Sendable, Hashable {
    /// The most bytes of either.
    static let limit = 1024

    /// What is read, in words.
    let words: String
    /// The option that names the descriptor.
    let option: String
    let descriptor: CInt

    /// The PIN of `--pin-fd`.
    static func pin(_ descriptor: CInt) -> CredentialInput {
        CredentialInput(words: "PIN", option: "pin-fd", descriptor: descriptor)
    }

    /// The new PIN of `--new-pin-fd`.
    static func newPIN(_ descriptor: CInt) -> CredentialInput {
        CredentialInput(words: "PIN", option: "new-pin-fd", descriptor: descriptor)
    }

    /// The recovery key of `--recovery-fd`.
    static func recoveryKey(_ descriptor: CInt) -> CredentialInput {
        CredentialInput(words: "recovery key", option: "recovery-fd", descriptor: descriptor)
    }

    /// Looks whether the descriptor is open; before we open any ourselves, or it may be one of ours.
    ///
    /// - Throws: ``UsageError`` where it is not.
    func check() throws(UsageError) {
        guard fcntl(descriptor, F_GETFD) >= 0 else {
            throw UsageError(
                "--\(option) \(descriptor) is not an open descriptor",
                advice: "open it, as in --\(option) \(descriptor) \(descriptor)<FILE")
        }
    }

    /// Reads it to the end of the descriptor and drops one newline.
    ///
    /// Blocks until the other end closes.
    ///
    /// - Throws: ``CommandFailure`` where there is none, too much, or no reading it.
    func read() throws(CommandFailure) -> SecretBytes {
        var secret = try readAll()
        secret.dropTrailingNewline()
        guard secret.count <= Self.limit else { throw tooLong }
        guard !secret.isEmpty else {
            throw .credentialInput("descriptor \(descriptor) gave no \(words)", words: words)
        }
        return secret
    }

    private func readAll() throws(CommandFailure) -> SecretBytes {
        do throws(SecretTransferError) {
            // One byte more, for the newline.
            return try SecretBytes(readingFrom: descriptor, atMost: Self.limit + 1)
        } catch {
            throw failure(error)
        }
    }

    private var tooLong: CommandFailure {
        .credentialInput(
            "descriptor \(descriptor) gave more than \(Self.limit) bytes", words: words)
    }

    private func failure(_ error: SecretTransferError) -> CommandFailure {
        switch error {
        case .tooLong: tooLong
        case .read(let number), .write(let number):
            .credentialDescriptor(
                descriptor, SystemError(number: number), option: option)
        case .memory(let memory): .memory(memory.description)
        }
    }
}
