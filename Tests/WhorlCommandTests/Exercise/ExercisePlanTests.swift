import Testing
import WhorlBiometrics

@testable import WhorlCommand

struct ExercisePlanTests {
    @Test func readsEveryOperationInOrder() throws {
        let plan = try ExercisePlan(
            parsing: "open,clear,enroll:right-index-finger,list,verify:left-thumb,identify,"
                + "capture:a:b.pgm,delete:right-thumb,suspend,resume,roundtrip,wait:250,close")
        #expect(
            plan.operations == [
                .open, .clear, .enroll(.rightIndexFinger), .list, .verify(.leftThumb), .identify,
                .capture(file: "a:b.pgm"), .delete(.rightThumb), .suspend, .resume, .roundtrip,
                .wait(milliseconds: 250), .close,
            ])
    }

    @Test(arguments: [
        ("", ExercisePlanError.empty),
        (",", .missingOperation),
        ("open,,close", .missingOperation),
        ("open,", .missingOperation),
        ("Open", .unknownOperation("Open")),
        ("open ,close", .unknownOperation("open ")),
        ("erase", .unknownOperation("erase")),
        ("open:now", .unwantedArgument(operation: "open")),
        ("roundtrip:", .unwantedArgument(operation: "roundtrip")),
        ("enroll", .missingFinger(operation: "enroll")),
        ("verify:", .missingFinger(operation: "verify")),
        ("delete:toe", .unknownFinger("toe")),
        ("enroll:any", .unknownFinger("any")),
        ("capture", .missingFile),
        ("capture:", .missingFile),
        ("wait", .unusableWait("")),
        ("wait:-1", .unusableWait("-1")),
        ("wait:600001", .unusableWait("600001")),
        ("wait:99999999999999999999", .unusableWait("99999999999999999999")),
        ("wait:1s", .unusableWait("1s")),
    ])
    func namesTheFirstOperationThatItCannotRead(text: String, error: ExercisePlanError) {
        #expect(throws: error) { try ExercisePlan(parsing: text) }
    }

    @Test func showsNoControlCharacterOfWhatItWasGiven() {
        let error = ExercisePlanError.unknownOperation("\u{1B}[2Jopen\u{202E}")
        #expect(error.message == #"'\u{1b}[2Jopen\u{202e}' is no operation"#)
    }

    @Test func readsEachFingerByItsName() throws {
        for finger in Finger.allCases {
            let plan = try ExercisePlan(parsing: "verify:\(finger.rawValue)")
            #expect(plan.operations == [.verify(finger)])
        }
    }
}
