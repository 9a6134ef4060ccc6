import Testing
import WhorlBiometrics
import WhorlLibfprint
import WhorlSensorLab

extension LibfprintReaderTests {
    @Suite struct BoundsTests {
        private static let impatient = LibfprintBounds(
            cancellation: .milliseconds(200), answer: .milliseconds(900),
            enumeration: .seconds(20))

        @Test func answersInTimeWhereTheDriverRefusesToBeCancelled() async throws {
            try await Bench.with(.device, bounds: Self.impatient) { bench in
                let print = try await bench.enroll()
                try await bench.sensor.setCancellation(isEnabled: false)
                let run = try await bench.run(.verify(print)) {
                    await bench.reader.cancel()
                }
                #expect(run.outcome.word == "reader-still-finishing")

                #expect(
                    try await bench.run(.verify(print)).outcome.word == "reader-still-finishing")
                #expect(try await bench.run(.close).outcome.word == "reader-still-finishing")
                await bench.reader.cancel()

                try await bench.sensor.setCancellation(isEnabled: true)
                try await bench.sensor.proceed()
                try await bench.sensor.scan("whorl")
                #expect(try await bench.untilFree(.verify(print)).outcome.word == "match 0")
            }
        }

        @Test func answersInTimeWhereAnEnrolmentRefusesToBeCancelled() async throws {
            try await Bench.with(.storage, bounds: Self.impatient) { bench in
                try await bench.sensor.setCancellation(isEnabled: false)
                let run = try await bench.run(.enroll) {
                    await bench.reader.cancel()
                }
                #expect(run.outcome.word == "reader-still-finishing")
                try await bench.sensor.setCancellation(isEnabled: true)
                try await bench.sensor.proceed()
                #expect(try await bench.untilFree(.list).outcome.word == "0 prints")
            }
        }

        @Test func stopsWhatWaitsForNoFingerAndStillTakesTooLong() async throws {
            try await Bench.with(.storage, bounds: Self.impatient) { bench in
                try await bench.sensor.sleep(milliseconds: 30_000)
                let run = try await bench.run(.list)
                #expect(run.outcome.word == "reader-unavailable")
                #expect(try await bench.run(.list).outcome.word == "0 prints")
            }
        }

        @Test func saysSoWhereWhatTakesTooLongCannotBeStopped() async throws {
            try await Bench.with(.storage, bounds: Self.impatient) { bench in
                try await bench.sensor.setCancellation(isEnabled: false)
                try await bench.sensor.sleep(milliseconds: 2500)
                #expect(try await bench.run(.list).outcome.word == "reader-still-finishing")
                #expect(try await bench.untilFree(.list).outcome.word == "0 prints")
            }
        }

        @Test func takesBackAReaderThatOpensAfterItWasGivenUp() async throws {
            try await Bench.with(.device, bounds: Self.impatient) { bench in
                try await bench.sensor.setKeepAlive(true)
                try await bench.sensor.setCancellation(isEnabled: false)
                #expect(try await bench.run(.close).outcome.word == "done")
                try await bench.sensor.sleep(milliseconds: 2500)
                #expect(try await bench.run(.open).outcome.word == "reader-still-finishing")
                #expect(try await bench.untilFree(.open).outcome.word == "done")
                try await bench.sensor.setKeepAlive(false)
            }
        }

        @Test func endsInTimeWhereADriverDoesNotNoticeThatItIsUnplugged() async throws {
            try await Bench.with(.device, bounds: Self.impatient) { bench in
                let print = try await bench.enroll()
                try await bench.sensor.setCancellation(isEnabled: false)
                try await bench.sensor.sleep(milliseconds: 1500)
                let run = try await bench.run(.verify(print)) { event in
                    if case .started = event { try await bench.sensor.unplug() }
                }
                #expect(run.outcome.word == "reader-disconnected")
                #expect(try await bench.untilFree(.close).outcome.word == "done")
            }
        }

        @Test func waitsForAFingerLongerThanForAnAnswer() async throws {
            try await Bench.with(.device, bounds: Self.impatient) { bench in
                let print = try await bench.enroll()
                let run = try await bench.run(.verify(print)) {
                    try await Task.sleep(for: .milliseconds(800))
                    try await bench.sensor.scan("whorl")
                }
                #expect(run.outcome.word == "match 0")
            }
        }

        @Test func endsEveryStreamExactlyOnce() async throws {
            try await Bench.with(.device, bounds: Self.impatient) { bench in
                let print = try await bench.enroll()
                try await bench.sensor.setCancellation(isEnabled: false)
                var endings = 0
                for await event in await bench.reader.perform(.verify(print)) {
                    if case .finger(.needed) = event {
                        await bench.reader.cancel()
                        await bench.reader.cancel()
                    }
                    if case .ended = event { endings += 1 }
                }
                #expect(endings == 1)
                try await bench.sensor.setCancellation(isEnabled: true)
                try await bench.sensor.proceed()
                #expect(try await bench.untilFree(.close).outcome.word == "done")
                #expect(await bench.reader.outcome(of: .open).word == "done")
            }
        }
    }
}
