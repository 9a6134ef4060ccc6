internal import WhorlKit
internal import WhorlSecrets

/// Where the command's bytes go.
protocol ByteSink: Sendable {
    /// Writes all of a text.
    ///
    /// - Throws: ``SystemError`` where not all of it was taken.
    func write(_ text: String) throws(SystemError)

    /// Writes all of these bytes.
    ///
    /// - Throws: ``SystemError`` where not all of them were taken.
    func write(bytes: [UInt8]) throws(SystemError)

    /// Writes all of a secret, straight from its memory.
    ///
    /// - Throws: ``SystemError`` where not all of it was taken.
    func write(secret: borrowing SecretBytes) throws(SystemError)
}

/// An open descriptor that bytes go to.
struct DescriptorSink: ByteSink {
    let descriptor: CInt
    /// How long the other end may take nothing, in milliseconds; nil for ever.
    var patience: CInt?

    func write(_ text: String) throws(SystemError) {
        try write(bytes: [UInt8](text.utf8))
    }

    func write(bytes: [UInt8]) throws(SystemError) {
        let failure = unsafe DescriptorOutput.write(
            bytes.span.bytes, to: descriptor, patience: patience)
        if let failure { throw failure }
    }

    func write(secret: borrowing SecretBytes) throws(SystemError) {
        let failure = secret.withBytes { bytes in
            DescriptorOutput.write(bytes, to: descriptor, patience: patience)
        }
        if let failure { throw failure }
    }
}
