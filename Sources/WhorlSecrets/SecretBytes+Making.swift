internal import CWhorlPlatform

extension SecretBytes {
    /// Makes a secret and fills it in place, so that its bytes are never anywhere else.
    ///
    /// For a closure that throws, make a zeroed secret and use ``withMutableBytes(_:)``.
    ///
    /// - Parameters:
    ///   - count: The number of bytes, 0 or more.
    ///   - initialize: Fills the bytes, which are zero before.
    /// - Throws: ``SecretMemoryError`` if there is no memory fit for a secret.
    public init(
        count: Int, initializingWith initialize: (inout MutableRawSpan) -> Void
    ) throws(SecretMemoryError) {
        try self.init(zeroedCount: count)
        withMutableBytes(initialize)
    }

    /// Makes a secret from bytes that lie elsewhere.
    ///
    /// Wiping them there is the caller's duty.
    ///
    /// - Parameter bytes: The bytes to copy.
    /// - Throws: ``SecretMemoryError`` if there is no memory fit for a secret.
    public init(copying bytes: RawSpan) throws(SecretMemoryError) {
        try self.init(zeroedCount: bytes.byteCount)
        copy(bytes, to: 0)
    }

    /// Makes a secret from bytes that lie elsewhere.
    ///
    /// Wiping them there is the caller's duty.
    ///
    /// - Parameter bytes: The bytes to copy, such as the `span` of an array.
    /// - Throws: ``SecretMemoryError`` if there is no memory fit for a secret.
    public init(copying bytes: Span<UInt8>) throws(SecretMemoryError) {
        try unsafe self.init(copying: bytes.bytes)
    }

    /// Makes a secret from bytes in a C library's buffer, and wipes them there in any case.
    ///
    /// - Parameter bytes: The bytes to move; still the caller's to free.
    /// - Throws: ``SecretMemoryError`` if there is no memory fit for a secret.
    @unsafe
    package init(moving bytes: UnsafeMutableRawBufferPointer) throws(SecretMemoryError) {
        defer {
            if let start = bytes.baseAddress { unsafe cwhorl_wipe(start, bytes.count) }
        }
        try unsafe self.init(copying: UnsafeRawBufferPointer(bytes).bytes)
    }

    /// Makes a secret of random bytes from the kernel.
    ///
    /// The corresponding C function is `getrandom`.
    ///
    /// - Parameter randomCount: The number of bytes, 0 or more.
    /// - Throws: ``SecretMemoryError`` if there is no memory fit for a secret or no randomness.
    public init(randomCount: Int) throws(SecretMemoryError) {
        var secret = try SecretBytes(zeroedCount: randomCount)
        let errno = unsafe secret.withUnsafeMutableBytes { bytes in
            guard let start = bytes.baseAddress else { return CInt(0) }
            return unsafe cwhorl_fill_random(start, bytes.count)
        }
        guard errno == 0 else {
            throw SecretMemoryError(.random, errno: errno, byteCount: randomCount)
        }
        self = secret
    }

    /// Makes a second secret with the same bytes.
    ///
    /// - Returns: The copy, in pages of its own.
    /// - Throws: ``SecretMemoryError`` if there is no memory fit for a secret.
    public borrowing func clone() throws(SecretMemoryError) -> SecretBytes {
        try withBytes { (bytes) throws(SecretMemoryError) in
            try SecretBytes(copying: bytes)
        }
    }

    /// Makes a secret of these bytes followed by others.
    ///
    /// - Parameter other: The bytes that follow.
    /// - Returns: The joined secret. Both parts stay as they are.
    /// - Throws: ``SecretMemoryError`` if there is no memory fit for a secret.
    public borrowing func concatenating(
        _ other: borrowing SecretBytes
    ) throws(SecretMemoryError) -> SecretBytes {
        let (total, overflow) = count.addingReportingOverflow(other.count)
        guard !overflow else { throw SecretMemoryError(.count, errno: 0, byteCount: .max) }
        var joined = try SecretBytes(zeroedCount: total)
        withBytes { joined.copy($0, to: 0) }
        let offset = count
        other.withBytes { joined.copy($0, to: offset) }
        return joined
    }

    /// Drops one newline (0x0A) at the end, if there is one, as left by `echo` and by editors.
    public mutating func dropTrailingNewline() {
        let endsInNewline = withBytes { bytes in
            !bytes.isEmpty && bytes.unsafeLoadByte(at: bytes.byteCount - 1) == 0x0A
        }
        if endsInNewline { truncate(to: count - 1) }
    }

    mutating func copy(_ source: RawSpan, to offset: Int) {
        unsafe withUnsafeMutableBytes { target in
            unsafe source.withUnsafeBytes { bytes in
                let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: target[offset...])
                unsafe rest.copyMemory(from: bytes)
            }
        }
    }
}

extension RawSpan {
    fileprivate func unsafeLoadByte(at offset: Int) -> UInt8 {
        unsafe unsafeLoad(fromByteOffset: offset, as: UInt8.self)
    }
}
