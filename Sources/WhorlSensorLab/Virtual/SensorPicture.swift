/// A picture as a sensor sends it: one grey byte a pixel, row by row from the top, dark is ridge.
///
/// For pictures that are nobody's finger. One that a reader captured is a `CapturedImage`.
public struct SensorPicture: Sendable, Hashable {
    /// Pixels a row.
    public let width: Int
    /// Rows.
    public let height: Int
    /// The pixels, `width` x `height` bytes.
    public let pixels: [UInt8]

    /// The most pixels a row, and rows, that libfprint's `virtual_image` takes.
    public static let maximumSide = 5000

    /// Makes a picture.
    ///
    /// Returns nil unless both sides are 1 to ``maximumSide`` and there are as many pixels as they
    /// say.
    public init?(width: Int, height: Int, pixels: [UInt8]) {
        let sides = 1...Self.maximumSide
        guard sides.contains(width), sides.contains(height), pixels.count == width * height else {
            return nil
        }
        self.width = width
        self.height = height
        self.pixels = pixels
    }

    // For a generator that made exactly `width` x `height` pixels.
    init(unchecked pixels: [UInt8], width: Int, height: Int) {
        self.width = width
        self.height = height
        self.pixels = pixels
    }
}
