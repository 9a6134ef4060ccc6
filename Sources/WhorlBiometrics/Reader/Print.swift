public import WhorlSecrets

/// A stored template, or a handle to one that a chip keeps.
///
/// Its bytes are what libfprint serialises (`fp_print_serialize`, magic `FP3`). They may describe a
/// person's finger, so they live in `SecretBytes` and are reached only by a borrowing closure.
public final class Print: Sendable {
    private let template: SecretBytes
    /// Whether the template itself is on the chip, and this only names it.
    public let isStoredOnChip: Bool

    /// Makes a print from its serialised form.
    public init(serialized: consuming SecretBytes, isStoredOnChip: Bool) {
        template = serialized
        self.isStoredOnChip = isStoredOnChip
    }

    /// The length of the serialised form, in bytes.
    public var count: Int { template.count }

    /// Lends the serialised form to a closure.
    public func withSerialized<Result: ~Copyable, Failure: Error>(
        _ body: (borrowing SecretBytes) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(template)
    }

    /// Whether both prints have the same bytes; takes the same time wherever they differ.
    public func hasSameBytes(as other: Print) -> Bool {
        template.isEqual(to: other.template)
    }
}

/// A picture that a reader captured: one grey byte a pixel, row by row, dark is ridge.
public final class CapturedImage: Sendable {
    /// Pixels a row.
    public let width: Int
    /// Rows.
    public let height: Int
    private let pixels: SecretBytes

    /// Makes a picture of `width` x `height` pixels.
    ///
    /// Returns nil if the count of pixels is another.
    public init?(width: Int, height: Int, pixels: consuming SecretBytes) {
        let (count, overflow) = width.multipliedReportingOverflow(by: height)
        guard width > 0, height > 0, !overflow, pixels.count == count else { return nil }
        self.width = width
        self.height = height
        self.pixels = pixels
    }

    /// Lends the pixels to a closure.
    public func withPixels<Result: ~Copyable, Failure: Error>(
        _ body: (borrowing SecretBytes) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(pixels)
    }
}
