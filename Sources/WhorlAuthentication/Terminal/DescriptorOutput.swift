import Glibc

/// Writes bytes to an open descriptor.
package enum DescriptorOutput {
    /// Writes all bytes, and waits where the other end is slow.
    ///
    /// The corresponding C functions are `write` and `poll`. Errors are returned and not thrown:
    /// swiftc 6.3.1 crashes on the thunk that a typed throw out of a span's closure needs.
    ///
    /// - Parameters:
    ///   - bytes: What to write.
    ///   - descriptor: An open descriptor, blocking or not.
    ///   - patience: How long the other end may take nothing, in milliseconds; nil for ever.
    /// - Returns: Why not all was written; nil where all was.
    package static func write(
        _ bytes: RawSpan, to descriptor: CInt, patience: CInt? = nil
    ) -> SystemError? {
        unsafe bytes.withUnsafeBytes { bytes in
            var rest = unsafe bytes
            while let start = rest.baseAddress, unsafe !rest.isEmpty {
                if let patience, !isReady(descriptor, within: patience) { return .timedOut }
                let count = unsafe Glibc.write(descriptor, start, rest.count)
                if count >= 0 {
                    unsafe rest = UnsafeRawBufferPointer(rebasing: rest[count...])
                } else if errno == EAGAIN {
                    if patience == nil { _ = isReady(descriptor, within: -1) }
                } else if errno != EINTR {
                    return .current
                }
            }
            return nil
        }
    }

    private static func isReady(_ descriptor: CInt, within milliseconds: CInt) -> Bool {
        var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        // An error of the descriptor is one of the write that follows.
        return unsafe poll(&ready, 1, milliseconds) != 0
    }
}
