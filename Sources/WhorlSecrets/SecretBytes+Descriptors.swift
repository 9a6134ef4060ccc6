internal import CWhorlPlatform

extension SecretBytes {
    /// Reads a secret from a file descriptor to its end.
    ///
    /// The bytes go from the kernel straight into locked memory. The call blocks until the other end
    /// closes; it does not close the descriptor. The corresponding C function is `read`.
    ///
    /// - Parameters:
    ///   - descriptor: An open file descriptor.
    ///   - limit: The most bytes to accept, 0 or more.
    /// - Throws: ``SecretTransferError/tooLong(limit:)`` if there are more bytes,
    ///   ``SecretTransferError/read(errno:)`` if the system refuses,
    ///   ``SecretTransferError/memory(_:)`` if there is no memory fit for a secret.
    public init(
        readingFrom descriptor: CInt, atMost limit: Int
    ) throws(SecretTransferError) {
        // One byte more than allowed tells "just fits" from "too long".
        let (roof, overflow) = limit.addingReportingOverflow(1)
        guard limit >= 0, !overflow else {
            throw .memory(SecretMemoryError(.count, errno: 0, byteCount: limit))
        }
        var buffer = try Self.buffer(count: min(roof, 4096))
        var filled = 0
        while true {
            if filled == buffer.count {
                guard filled < roof else { throw .tooLong(limit: limit) }
                var larger = try Self.buffer(count: filled > roof / 2 ? roof : filled * 2)
                buffer.withBytes { larger.copy($0, to: 0) }
                buffer = larger
            }
            let count = try buffer.read(from: descriptor, at: filled)
            guard count > 0 else { break }
            filled += count
        }
        buffer.truncate(to: filled)
        self = buffer
    }

    private static func buffer(count: Int) throws(SecretTransferError) -> SecretBytes {
        do throws(SecretMemoryError) {
            return try SecretBytes(zeroedCount: count)
        } catch {
            throw .memory(error)
        }
    }

    /// Reads once from a file descriptor into the bytes from an offset on.
    ///
    /// Blocks until there is something to read. The corresponding C function is `read`.
    ///
    /// - Parameters:
    ///   - descriptor: An open file descriptor.
    ///   - offset: Where the first byte goes, from 0 to ``count``.
    /// - Returns: How many bytes came; 0 at the end, or if `offset` leaves no room.
    /// - Throws: ``SecretTransferError/read(errno:)`` if the system refuses.
    public mutating func read(
        from descriptor: CInt, at offset: Int
    ) throws(SecretTransferError) -> Int {
        let result = unsafe withUnsafeMutableBytes { bytes in
            guard let start = bytes.baseAddress, offset >= 0, offset < bytes.count else { return 0 }
            return unsafe cwhorl_read(descriptor, start + offset, bytes.count - offset)
        }
        guard result >= 0 else { throw .read(errno: CInt(truncatingIfNeeded: -result)) }
        return result
    }

    /// Writes all bytes to a file descriptor.
    ///
    /// Blocks until they are written. A reader that has gone is an error and never a `SIGPIPE`.
    /// The corresponding C function is `write`.
    ///
    /// - Parameter descriptor: An open file descriptor.
    /// - Throws: ``SecretTransferError/write(errno:)`` if the system refuses.
    public borrowing func write(to descriptor: CInt) throws(SecretTransferError) {
        let errno = unsafe withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else { return CInt(0) }
            return unsafe cwhorl_write_all(descriptor, start, bytes.count)
        }
        guard errno == 0 else { throw .write(errno: errno) }
    }
}
