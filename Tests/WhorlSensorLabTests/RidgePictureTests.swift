import Testing
import WhorlSensorLab

struct RidgePictureTests {
    // Growing a finger takes a while without optimisation.
    private static let finger = RidgePicture(finger: 1)

    private func difference(_ left: SensorPicture, _ right: SensorPicture) -> Int {
        zip(left.pixels, right.pixels).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
            / left.pixels.count
    }

    @Test func aFingerAndATouchGiveOnePicture() {
        let touch = Self.finger.touch(0)
        #expect(touch == RidgePicture(finger: 1).touch(0))
        #expect(touch.width == RidgePicture.width)
        #expect(touch.height == RidgePicture.height)
    }

    @Test func touchesAndFingersDiffer() {
        #expect(difference(Self.finger.touch(0), Self.finger.touch(1)) > 5)
        #expect(difference(Self.finger.touch(0), RidgePicture(finger: 4).touch(0)) > 20)
    }

    @Test func theRimIsEmptyAndTheMiddleIsRidged() {
        let picture = Self.finger.touch(2)
        #expect(picture.pixels.prefix(picture.width).allSatisfy { $0 > 220 })
        let middle = picture.pixels[(picture.width * picture.height / 2)...]
            .prefix(picture.width)
        #expect(middle.contains { $0 < 90 })
        #expect(middle.contains { $0 > 180 })
    }
}
