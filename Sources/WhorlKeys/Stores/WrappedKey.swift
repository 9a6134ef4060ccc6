import WhorlBiometrics

/// A payload key as a key store gave it out, sealed; only that store knows what the parts are.
package struct WrappedKey: Sendable, Hashable {
    /// The parts, in the store's own order.
    package let parts: [[UInt8]]

    package init(parts: [[UInt8]]) {
        self.parts = parts
    }

    private static let purpose = "whorl/wrapped/1"

    init(encoded: [UInt8]) throws(VaultError) {
        guard let fields = CanonicalBytes.fields(of: encoded),
            fields.first == Array(Self.purpose.utf8)
        else { throw .damaged("a wrapped key cannot be read") }
        parts = Array(fields.dropFirst())
    }

    var encoded: [UInt8] {
        var bytes = CanonicalBytes(Self.purpose)
        for part in parts { bytes.append(part) }
        return bytes.bytes
    }
}
