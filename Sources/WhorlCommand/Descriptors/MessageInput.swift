internal import Glibc
internal import WhorlBiometrics
internal import WhorlKit

/// What `key sign` is given on standard input: no secret, of any length.
enum MessageInput {
    /// The most bytes of a message that becomes part of its signature: 1 MiB.
    static let limit = 1 << 20

    private static let pieceCount = 1 << 16

    /// Reads the message to the end of the input and keeps nothing of it but its SHA-256 digest.
    ///
    /// Blocks until the other end closes.
    ///
    /// - Throws: ``CommandFailure`` where it cannot be read.
    static func digest(_ descriptor: CInt) throws(CommandFailure) -> [UInt8] {
        var digest = try newDigest()
        while let piece = try read(descriptor) {
            do throws(VaultError) {
                try digest.update(piece)
            } catch {
                throw CommandFailure(error)
            }
        }
        do throws(VaultError) {
            return try digest.value()
        } catch {
            throw CommandFailure(error)
        }
    }

    private static func newDigest() throws(CommandFailure) -> MessageDigest {
        do throws(VaultError) {
            return try MessageDigest()
        } catch {
            throw CommandFailure(error)
        }
    }

    /// Reads the message to the end of the input.
    ///
    /// Blocks until the other end closes.
    ///
    /// - Throws: ``CommandFailure`` where there is too much, or no reading it.
    static func whole(_ descriptor: CInt) throws(CommandFailure) -> [UInt8] {
        var message: [UInt8] = []
        while let piece = try read(descriptor) {
            message += piece
            guard message.count <= limit else { throw .messageTooLong(limit: limit) }
        }
        return message
    }

    // Nil at the end.
    private static func read(_ descriptor: CInt) throws(CommandFailure) -> [UInt8]? {
        var piece = [UInt8](repeating: 0, count: pieceCount)
        while true {
            let count = unsafe Glibc.read(descriptor, &piece, piece.count)
            if count > 0 { return Array(piece.prefix(count)) }
            if count == 0 { return nil }
            guard errno == EINTR else { throw .input(.current) }
        }
    }
}
