import Testing
import WhorlSecrets

struct SecretComparisonTests {
    @Test(arguments: [0, 1, 32, 5000])
    func equalBytesAreEqual(count: Int) throws {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
        #expect(try areEqual(bytes, bytes))
    }

    @Test func aDifferenceInAnyBitIsFound() throws {
        let bytes = [UInt8](repeating: 0x5A, count: 32)
        for bit in 0..<(32 * 8) {
            var other = bytes
            other[bit / 8] ^= 1 << (bit % 8)
            #expect(try !areEqual(bytes, other), "bit \(bit)")
        }
    }

    @Test func differencesThatWouldCancelOutAreFound() throws {
        #expect(try !areEqual([0x01, 0x01], [0x00, 0x00]))
        #expect(try !areEqual([0xFF, 0xFF], [0x00, 0x00]))
    }

    @Test func otherLengthsAreNotEqual() throws {
        #expect(try !areEqual([1, 2, 3], [1, 2]))
        #expect(try !areEqual([], [1]))
        #expect(try !areEqual([0], []))
    }
}

/// What both forms of the comparison say; they must say the same.
private func areEqual(_ left: [UInt8], _ right: [UInt8]) throws -> Bool {
    let one = try secret(left)
    let answer = one.isEqual(to: right.span)
    try #require(one.isEqual(to: secret(right)) == answer)
    return answer
}
