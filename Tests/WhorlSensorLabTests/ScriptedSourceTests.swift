import Testing
import WhorlBiometrics
import WhorlSensorLab

struct ScriptedSourceTests {
    @Test func readersComeAndGo() async throws {
        let source = ScriptedSource()
        let reader = ScriptedReader(.scripted(deviceID: "7"))
        #expect(try await source.readers().isEmpty)
        var changes = await source.changes().makeAsyncIterator()
        await source.add(reader)
        #expect(try await source.readers().count == 1)
        guard case .added(let came) = await changes.next() else {
            Issue.record("no reader came")
            return
        }
        #expect(came.identity.deviceID == "7")
        await source.remove(reader)
        #expect(try await source.readers().isEmpty)
        guard case .removed(let gone) = await changes.next() else {
            Issue.record("no reader went")
            return
        }
        #expect(gone.identity == came.identity)
    }

    @Test func aSourceThatCannotBeAskedIsNotAnEmptyOne() async {
        let source = ScriptedSource([ScriptedReader()])
        let error = AuthenticationError.readerUnavailable(.whorl("no library"))
        source.fail(error)
        await #expect(throws: error) { try await source.readers() }
        source.fail(nil)
        await #expect(throws: Never.self) { try await source.readers() }
    }
}
