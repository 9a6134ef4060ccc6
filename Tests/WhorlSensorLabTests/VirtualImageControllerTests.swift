import Testing
import WhorlSensorLab

struct VirtualImageControllerTests {
    private func numbers(_ bytes: [UInt8]) -> [Int32] {
        stride(from: 0, to: bytes.count - 3, by: 4).map { start in
            (0..<4).reduce(Int32(0)) { $0 | Int32(bytes[start + $1]) << Int32($1 * 8) }
        }
    }

    /// What the reader heard in the connection that has just been closed.
    private func heard(by reader: StandInReader, connections: Int = 1) async throws -> [[UInt8]] {
        let deadline = ContinuousClock.now + .seconds(60)
        while reader.messages.count < connections, ContinuousClock.now < deadline {
            try await Task.sleep(for: .milliseconds(1))
        }
        return reader.messages
    }

    @Test func aPictureIsItsSidesAndItsPixels() async throws {
        let reader = StandInReader(.listening)
        defer { reader.stop() }
        let controller = VirtualImageController(socketPath: reader.path)
        let picture = try #require(SensorPicture(width: 3, height: 2, pixels: [1, 2, 3, 4, 5, 6]))
        try await controller.present(picture)
        await controller.disconnect()
        let message = try #require(try await heard(by: reader).first)
        #expect(numbers(Array(message.prefix(8))) == [3, 2])
        #expect(message.dropFirst(8) == [1, 2, 3, 4, 5, 6])
    }

    @Test func commandsGoOutOnOneConnection() async throws {
        let reader = StandInReader(.listening)
        defer { reader.stop() }
        let controller = VirtualImageController(socketPath: reader.path)
        try await controller.setAutomaticFinger(false)
        try await controller.finger(isPresent: true)
        try await controller.fail(code: 0x101)
        try await controller.unplug()
        await controller.disconnect()
        let message = try #require(try await heard(by: reader).first)
        #expect(numbers(message) == [-3, 0, -4, 1, -2, 0x101, -5, 0])
    }

    @Test func aBadCaptureBringsAFingerAndTakesItAway() async throws {
        let reader = StandInReader(.listening)
        defer { reader.stop() }
        let controller = VirtualImageController(socketPath: reader.path)
        try await controller.retry(code: 2)
        await controller.disconnect()
        let message = try #require(try await heard(by: reader).first)
        #expect(numbers(message) == [-3, 0, -4, 1, -1, 2, -4, 0, -3, 1])
    }

    @Test func aPictureLargerThanTheSocketBufferArrivesWhole() async throws {
        let reader = StandInReader(.listening)
        defer { reader.stop() }
        // `net.core.wmem_default` is 208 KiB.
        let pixels = (0..<600_000).map { UInt8(truncatingIfNeeded: $0) }
        let picture = try #require(SensorPicture(width: 1000, height: 600, pixels: pixels))
        let controller = VirtualImageController(socketPath: reader.path)
        try await controller.present(picture)
        await controller.disconnect()
        let message = try #require(try await heard(by: reader).first)
        #expect(message.count == 8 + pixels.count)
        #expect(message.dropFirst(8).elementsEqual(pixels))
    }

    @Test func aReaderThatWasClosedAndOpenedIsReachedAgain() async throws {
        let reader = StandInReader(.droppingFirst(1))
        defer { reader.stop() }
        let controller = VirtualImageController(socketPath: reader.path)
        try await controller.fail(code: 4)
        let deadline = ContinuousClock.now + .seconds(60)
        while reader.messages.isEmpty, ContinuousClock.now < deadline {
            try await controller.fail(code: 5)
            try await Task.sleep(for: .milliseconds(1))
        }
        #expect(numbers(try #require(reader.messages.first)).prefix(2) == [-2, 5])
    }

    @Test func aReaderThatIsNotThereIsSaidToBe() async {
        let folder = "/tmp/whorl-lab-no-such-folder"
        let controller = VirtualImageController(
            socketPath: folder + "/none", patience: .milliseconds(20))
        await #expect(throws: VirtualReaderError.notListening(path: folder + "/none")) {
            try await controller.unplug()
        }
    }

    @Test(arguments: [(0, 1, 0), (1, 0, 0), (2, 2, 3), (5001, 1, 5001), (-1, -1, 1)])
    func aPictureThatIsNoneCannotBeMade(width: Int, height: Int, count: Int) {
        let pixels = [UInt8](repeating: 0, count: count)
        #expect(SensorPicture(width: width, height: height, pixels: pixels) == nil)
    }
}
