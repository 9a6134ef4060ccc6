import CWhorlGLib
import Glibc
import Testing
import WhorlGLib

@Suite(.timeLimit(.minutes(1)))
struct GIOCallTests {
    @Test func givesWhatTheFinishFunctionGave() async {
        let actor = MainContextActor()
        let length = await actor.run { actor in
            await Self.length(ofFile: "/proc/self/comm", on: actor)
        }
        #expect((try? length.get()) ?? 0 > 0)
    }

    @Test func givesTheErrorThatTheFinishFunctionSet() async {
        let actor = MainContextActor()
        let length = await actor.run { actor in
            await Self.length(ofFile: "/nonexistent/file", on: actor)
        }
        guard case .failure(let error) = length else {
            Issue.record("it succeeded")
            return
        }
        #expect(error.domain == "g-io-error-quark")
        #expect(error.code == Int(G_IO_ERROR_NOT_FOUND.rawValue))
        #expect(!error.message.isEmpty)
        #expect(!error.isCancellation)
    }

    @Test func returnsOnceItIsCancelled() async {
        var pipe: [CInt] = [-1, -1]
        #expect(unsafe Glibc.pipe(&pipe) == 0)
        defer { for end in pipe { close(end) } }
        let actor = MainContextActor()
        let cancellable = Cancellable()
        let end = pipe[0]
        async let count = actor.run { actor in
            await Self.bytes(from: end, on: actor, cancellable: cancellable)
        }
        #expect(!cancellable.isCancelled)
        cancellable.cancel(on: actor.executor)
        guard case .failure(let error) = await count else {
            Issue.record("it succeeded")
            return
        }
        #expect(error.isCancellation)
        #expect(cancellable.isCancelled)
    }

    @Test func handsTheTasksCancellationOn() async {
        var pipe: [CInt] = [-1, -1]
        #expect(unsafe Glibc.pipe(&pipe) == 0)
        defer { for end in pipe { close(end) } }
        let actor = MainContextActor()
        let end = pipe[0]
        let task = Task {
            await actor.run { actor in
                await Self.bytes(from: end, on: actor, cancellable: Cancellable())
            }
        }
        task.cancel()
        guard case .failure(let error) = await task.value else {
            Issue.record("it succeeded")
            return
        }
        #expect(error.isCancellation)
    }

    @Test func cancelsOnTheExecutorsThread() async {
        let actor = MainContextActor()
        let cancellable = Cancellable()
        let isThere = await withCheckedContinuation { continuation in
            let handler = Handler { continuation.resume(returning: actor.executor.isCurrent) }
            unsafe g_cancellable_connect(
                cancellable.pointer,
                unsafeBitCast(Handler.call, to: GCallback.self),
                Unmanaged.passRetained(handler).toOpaque(),
                { data in
                    guard let data = unsafe data else { return }
                    unsafe Unmanaged<Handler>.fromOpaque(data).release()
                })
            cancellable.cancel(on: actor.executor)
        }
        #expect(isThere)
    }

    @Test func stopsTheProgramThatCallsFromAnotherThread() async {
        await #expect(processExitsWith: .failure) {
            let executor = MainContextExecutor(.own, name: "whorl-test")
            let other = MainContextActor()
            _ = await other.run { actor in
                await unsafe gioCall(
                    on: executor, isolation: actor, start: { _, _, _ in }, finish: { _, _ in 0 })
            }
        }
    }

    private static func length(
        ofFile path: String, on actor: isolated MainContextActor
    ) async -> Result<Int, GLibError> {
        let file = unsafe g_file_new_for_path(path)
        defer { unsafe g_object_unref(UnsafeMutableRawPointer(file)) }
        return await unsafe gioCall(
            on: actor.executor, isolation: actor,
            start: { unsafe g_file_load_contents_async(file, $0, $1, $2) },
            finish: { result, error in
                var contents: UnsafeMutablePointer<CChar>?
                var count: gsize = 0
                _ = unsafe g_file_load_contents_finish(file, result, &contents, &count, nil, error)
                unsafe g_free(contents)
                return Int(count)
            })
    }

    private static func bytes(
        from descriptor: CInt, on actor: isolated MainContextActor, cancellable: Cancellable
    ) async -> Result<Int, GLibError> {
        let stream = unsafe g_unix_input_stream_new(descriptor, 0)
        defer { unsafe g_object_unref(stream) }
        return await unsafe gioCall(
            on: actor.executor, cancellable: cancellable, isolation: actor,
            start: { unsafe g_input_stream_read_bytes_async(stream, 1, 0, $0, $1, $2) },
            finish: { result, error in
                let bytes = unsafe g_input_stream_read_bytes_finish(stream, result, error)
                defer { unsafe g_bytes_unref(bytes) }
                return unsafe bytes.map { Int(unsafe g_bytes_get_size($0)) } ?? 0
            })
    }

    private final class Handler {
        let body: () -> Void
        init(_ body: @escaping () -> Void) { self.body = body }

        static let call:
            @convention(c) (UnsafeMutableRawPointer?, UnsafeMutableRawPointer?) -> Void =
                { _, data in
                    guard let data = unsafe data else { return }
                    unsafe Unmanaged<Handler>.fromOpaque(data).takeUnretainedValue().body()
                }
    }
}
