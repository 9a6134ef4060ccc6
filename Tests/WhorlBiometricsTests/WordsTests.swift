import Testing
import WhorlBiometrics

struct NameTests {
    @Test(arguments: ["", ".", "..", "a/../b", "a//b", "/a", "a/"])
    func namesThatAreNoNamesAreRefused(name: String) {
        #expect(throws: NameError.self) { try KeyName(name) }
        #expect(throws: NameError.self) { try Subject(name: name) }
    }

    @Test(arguments: ["a\u{0}b", "a\nb", "a\u{1B}[2J", "a\u{202E}b", "a\u{200B}", "a\u{2028}b"])
    func namesThatATerminalWouldObeyAreRefused(name: String) {
        #expect(throws: NameError.self) { try KeyName(name) }
        #expect(throws: NameError.self) { try Subject(name: name) }
    }

    @Test(arguments: ["github", "acme/refresh", "-rf", "a b", "ключ", "指", "é", "..a", "%s"])
    func namesThatNobodyExpectsAreKeptAsTheyAre(name: String) throws {
        #expect(try KeyName(name).text == name)
    }

    @Test func aSubjectIsNoPath() {
        #expect(throws: NameError.character(0x2F)) { try Subject(name: "evil/root") }
        #expect(throws: NameError.pathPart) { try Subject(name: "..") }
    }

    @Test func theLimitIsInBytes() throws {
        _ = try KeyName(String(repeating: "a", count: 255))
        #expect(throws: NameError.tooLong(limit: 255)) {
            try KeyName(String(repeating: "a", count: 256))
        }
        #expect(throws: NameError.tooLong(limit: 255)) {
            try KeyName(String(repeating: "é", count: 128))
        }
    }
}

struct ReasonTests {
    @Test(arguments: ["", " ", "\t\n"]) func anEmptyReasonIsRefused(text: String) {
        #expect(throws: ReasonError.empty) { try Reason(text) }
    }

    @Test func aLongReasonIsRefused() throws {
        _ = try Reason(String(repeating: "x", count: 120))
        #expect(throws: ReasonError.tooLong) { try Reason(String(repeating: "x", count: 121)) }
    }

    @Test func whatATerminalWouldObeyIsShownEscaped() throws {
        let reason = try Reason("pay\u{1B}[2K\u{202E}evil\r\n")
        #expect(reason.text.shown == "pay\\u{1b}[2K\\u{202e}evil\\u{d}\\u{a}")
    }
}

struct RequestLimitsTests {
    @Test(arguments: [(0, 30), (6, 30), (3, 0), (3, 171), (-1, 30), (3, Int.max)])
    func limitsOutOfRangeAreRefused(tries: Int, timeout: Int) {
        #expect(RequestLimits(tries: tries, timeoutSeconds: timeout) == nil)
    }

    @Test func theRangeIsInclusive() {
        #expect(RequestLimits(tries: 1, timeoutSeconds: 1) != nil)
        #expect(RequestLimits(tries: 5, timeoutSeconds: 170) != nil)
    }
}

struct AuthenticatorsTests {
    // BiometricManager.Authenticators.
    @Test func theBitsAreAndroids() {
        #expect(Authenticators.strong.rawValue == 15)
        #expect(Authenticators.weak.rawValue == 255)
        #expect(Authenticators.convenience.rawValue == 4095)
        #expect(Authenticators.deviceCredential.rawValue == 32_768)
    }

    @Test func strongNestsInWeak() {
        #expect(Authenticators.weak.union(.strong) == .weak)
        #expect(Authenticators.weak.minimumStrength == .weak)
        #expect(Authenticators([.strong, .deviceCredential]).minimumStrength == .strong)
        #expect(Authenticators.deviceCredential.minimumStrength == nil)
    }

    // STRONG 1, WEAK 2, CREDENTIAL 4 are Keystore-like numbers that were shipped by mistake once.
    @Test(arguments: [0, 1, 2, 3, 4, 0x7FFF, 0x1_000F, 0x8001, UInt32.max])
    func otherBitsAreNoAuthenticators(bits: UInt32) {
        let set = Authenticators(rawValue: bits)
        #expect(!set.isWellFormed)
    }
}

struct FingerTests {
    @Test func tenFingersNumberedAsLibfprintDoes() {
        #expect(Finger.allCases.map(\.libfprintValue) == Array(1...10))
    }

    @Test(arguments: ["any", "toe", "", "Right-Index-Finger", "right_index_finger", "../thumb"])
    func anyOtherNameIsNoFinger(name: String) {
        #expect(Finger(rawValue: name) == nil)
    }
}

struct ReaderSelectorTests {
    @Test(arguments: ["", ":", ":0", "synaptics:", "recorded:", "../x", "syn aptics", "é"])
    func whatSelectsNothingIsRefused(text: String) {
        #expect(ReaderSelector(parsing: text) == nil)
    }

    @Test func aSelectorTakesDriverAndId() {
        let one = ReaderIdentity(driver: "elan", deviceID: "a:b", port: .unknown)
        #expect(ReaderSelector(parsing: "elan")?.includes(one) == true)
        #expect(ReaderSelector(parsing: "elan:a:b")?.includes(one) == true)
        #expect(ReaderSelector(parsing: "elan:a")?.includes(one) == false)
        #expect(ReaderSelector(parsing: "elanmoc")?.includes(one) == false)
        #expect(ReaderSelector(parsing: "libfprint")?.includes(one) == true)
        #expect(ReaderSelector(parsing: "fprintd")?.includes(one) == false)
        #expect(ReaderSelector(parsing: one.selector)?.includes(one) == true)
    }
}

struct StrengthTests {
    @Test func aReaderThatIsNotRealHasNoStrengthOfItsOwn() {
        for reality in [ReaderReality.simulated, .emulated, .recorded] {
            #expect(StrengthCatalogue.rating(driver: "synaptics", reality: reality).strength == nil)
        }
        // Also where a virtual driver claims to be real.
        #expect(StrengthCatalogue.rating(driver: "virtual_image", reality: .real).strength == nil)
    }

    @Test func anUnknownDriverIsClassOne() {
        let rating = StrengthCatalogue.rating(driver: "moonbeam", reality: .real)
        #expect(rating == StrengthRating(.convenience, basis: .unknownDriver))
    }

    @Test(.bug(id: "52")) func matchingOnTheChipIsAClaim() {
        let rating = StrengthCatalogue.rating(driver: "synaptics", reality: .real)
        #expect(rating == StrengthRating(.strong, basis: .claimedMatchOnChip))
        #expect(rating.basis.sentence.contains("claim"))
    }

    @Test func hostMatchingIsWeakOnlyAtTheDefaultThresholdOnAFullSizeSensor() {
        #expect(StrengthCatalogue.rating(driver: "uru4000", reality: .real).strength == .weak)
        #expect(StrengthCatalogue.rating(driver: "nb1010", reality: .real).strength == .convenience)
        #expect(
            StrengthCatalogue.rating(driver: "aes2501", reality: .real).strength == .convenience)
        for facts in StrengthCatalogue.drivers {
            if case .onHost(let threshold) = facts.matching, threshold < 40 {
                #expect(facts.rating.strength == .convenience, "\(facts.driver)")
            }
        }
    }

    @Test func noDriverHasTwoRows() {
        let names = StrengthCatalogue.drivers.map(\.driver)
        #expect(Set(names).count == names.count)
    }
}

struct CaptureHintTests {
    @Test(arguments: [-1, 5, 99, Int.max]) func anUnknownRetryIsStillOnlyAHint(code: Int) {
        #expect(CaptureHint(libfprintRetry: code) == .other(code: code))
        #expect(CaptureHint(libfprintRetry: code).acquired >= 1000)
    }

    @Test func acquiredCodesAreAndroids() {
        #expect(CaptureHint.tooShort.acquired == 1)
        #expect(CaptureHint.poorQuality.acquired == 2)
        #expect(CaptureHint.cleanSensor.acquired == 3)
        #expect(CaptureHint.tooFast.acquired == 5)
    }
}

struct BootInstantTests {
    @Test func instantsOfTwoBootsCannotBeCompared() {
        let before = BootInstant(bootID: "a", nanoseconds: 5)
        #expect(BootInstant(bootID: "b", nanoseconds: 9).nanoseconds(since: before) == nil)
        #expect(BootInstant(bootID: "a", nanoseconds: 4).nanoseconds(since: before) == nil)
        #expect(BootInstant(bootID: "a", nanoseconds: 9).nanoseconds(since: before) == 4)
    }
}
