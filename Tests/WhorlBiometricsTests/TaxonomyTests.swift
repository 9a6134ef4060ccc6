import Testing
import WhorlBiometrics

struct TaxonomyTests {
    @Test func identifiersAndNumbersAreUniqueAndComplete() {
        let entries = Taxonomy.entries
        #expect(Set(entries.map(\.identifier)).count == entries.count)
        #expect(entries.map(\.number) == Array(1...entries.count))
    }

    @Test func everyEntrySaysWhatHappenedAndWhatToDoInWordsOfItsOwn() {
        #expect(Set(Taxonomy.entries.map(\.happened)).count >= Taxonomy.entries.count - 1)
        for entry in Taxonomy.entries {
            for words in [entry.happened, entry.advice] {
                #expect(words.count >= 8, "\(entry.identifier)")
                #expect(!words.hasSuffix("."), "\(entry.identifier)")
                #expect(!words.lowercased().contains("error 0"), "\(entry.identifier)")
                #expect(!words.contains(";"), "\(entry.identifier)")
            }
        }
    }

    @Test(.bug(id: "4"), .bug(id: "17"))
    func onlyAGoodCaptureThatDidNotMatchCounts() {
        #expect(Taxonomy.entries.filter(\.countsAsFailure).map(\.identifier) == ["no-match"])
    }

    @Test func exitStatusesAreThoseOfTheCommandsContract() {
        let contract: Set = [0, 1, 3, 4, 5, 6, 64, 65, 66, 69, 70, 73, 74, 75, 77, 78]
        for entry in Taxonomy.entries {
            #expect(contract.contains(entry.exitStatus) && entry.exitStatus != 0)
        }
    }

    // Values of androidx.biometric's BiometricPrompt and of LAError.
    @Test(arguments: [
        (AuthenticationError.timedOut, 3, -1), (.readerFull(.whorl("")), 4, -6),
        (.appCancelled, 5, -9), (.lockedOut(remainingSeconds: 1), 7, -8),
        (.lockedOutPermanently, 9, -8), (.userCancelled, 10, -2), (.notEnrolled, 11, -7),
        (.noReader, 12, -6), (.fallbackChosen, 13, -3), (.noDeviceCredential, 14, -5),
        (.strengthLowered, 15, -6), (.notInteractive, 5, -1004),
        (.readerDisconnected(.whorl("")), 1, -13), (.systemCancelled, 5, -4),
        (.sessionInvalidated, 5, -10),
    ])
    func codesAreThoseOfAndroidAndApple(error: AuthenticationError, android: Int, apple: Int) {
        #expect(error.entry.android == android)
        #expect(error.entry.laError == apple)
    }

    @Test(arguments: [-1, 10, 11, 255, 0x102, Int.max, Int.min])
    func anUnknownDeviceErrorIsKeptWholeAndNeverASuccess(code: Int) {
        let error = LibfprintMapping.error(
            domain: LibfprintMapping.deviceErrorDomain, code: code, message: "odd")
        #expect(
            error
                == .vendor(
                    domain: LibfprintMapping.deviceErrorDomain, code: code, message: "odd"))
        #expect(error.entry.exitStatus != 0)
        #expect(error.sentence.contains("odd"))
    }

    @Test func anUnknownDomainIsKeptWhole() {
        let error = LibfprintMapping.error(domain: "moon", code: 3, message: "dust")
        #expect(error == .vendor(domain: "moon", code: 3, message: "dust"))
    }

    @Test func aDriversWordsCannotMoveTheCursor() {
        let error = LibfprintMapping.error(domain: "d", code: 1, message: "a\u{1B}[2Jb\nc")
        #expect(error.sentence.unicodeScalars.allSatisfy { $0.value >= 0x20 })
    }

    @Test(.bug(id: "45")) func aReadersErrorKeepsTheCodeThatTheReaderGave() {
        let error = LibfprintMapping.error(
            domain: LibfprintMapping.deviceErrorDomain, code: 0x101, message: "hot")
        #expect(error.source?.domain == LibfprintMapping.deviceErrorDomain)
        #expect(error.source?.code == 0x101)
        #expect(error.entry.identifier == "reader-too-hot")
    }

    @Test func everyErrorOfTheLibraryHasARowAndNoTwoShareOne() {
        let errors = LibfprintMapping.rows.compactMap(\.entry)
        #expect(errors.count == 12)
        #expect(!errors.contains { $0.identifier == "vendor" })
    }
}

struct VaultErrorTests {
    static let all: [VaultError] = [
        .noSuchKey, .keyExists, .keyInvalidated, .tooLarge(limit: 1), .emptySecret,
        .invalidName(.empty), .invalidReason(.empty), .invalidAccessControl(.empty),
        .unenforceable("x"), .unacceptableCredential("x"), .noSuchFinger(.leftThumb), .notSetUp,
        .alreadySetUp, .storeBusy, .unsafePermissions("x"), .storage("x"), .damaged("x"),
        .foreignStore, .newerStore, .storeUnavailable("x"), .configuration("x"),
        .internalError("x"),
    ]

    @Test func identifiersAreUnique() {
        #expect(Set(Self.all.map(\.identifier)).count == Self.all.count)
    }

    @Test(arguments: all) func everyErrorSaysWhatToDo(error: VaultError) {
        #expect(error.sentence.contains(";"))
        #expect(error.exitStatus != 0)
    }
}
