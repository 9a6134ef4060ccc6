internal import CWhorlPlatform

/// Bytes that nobody else may see, in locked memory of their own, wiped when they go away.
///
/// The bytes lie in whole pages that belong to this value alone. The pages are never swapped out,
/// are left out of core dumps, and read as zero in a forked child. When the value is consumed or
/// goes out of scope they are zeroed first and unmapped then.
///
/// The value cannot be copied, printed, encoded or compared with `==`; ``clone()`` is the one way
/// to a second one. It protects against swap, core dumps, forgotten copies and careless logging, not
/// against a debugger or anyone else who may read the memory of this process.
///
/// Every secret takes at least one page of the process's limit on locked memory.
@safe
public struct SecretBytes: ~Copyable, @unchecked Sendable {
    // Unchecked, since pointers are not Sendable: the pages have this one owner, writing to them
    // takes exclusive access to it, and reading borrows it.

    private let pages: UnsafeMutableRawPointer?
    private let mappedCount: Int

    /// The number of bytes, which is no secret.
    public private(set) var count: Int

    /// Makes a secret of zero bytes, to be filled with ``withMutableBytes(_:)``.
    ///
    /// - Parameter zeroedCount: The number of bytes, 0 or more.
    /// - Throws: ``SecretMemoryError`` if the memory cannot be had, or cannot be locked, kept out of
    ///   core dumps and kept from forked children.
    public init(zeroedCount: Int) throws(SecretMemoryError) {
        guard zeroedCount >= 0 else {
            throw SecretMemoryError(.count, errno: 0, byteCount: zeroedCount)
        }
        guard zeroedCount > 0 else {
            unsafe pages = nil
            mappedCount = 0
            count = 0
            return
        }
        let mapping = unsafe cwhorl_secret_pages_map(zeroedCount)
        guard let start = unsafe mapping.start else {
            throw unsafe SecretMemoryError(
                Self.operation(ofStep: mapping.failed_step), errno: mapping.error,
                byteCount: zeroedCount)
        }
        unsafe pages = start
        mappedCount = unsafe mapping.length
        count = zeroedCount
    }

    deinit {
        if let pages = unsafe pages {
            unsafe cwhorl_secret_pages_unmap(pages, mappedCount)
        }
    }

    private static func operation(ofStep step: CInt) -> SecretMemoryError.Operation {
        switch UInt32(bitPattern: step) {
        case CWHORL_SECRET_PAGES_MAP.rawValue: .map
        case CWHORL_SECRET_PAGES_LOCK.rawValue: .lock
        case CWHORL_SECRET_PAGES_DUMP.rawValue: .excludeFromCoreDumps
        case CWHORL_SECRET_PAGES_FORK.rawValue: .wipeOnFork
        default: .count
        }
    }

    /// Whether there are no bytes.
    public var isEmpty: Bool { count == 0 }

    /// Shortens the secret to its first bytes and wipes the others at once.
    ///
    /// - Parameter newCount: The number of bytes to keep. Does nothing if there are not more.
    public mutating func truncate(to newCount: Int) {
        let kept = max(newCount, 0)
        guard let pages = unsafe pages, kept < count else { return }
        unsafe cwhorl_wipe(pages + kept, count - kept)
        count = kept
    }
}

// MARK: - Access

// The closure itself says which of the two is meant: it waits or it does not.
// swift-format-ignore: AmbiguousTrailingClosureOverload
extension SecretBytes {
    /// Lends the bytes to a closure, which cannot keep them.
    ///
    /// - Parameter body: Reads the bytes. It should copy none of them.
    /// - Returns: What the closure returns.
    /// - Throws: What the closure throws.
    public borrowing func withBytes<Result: ~Copyable, Failure: Error>(
        _ body: (RawSpan) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try unsafe body(UnsafeRawBufferPointer(start: pages, count: count).bytes)
    }

    /// Lends the bytes to a closure that may wait, and keeps them until it is done.
    ///
    /// - Parameter body: Reads the bytes. It should copy none of them.
    /// - Returns: What the closure returns.
    /// - Throws: What the closure throws.
    public borrowing func withBytes<Result: ~Copyable, Failure: Error>(
        _ body: (RawSpan) async throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        try await unsafe body(UnsafeRawBufferPointer(start: pages, count: count).bytes)
    }
}

extension SecretBytes {
    /// Lends the bytes to a closure that may change them.
    ///
    /// - Parameter body: Changes the bytes in place.
    /// - Returns: What the closure returns.
    /// - Throws: What the closure throws.
    public mutating func withMutableBytes<Result: ~Copyable, Failure: Error>(
        _ body: (inout MutableRawSpan) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        var bytes = unsafe UnsafeMutableRawBufferPointer(start: pages, count: count).mutableBytes
        return try body(&bytes)
    }

    /// Lends a pointer to the bytes to a C function; nil for an empty secret.
    ///
    /// - Parameter body: Must not keep the pointer.
    /// - Returns: What the closure returns.
    /// - Throws: What the closure throws.
    @unsafe
    package borrowing func withUnsafeBytes<Result: ~Copyable, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try unsafe body(UnsafeRawBufferPointer(start: pages, count: count))
    }

    /// Lends a pointer to the bytes to a C function that fills them; nil for an empty secret.
    ///
    /// - Parameter body: Must not keep the pointer.
    /// - Returns: What the closure returns.
    /// - Throws: What the closure throws.
    @unsafe
    package mutating func withUnsafeMutableBytes<Result: ~Copyable, Failure: Error>(
        _ body: (UnsafeMutableRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try unsafe body(UnsafeMutableRawBufferPointer(start: pages, count: count))
    }
}
