/// Makes 16 random bytes that name something and need not stay secret.
///
/// The corresponding C function is `getrandom`.
func randomIdentifier() -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    return (0..<16).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
}

/// The number of bytes of every identifier of this module.
let identifierCount = 16
