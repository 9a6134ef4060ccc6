import Testing
import WhorlBiometrics
import WhorlSensorLab

struct VirtualDeviceControllerTests {
    @Test func eachCallIsOneConnectionWithOneCommand() async throws {
        let reader = StandInReader(.answering([]))
        defer { reader.stop() }
        let controller = VirtualDeviceController(socketPath: reader.path)
        try await controller.insert("a finger")
        try await controller.remove("a finger")
        try await controller.scan("Ünïcode")
        try await controller.proceed()
        try await controller.fail(code: 257)
        try await controller.retry(code: 3)
        try await controller.finger(isPresent: true)
        try await controller.finger(isPresent: false)
        try await controller.sleep(milliseconds: 0)
        try await controller.setEnrollStages(8)
        try await controller.setScanType(.press)
        try await controller.setCancellation(isEnabled: false)
        try await controller.setKeepAlive(true)
        try await controller.unplug()
        #expect(
            reader.texts == [
                "INSERT a finger", "REMOVE a finger", "SCAN Ünïcode", "CONT ", "ERROR 257",
                "RETRY 3", "FINGER 1", "FINGER 0", "SLEEP 0", "SET_ENROLL_STAGES 8",
                "SET_SCAN_TYPE press", "SET_CANCELLATION_ENABLED 0", "SET_KEEP_ALIVE 1", "UNPLUG",
            ])
    }

    @Test func aListIsReadLineByLine() async throws {
        let reader = StandInReader(.answering(Array("one\ntwo words\n".utf8)))
        defer { reader.stop() }
        let controller = VirtualDeviceController(socketPath: reader.path)
        #expect(try await controller.list() == ["one", "two words"])
        #expect(reader.texts == ["LIST"])
    }

    @Test func anEmptyChipListsNothing() async throws {
        let reader = StandInReader(.answering([]))
        defer { reader.stop() }
        #expect(try await VirtualDeviceController(socketPath: reader.path).list().isEmpty)
    }

    @Test func aCommandThatWasDroppedUnreadIsSentAgain() async throws {
        let reader = StandInReader(.droppingFirst(2))
        defer { reader.stop() }
        try await VirtualDeviceController(socketPath: reader.path).scan("a")
        #expect(reader.texts == ["SCAN a"])
    }

    @Test func callsFromManyTasksAllArrive() async throws {
        let reader = StandInReader(.answering([]))
        defer { reader.stop() }
        let controller = VirtualDeviceController(socketPath: reader.path)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<20 {
                group.addTask { try await controller.sleep(milliseconds: number) }
            }
            try await group.waitForAll()
        }
        #expect(Set(reader.texts) == Set((0..<20).map { "SLEEP \($0)" }))
        #expect(reader.texts.count == 20)
    }

    @Test func aReaderThatOpensLateIsWaitedFor() async throws {
        let early = StandInReader(.answering([]))
        let path = early.path
        early.stop()
        await #expect(throws: VirtualReaderError.notListening(path: path)) {
            try await VirtualDeviceController(socketPath: path, patience: .milliseconds(50))
                .scan("a")
        }
    }

    @Test func aReaderThatNeverReadsIsGivenUp() async {
        let reader = StandInReader(.silent)
        defer { reader.stop() }
        let controller = VirtualDeviceController(
            socketPath: reader.path, patience: .milliseconds(50))
        await #expect(throws: VirtualReaderError.noAnswer(path: reader.path)) {
            try await controller.scan("a")
        }
    }

    @Test func aCancelledTaskStopsWaiting() async throws {
        let folder = "/tmp/whorl-lab-no-such-folder"
        let controller = VirtualDeviceController(
            socketPath: folder + "/none", patience: .seconds(600))
        let task = Task { try await controller.scan("a") }
        task.cancel()
        await #expect(throws: VirtualReaderError.cancelled) { try await task.value }
    }

    @Test(arguments: ["", "a\0b", String(repeating: "x", count: 108)])
    func aPathThatNoSocketCanHaveIsRefused(path: String) async {
        await #expect(throws: VirtualReaderError.unusablePath(path)) {
            try await VirtualDeviceController(socketPath: path).list()
        }
    }

    @Test(arguments: ["", "two\nlines", "nul\0"])
    func anArgumentThatTheLineCannotCarryIsRefused(id: String) async {
        let controller = VirtualDeviceController(socketPath: "/nowhere")
        await #expect(
            throws: VirtualReaderError.unusableArgument(
                "SCAN takes text with no NUL and no newline")
        ) {
            try await controller.scan(id)
        }
    }

    @Test func aCommandTooLongForTheReaderIsRefused() async throws {
        let reader = StandInReader(.answering([]))
        defer { reader.stop() }
        let controller = VirtualDeviceController(socketPath: reader.path)
        let longest = VirtualDeviceController.maximumCommandLength - "SCAN ".utf8.count
        try await controller.scan(String(repeating: "x", count: longest))
        await #expect(
            throws: VirtualReaderError.unusableArgument("a command is at most 1023 bytes, not 1024")
        ) {
            try await controller.scan(String(repeating: "x", count: longest + 1))
        }
    }

    @Test func numbersOutOfRangeAreRefused() async {
        let controller = VirtualDeviceController(socketPath: "/nowhere")
        await #expect(
            throws: VirtualReaderError.unusableArgument("ERROR takes a number of 0 or more, not -1")
        ) { try await controller.fail(code: -1) }
        await #expect(
            throws: VirtualReaderError.unusableArgument(
                "an enrolment takes at least one stage, not 0")
        ) { try await controller.setEnrollStages(0) }
    }
}
