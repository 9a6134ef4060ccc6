import Testing

@testable import WhorlCommand

struct JSONTests {
    @Test func membersKeepTheirOrder() {
        let value: JSON = ["whorl": 1, "b": [true, false, nil], "a": ["z": "y", "x": -5]]
        #expect(value.description == #"{"whorl":1,"b":[true,false,null],"a":{"z":"y","x":-5}}"#)
    }

    @Test func emptyValuesAreWritten() {
        #expect(JSON.array([]).description == "[]")
        #expect(JSON.object([]).description == "{}")
        #expect(JSON("").description == "\"\"")
    }

    @Test func extremeNumbersAreWrittenInFull() {
        #expect(JSON(Int.min).description == "-9223372036854775808")
        #expect(JSON(Int.max).description == "9223372036854775807")
        #expect(JSON(Int?.none).description == "null")
        #expect(JSON(String?.none).description == "null")
    }

    @Test func quotesBackslashesAndLineEndsAreEscaped() {
        #expect(JSON("a\"b\\c\nd\re\tf").description == #""a\"b\\c\nd\re\tf""#)
    }

    @Test(arguments: [
        ("\u{0}", "\\u0000"), ("\u{1b}", "\\u001b"), ("\u{7f}", "\\u007f"),
        ("\u{9b}", "\\u009b"), ("\u{202e}", "\\u202e"), ("\u{2028}", "\\u2028"),
        ("\u{feff}", "\\ufeff"), ("\u{e0001}", "\\udb40\\udc01"),
    ])
    func whatATerminalWouldObeyIsEscaped(raw: String, escaped: String) {
        #expect(JSON(raw).description == "\"\(escaped)\"")
    }

    @Test func otherTextStaysAsItIs() {
        #expect(JSON("Zoë 指 👆").description == "\"Zoë 指 👆\"")
    }

    @Test func membersAreFoundByName() {
        let value: JSON = ["a": 1, "b": "c"]
        #expect(value["b"] == "c")
        #expect(value["x"] == nil)
        #expect(JSON("a")["a"] == nil)
    }
}
