import Testing
import WhorlBiometrics
import WhorlLibfprint
import WhorlSecrets
import WhorlSensorLab

extension LibfprintReaderTests {
    @Suite struct ImagingTests {
        @Test func tellsFingersApartByTheirRidges() async throws {
            try await Bench.with(.image) { bench in
                let (first, second) = (RidgePicture(finger: 1), RidgePicture(finger: 2))
                let print = try await bench.enroll(first)
                #expect(!print.isStoredOnChip)
                let match = try await bench.run(.verify(print)) {
                    try await bench.imager.present(first.touch(7))
                }
                #expect(match.reports == [true])
                #expect(match.outcome.word == "match 0")
                let other = try await bench.run(.verify(print)) {
                    try await bench.imager.present(second.touch(7))
                }
                #expect(other.reports == [false])
                #expect(other.outcome.word == "no match")
                let both = [try await bench.enroll(second), print]
                let found = try await bench.run(.identify(both)) {
                    try await bench.imager.present(first.touch(8))
                }
                #expect(found.outcome.word == "match 1")
            }
        }

        @Test func givesThePictureThatTheSensorSaw() async throws {
            try await Bench.with(.image) { bench in
                let picture = RidgePicture(finger: 3).touch(0)
                let run = try await bench.run(.capture) {
                    try await bench.imager.present(picture)
                }
                guard case .captured(let image) = run.outcome else {
                    Issue.record("it ended in \(run.outcome.word)")
                    return
                }
                #expect(image.width == picture.width)
                #expect(image.height == picture.height)
                let isSame = image.withPixels { unsafe $0.isEqual(to: picture.pixels.span.bytes) }
                #expect(isSame)
            }
        }

        @Test(arguments: 0...3) func endsABadPictureAsARetry(code: Int) async throws {
            try await Bench.with(.image) { bench in
                let run = try await bench.run(.capture) {
                    try await bench.imager.retry(code: code)
                }
                let hint = CaptureHint(libfprintRetry: code)
                #expect(run.outcome.word == "retry \(hint.identifier)")
            }
        }

        @Test(arguments: deviceErrors)
        func endsInTheErrorThatTheDriverGives(code: Int, entry: String) async throws {
            try await Bench.with(.image) { bench in
                let run = try await bench.run(.capture) {
                    try await bench.imager.fail(code: code)
                }
                #expect(run.outcome.word == entry)
            }
        }

        @Test func comparesWithThirtyPrintsAndNoMore() async throws {
            try await Bench.with(.image) { bench in
                let finger = RidgePicture(finger: 1)
                let print = try await bench.enroll(finger)
                let refused = try await bench.run(.identify(Array(repeating: print, count: 31)))
                #expect(refused.outcome.word == "reader-unsupported")
                #expect(refused.events.count == 1)
                let run = try await bench.run(.identify(Array(repeating: print, count: 30))) {
                    try await bench.imager.present(finger.touch(6))
                }
                #expect(run.outcome.word == "match 0")
            }
        }

        // libfprint holds the end back until the finger is off; the verdict was reported before.
        @Test func reportsButDoesNotEndWhileTheFingerStaysOn() async throws {
            try await Bench.with(.image) { bench in
                let finger = RidgePicture(finger: 1)
                let print = try await bench.enroll(finger)
                try await bench.imager.setAutomaticFinger(false)
                let run = try await bench.run(.verify(print)) { event in
                    switch event {
                    case .finger(.needed):
                        try await bench.imager.finger(isPresent: true)
                        try await bench.imager.present(finger.touch(7))
                    case .reported: await bench.reader.cancel()
                    default: break
                    }
                }
                #expect(run.reports == [true])
                #expect(run.outcome.word == "cancelled")
                try await bench.imager.finger(isPresent: false)
                try await bench.imager.setAutomaticFinger(true)
                let again = try await bench.run(.verify(print)) {
                    try await bench.imager.present(finger.touch(7))
                }
                #expect(again.outcome.word == "match 0")
            }
        }

        @Test(.bug(id: "24")) func endsWhenTheReaderIsPulledOut() async throws {
            try await Bench.with(.image) { bench in
                let run = try await bench.run(.enroll) {
                    try await bench.imager.unplug()
                }
                #expect(run.outcome.word == "reader-disconnected")
            }
        }
    }
}
