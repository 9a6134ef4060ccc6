internal import CWhorlPlatform

extension SecretBytes {
    /// Compares with another secret in a time that depends on the lengths alone.
    ///
    /// - Parameter other: The other secret.
    /// - Returns: Whether both have the same bytes.
    public borrowing func isEqual(to other: borrowing SecretBytes) -> Bool {
        other.withBytes { isEqual(to: $0) }
    }

    /// Compares with bytes that lie elsewhere in a time that depends on the lengths alone.
    ///
    /// - Parameter bytes: The bytes to compare with.
    /// - Returns: Whether they are the bytes of this secret.
    public borrowing func isEqual(to bytes: RawSpan) -> Bool {
        guard count == bytes.byteCount else { return false }
        return unsafe withUnsafeBytes { own in
            unsafe bytes.withUnsafeBytes { other in
                guard let left = own.baseAddress, let right = other.baseAddress else { return true }
                return unsafe cwhorl_equal_bytes(left, right, own.count) == 1
            }
        }
    }

    /// Compares with bytes that lie elsewhere in a time that depends on the lengths alone.
    ///
    /// - Parameter bytes: The bytes to compare with, such as the `span` of an array.
    /// - Returns: Whether they are the bytes of this secret.
    public borrowing func isEqual(to bytes: Span<UInt8>) -> Bool {
        unsafe isEqual(to: bytes.bytes)
    }
}
