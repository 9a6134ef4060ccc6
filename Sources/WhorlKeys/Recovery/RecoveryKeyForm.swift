public import WhorlSecrets

/// The written form of a recovery key, which a person can copy without an unnoticed mistake.
///
/// The 32 bytes become 52 characters of five bits each (the four bits left over are zero), in 13
/// groups of four, each followed by a check character: `XXXXX-XXXXX-…`, 77 characters of ASCII. The
/// alphabet is Crockford's base 32, which has no I, L, O and U; read back, small letters are large,
/// I and L are 1, O is 0, and dashes and white space are left out.
///
/// The check character of group g (from 0), over GF(2⁵) with the polynomial x⁵ + x² + 1 and
/// α = x, is g + α·a + α²·b + α³·c + α⁴·d. All five weights (its own is 1) are different and none is
/// zero, so that any one wrong character and any two characters exchanged within a group are
/// noticed; two groups exchanged are noticed by their g.
public enum RecoveryKeyForm {
    /// The number of bytes of a recovery key.
    public static let keyCount = 32
    /// The number of groups.
    public static let groupCount = 13
    /// The number of characters of a group.
    public static let groupLength = 5
    /// The number of bytes of the written form.
    public static let writtenCount = groupCount * (groupLength + 1) - 1

    private static let dataLength = groupLength - 1
    private static let symbolCount = groupCount * groupLength
    private static let alphabet: StaticString = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

    /// Writes a recovery key.
    ///
    /// - Parameter key: 32 bytes.
    /// - Returns: The written form, ASCII.
    /// - Throws: ``RecoveryKeyError/count(_:)`` for a key of another size,
    ///   ``RecoveryKeyError/memory(_:)``.
    public static func write(
        _ key: borrowing SecretBytes
    ) throws(RecoveryKeyError) -> SecretBytes {
        guard key.count == keyCount else { throw .count(key.count) }
        var written = try zeroed(writtenCount)
        unsafe key.withUnsafeBytes { key in
            unsafe written.withUnsafeMutableBytes { written in
                for group in 0..<groupCount {
                    let start = group * (groupLength + 1)
                    var check = UInt8(group)
                    for place in 0..<dataLength {
                        let symbol = unsafe fiveBits(of: key, at: group * dataLength + place)
                        check ^= product(symbol, weight: place + 1)
                        unsafe written[start + place] = character(symbol)
                    }
                    unsafe written[start + dataLength] = character(check)
                    if group > 0 { unsafe written[start - 1] = UInt8(ascii: "-") }
                }
            }
        }
        return written
    }

    /// Reads a written form back.
    ///
    /// - Parameter written: What a person typed, up to any length.
    /// - Returns: The recovery key, 32 bytes.
    /// - Throws: ``RecoveryKeyError`` that names the first group with something wrong in it.
    public static func read(
        _ written: borrowing SecretBytes
    ) throws(RecoveryKeyError) -> SecretBytes {
        var symbols = try zeroed(symbolCount)
        var key = try zeroed(keyCount)
        let failure = unsafe written.withUnsafeBytes { written in
            unsafe symbols.withUnsafeMutableBytes { symbols in
                unsafe key.withUnsafeMutableBytes { key in
                    unsafe collect(written, into: symbols) ?? join(symbols, into: key)
                }
            }
        }
        if let failure { throw failure }
        return key
    }

    // MARK: Reading

    private static func collect(
        _ written: UnsafeRawBufferPointer, into symbols: UnsafeMutableRawBufferPointer
    ) -> RecoveryKeyError? {
        var count = 0
        var runStart = 0
        for index in 0...written.count {
            if unsafe index == written.count || isSeparator(written[index]) {
                // Groups may be written together, but none may be cut.
                guard (count - runStart) % groupLength == 0 else {
                    return runStart == 0 && index == written.count
                        ? .count(count) : .groupLength(group: runStart / groupLength + 1)
                }
                runStart = count
                continue
            }
            guard let symbol = unsafe symbol(of: written[index]) else {
                return .character(group: min(count / groupLength, groupCount - 1) + 1)
            }
            if count < symbolCount { unsafe symbols[count] = symbol }
            count += 1
        }
        return count == symbolCount ? nil : .count(count)
    }

    private static func join(
        _ symbols: UnsafeMutableRawBufferPointer, into key: UnsafeMutableRawBufferPointer
    ) -> RecoveryKeyError? {
        var pending: UInt16 = 0
        var pendingBits = 0
        var filled = 0
        for group in 0..<groupCount {
            var check = UInt8(group)
            for place in 0..<dataLength {
                let symbol = unsafe symbols[group * groupLength + place]
                check ^= product(symbol, weight: place + 1)
                pending = pending << 5 | UInt16(symbol)
                pendingBits += 5
                if pendingBits >= 8, filled < keyCount {
                    pendingBits -= 8
                    unsafe key[filled] = UInt8(truncatingIfNeeded: pending >> UInt16(pendingBits))
                    filled += 1
                }
            }
            guard unsafe check == symbols[group * groupLength + dataLength] else {
                return .checksum(group: group + 1)
            }
        }
        // The bits left over are zero in every key that was ever written.
        guard pending & 0xF == 0 else { return .checksum(group: groupCount) }
        return nil
    }

    private static func isSeparator(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "-") || byte == 0x20 || (0x09...0x0D).contains(byte)
    }

    private static func symbol(of byte: UInt8) -> UInt8? {
        var byte = byte
        if (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) { byte -= 0x20 }
        switch byte {
        case UInt8(ascii: "O"): return 0
        case UInt8(ascii: "I"), UInt8(ascii: "L"): return 1
        default:
            for symbol in UInt8(0)..<32 where character(symbol) == byte { return symbol }
            return nil
        }
    }

    // MARK: Symbols

    private static func fiveBits(of key: UnsafeRawBufferPointer, at index: Int) -> UInt8 {
        let first = index * 5
        let high = unsafe UInt16(key[first / 8]) << 8
        let low = unsafe first / 8 + 1 < key.count ? UInt16(key[first / 8 + 1]) : 0
        return UInt8(truncatingIfNeeded: (high | low) >> UInt16(11 - first % 8) & 0x1F)
    }

    private static func character(_ symbol: UInt8) -> UInt8 {
        unsafe alphabet.utf8Start[Int(symbol & 0x1F)]
    }

    // A symbol times α to the power of `weight`.
    private static func product(_ symbol: UInt8, weight: Int) -> UInt8 {
        var value = symbol
        for _ in 0..<weight {
            value <<= 1
            if value & 0x20 != 0 { value ^= 0b10_0101 }
        }
        return value
    }

    private static func zeroed(_ count: Int) throws(RecoveryKeyError) -> SecretBytes {
        do throws(SecretMemoryError) {
            return try SecretBytes(zeroedCount: count)
        } catch {
            throw .memory(error.description)
        }
    }
}
