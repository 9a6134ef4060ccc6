import Testing
import WhorlSecrets

@testable import WhorlKeys

struct RecoveryKeyFormTests {
    private static let key = (0..<32).map { UInt8($0) }
    private static let written =
        "000GD-40R4X-0M300-E209K-185G3-R38ED-1W811-24GKZ-2GAH1-C5RR2-34D1B-P70XX-3RFGZ"

    private func read(_ text: String) throws -> Result<[UInt8], RecoveryKeyError> {
        let written = try secret(text)
        do throws(RecoveryKeyError) {
            return .success(revealed(try RecoveryKeyForm.read(written)))
        } catch { return .failure(error) }
    }

    private func write(_ bytes: [UInt8]) throws -> String {
        text(try RecoveryKeyForm.write(secret(bytes)))
    }

    // The written forms were computed from the description by another program.
    @Test func theFormIsFixed() throws {
        #expect(try write(Self.key) == Self.written)
        #expect(
            try write([UInt8](repeating: 255, count: 32))
                == "ZZZZD-ZZZZC-ZZZZF-ZZZZE-ZZZZ9-ZZZZ8-ZZZZB-ZZZZA-ZZZZ5-ZZZZ4-ZZZZ7-ZZZZ6-ZZZGA")
        #expect(Self.written.utf8.count == RecoveryKeyForm.writtenCount)
    }

    @Test func everyKeyComesBack() throws {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<200 {
            let key = (0..<32).map { _ in UInt8.random(in: 0...255, using: &generator) }
            #expect(try read(write(key)) == .success(key))
        }
    }

    @Test func aKeyOfAnotherSizeIsRefused() throws {
        #expect(throws: RecoveryKeyError.count(31)) {
            _ = try RecoveryKeyForm.write(secret([UInt8](repeating: 1, count: 31)))
        }
    }

    @Test func anyOneWrongCharacterIsFoundInItsGroup() throws {
        let characters = Array(Self.written)
        for (index, original) in characters.enumerated() where original != "-" {
            for other in "0123456789ABCDEFGHJKMNPQRSTVWXYZ" where other != original {
                var wrong = characters
                wrong[index] = other
                #expect(try read(String(wrong)) == .failure(.checksum(group: index / 6 + 1)))
            }
        }
    }

    @Test func anyTwoCharactersExchangedWithinAGroupAreFound() throws {
        let characters = Array(Self.written)
        for group in 0..<13 {
            for first in 0..<5 {
                for second in (first + 1)..<5 {
                    var wrong = characters
                    wrong.swapAt(group * 6 + first, group * 6 + second)
                    guard wrong != characters else { continue }
                    #expect(try read(String(wrong)) == .failure(.checksum(group: group + 1)))
                }
            }
        }
    }

    @Test func neighboursExchangedAcrossGroupsAreFound() throws {
        let characters = Array(Self.written)
        for group in 0..<12 {
            var wrong = characters
            wrong.swapAt(group * 6 + 4, group * 6 + 6)
            guard wrong != characters else { continue }
            #expect(try read(String(wrong)) == .failure(.checksum(group: group + 1)))
        }
    }

    @Test func anyTwoGroupsExchangedAreFound() throws {
        let groups = Self.written.split(separator: "-")
        for first in 0..<13 {
            for second in (first + 1)..<13 {
                var wrong = groups
                wrong.swapAt(first, second)
                #expect(
                    try read(wrong.joined(separator: "-"))
                        == .failure(.checksum(group: first + 1)))
            }
        }
    }

    @Test func itMayBeTypedAsPeopleType() throws {
        let plain = Self.written.replacing("-", with: "")
        let loose =
            Self.written.lowercased().replacing("-", with: " ").replacing("0", with: "o")
            .replacing("1", with: "l")
        for text in [plain, loose, "  \(Self.written)\n", Self.written.replacing("1", with: "I")] {
            #expect(try read(text) == .success(Self.key))
        }
    }

    @Test func aGroupThatIsTooShortOrTooLongIsNamed() throws {
        var groups = Self.written.split(separator: "-").map { String($0) }
        groups[2] = "0M30"
        #expect(try read(groups.joined(separator: "-")) == .failure(.groupLength(group: 3)))
        groups[2] = "0M3000"
        #expect(try read(groups.joined(separator: "-")) == .failure(.groupLength(group: 3)))
        groups.remove(at: 2)
        #expect(try read(groups.joined(separator: "-")) == .failure(.count(60)))
    }

    @Test func aWrongNumberOfCharactersIsSaid() throws {
        #expect(try read("") == .failure(.count(0)))
        #expect(try read("---") == .failure(.count(0)))
        #expect(try read("000") == .failure(.count(3)))
        #expect(try read(Self.written + "-00000") == .failure(.count(70)))
        #expect(try read(String(repeating: "0", count: 100_000)) == .failure(.count(100_000)))
    }

    @Test(arguments: ["U", "u", "!", "é", "\0"])
    func aCharacterOfNoKeyIsFoundInItsGroup(character: String) throws {
        var characters = Array(Self.written).map { String($0) }
        characters[13] = character
        #expect(try read(characters.joined()) == .failure(.character(group: 3)))
    }

    // The last group holds four bits of padding, which must be zero: otherwise two forms would mean
    // one key. 3RFH with its own right check character differs from 3RFG in the padding only.
    @Test func paddingThatIsNotZeroIsRefused() throws {
        for last in "0123456789ABCDEFGHJKMNPQRSTVWXYZ" {
            let text = Self.written.dropLast(2) + "H" + String(last)
            #expect(try read(String(text)) == .failure(.checksum(group: 13)))
        }
    }

    @Test func messagesNameTheGroup() {
        #expect(RecoveryKeyError.checksum(group: 7).message.contains("group 7"))
        #expect(RecoveryKeyError.count(64).message.contains("64"))
    }
}
