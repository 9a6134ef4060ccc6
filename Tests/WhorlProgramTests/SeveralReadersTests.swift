import Testing
import WhorlSensorLab

/// Several readers in one process, and the other kinds of reader.
@Suite(.timeLimit(.minutes(5)))
struct SeveralReadersTests {
    @Test(.bug(id: "26"))
    func theReaderThatHoldsThePrintIsUsedWhicheverComesFirst() async throws {
        try await Bench.with(.device, .storage, .image, store: .setUp) { bench in
            expect(try await bench.enroll("f1", on: .storage), 0)
            expect(try await bench.whorl("vault", "put", "github", manner: .input("x")), 0)
            let sensor = bench.sensor(.storage)
            var run = try await bench.whorl("vault", "get", "github") { _ in
                // Its chip forgets with its process.
                try await sensor.insert("f1")
                try await sensor.scan("f1")
            }
            expect(run, 0)
            #expect(run.errors.contains("virtual_device_storage:0"), "\(run)")
            // And once more with the finger on the reader that comes first.
            expect(try await bench.whorl("finger", "remove", manner: .withPIN), 0)
            expect(try await bench.enroll("f2", on: .device), 0)
            run = try await bench.whorl("verify", touching: ["f2"])
            expect(run, 0)
            #expect(run.errors.contains("virtual_device:0"), "\(run)")
        }
    }

    @Test func theReaderThatWasChosenIsUsed() async throws {
        try await Bench.with(.device, .storage, store: .setUp) { bench in
            expect(try await bench.enroll("f1", on: .device), 0)
            expect(try await bench.enroll("f2", as: "left-thumb", on: .storage), 0)
            let sensor = bench.sensor(.storage)
            var manner = Bench.Manner.usual
            manner.reader = "virtual_device_storage:0"
            let run = try await bench.whorl("verify", "any", manner: manner) { _ in
                try await sensor.insert("f2")
                try await sensor.scan("f2")
            }
            expect(run, 0)
            manner.reader = "virtual_device"
            let other = try await bench.whorl(
                "verify", "any", manner: manner, touching: ["f1"])
            expect(other, 0)
        }
    }

    @Test func aReaderThatIsNotHereIsSaid() async throws {
        try await Bench.with(store: .holding) { bench in
            for name in ["synaptics", "virtual_device:9", "virtual_device_storage", "virtual"] {
                var manner = Bench.Manner.usual
                manner.reader = name
                expect(
                    try await bench.whorl("vault", "get", "github", manner: manner), 69,
                    saying: "not here")
                manner.pin = Bench.pin
                expect(try await bench.whorl("enroll", manner: manner), 69, saying: "not here")
            }
            for name in ["", "a b", "virtual_device:", ":0", "../x", "recorded:"] {
                var manner = Bench.Manner.usual
                manner.reader = name
                expect(try await bench.whorl("status", manner: manner), 64)
            }
        }
    }

    @Test func everyReaderIsListedWithWhatChoosesIt() async throws {
        try await Bench.with(.device, .storage, .image) { bench in
            let answer = try await bench.whorl("readers", "--json").object()
            let readers = try #require(answer["readers"]?.array)
            #expect(readers.count == 3)
            for reader in readers {
                let name = try #require(reader["selector"]?.text)
                var manner = Bench.Manner.usual
                manner.reader = name
                manner.namesStore = false
                manner.allowsSimulated = false
                expect(try await bench.whorl("lab", "exercise", "open,close", manner: manner), 0)
            }
        }
    }

    @Test(.bug(id: "6")) func aFingerThatIsOnTheChipAlreadyIsSaid() async throws {
        try await Bench.with(.storage, store: .setUp) { bench in
            let sensor = bench.sensor(.storage)
            let run = try await bench.whorl("enroll", manner: .withPIN) { child in
                try await sensor.insert("f1")
                for _ in 0..<5 { try await sensor.scan("f1") }
            }
            expect(run, 73, saying: "already knows this finger")
            let list = try await bench.whorl("finger", "list", "--json").object()
            #expect(list["fingers"] == .array([]))
        }
    }

    // MARK: A reader that gives pictures

    /// Shows touches of fingers, each when the reader asks for one.
    private func show(
        _ touches: [(finger: RidgePicture, touch: Int)], _ bench: Bench, _ child: Child,
        asks: String
    ) async throws {
        let imager = VirtualImageController(
            socketPath: bench.socket(of: .image), patience: .seconds(30))
        for (index, touch) in touches.enumerated() {
            try await child.says(asks, times: index + 1)
            try await imager.present(touch.finger.touch(touch.touch))
        }
    }

    @Test func picturesOfAFingerEnrolAndOpenAndThoseOfAnotherDoNot() async throws {
        try await Bench.with(.image, store: .setUp) { bench in
            let mine = RidgePicture(finger: 1)
            let other = RidgePicture(finger: 2)
            let enrolled = try await bench.whorl("enroll", "--no-confirm", manner: .withPIN) {
                child in
                let imager = VirtualImageController(
                    socketPath: bench.socket(of: .image), patience: .seconds(30))
                try await child.says("Swipe your finger")
                for touch in 0..<5 {
                    try await imager.present(mine.touch(touch))
                    try await child.says("Enrolling: \(touch + 1) of 5")
                }
            }
            expect(enrolled, 0)
            expect(try await bench.whorl("vault", "put", "github", manner: .input("ridges")), 0)
            let wrong = try await bench.whorl("vault", "get", "github", "--tries", "1") { child in
                try await show([(other, 7)], bench, child, asks: "Swipe your finger")
            }
            expect(wrong, 1)
            #expect(wrong.output.isEmpty)
            #expect(try await bench.failures() == 1)
            let right = try await bench.whorl("vault", "get", "github") { child in
                try await show([(mine, 7)], bench, child, asks: "Swipe your finger")
            }
            expect(right, 0)
            #expect(right.text == "ridges")
        }
    }
}
