import Testing

@testable import WhorlKeys

struct CanonicalBytesTests {
    @Test func noTwoListsOfFieldsGiveTheSameBytes() {
        var lists: [CanonicalBytes] = []
        for fields in [["ab", "c"], ["a", "bc"], ["abc"], ["abc", ""], ["", "abc"], []] {
            var bytes = CanonicalBytes("p")
            for field in fields { bytes.append(field) }
            lists.append(bytes)
        }
        #expect(Set(lists.map(\.bytes)).count == lists.count)
    }

    @Test func theFormIsFixed() {
        var bytes = CanonicalBytes("p")
        bytes.append(Int64(-2))
        bytes.append(true)
        #expect(
            bytes.bytes
                == [0, 0, 0, 0, 0, 0, 0, 1, 0x70]
                + [0, 0, 0, 0, 0, 0, 0, 8] + [255, 255, 255, 255, 255, 255, 255, 254]
                + [0, 0, 0, 0, 0, 0, 0, 8] + [0, 0, 0, 0, 0, 0, 0, 1])
    }

    @Test func fieldsComeBackAsTheyWere() {
        var bytes = CanonicalBytes("p")
        bytes.append([1, 2, 3])
        bytes.append([])
        #expect(CanonicalBytes.fields(of: bytes.bytes) == [[0x70], [1, 2, 3], []])
        #expect(CanonicalBytes.fields(of: []) == [])
    }

    @Test func bytesThatWereNotWrittenSoHaveNoFields() {
        var bytes = CanonicalBytes("p")
        bytes.append([1, 2, 3])
        for count in 1..<bytes.bytes.count where count != 9 {
            #expect(CanonicalBytes.fields(of: Array(bytes.bytes.prefix(count))) == nil)
        }
        #expect(CanonicalBytes.fields(of: [UInt8](repeating: 255, count: 8)) == nil)
        #expect(CanonicalBytes.fields(of: [127] + [UInt8](repeating: 255, count: 7) + [1]) == nil)
    }
}
