package import CWhorlGLib

/// Runs one asynchronous call in GIO's style and waits for its end.
///
/// GIO calls back exactly once, also after a cancel, and on the context where the call was started:
/// so this returns exactly once, with the task's own cancellation handed on to the call. The finish
/// function runs inside the callback, the only place where its out parameters are valid; its value
/// counts only if it set no error.
///
/// - Parameters:
///   - executor: The thread that makes the call; the caller must be on it.
///   - cancellable: Cancels this one call.
///   - isolation: The caller's actor, whose executor is `executor`.
///   - start: Makes the call with the given cancellable, callback and callback data.
///   - finish: The `…_finish` function, with the object that was called and its result.
/// - Returns: What the finish function gave, or the error that it set.
package func gioCall<Success>(
    on executor: MainContextExecutor, cancellable: Cancellable = Cancellable(),
    isolation: isolated any Actor = #isolation,
    start: (
        UnsafeMutablePointer<GCancellable>, @escaping GAsyncReadyCallback, UnsafeMutableRawPointer
    ) -> Void,
    finish:
        @escaping (
            OpaquePointer, UnsafeMutablePointer<UnsafeMutablePointer<GError>?>
        ) -> Success
) async -> Result<Success, GLibError> {
    await withTaskCancellationHandler {
        // A closure takes over an isolated parameter only if it captures it: without this line the
        // call would start on another thread.
        _ = isolation
        return await withCheckedContinuation { continuation in
            let call = unsafe PendingCall { result in
                var error: UnsafeMutablePointer<GError>?
                let value = unsafe finish(result, &error)
                let outcome: Result<Success, GLibError> =
                    if let error = unsafe error {
                        .failure(unsafe GLibError(consuming: error))
                    } else {
                        .success(value)
                    }
                continuation.resume(returning: Transferred(outcome))
            }
            executor.checkIsolated()
            unsafe start(
                cancellable.pointer, callBack, Unmanaged.passRetained(call).toOpaque())
        }.content
    } onCancel: {
        cancellable.cancel(on: executor)
    }
}

private let callBack: GAsyncReadyCallback = { _, result, data in
    guard let result = unsafe result, let data = unsafe data else {
        fatalError("GIO called back without the call's data")
    }
    unsafe Unmanaged<PendingCall>.fromOpaque(data).takeRetainedValue().end(result)
}

// Holds what a call's end needs while C has the call.
@safe
private final class PendingCall {
    let end: (OpaquePointer) -> Void

    init(end: @escaping (OpaquePointer) -> Void) { unsafe self.end = unsafe end }
}

// Unchecked, since a callback and the one who awaits it are on the same thread: nothing is shared
// across two.
private struct Transferred<Content>: @unchecked Sendable {
    let content: Content

    init(_ content: Content) { self.content = content }
}
