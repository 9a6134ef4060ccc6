package import CWhorlGLib

/// A way to cancel one call, shared by whoever made it and whoever may cancel it.
///
/// The corresponding C type is `GCancellable`.
@safe
package final class Cancellable: Sendable {
    // GCancellable's reference count and flag may be used from every thread; what its "cancelled"
    // handlers do may not, which is why cancel(on:) posts.
    nonisolated(unsafe) package let pointer: UnsafeMutablePointer<GCancellable>

    /// Makes one that is not cancelled.
    ///
    /// The corresponding C function is `g_cancellable_new`.
    package init() {
        guard let pointer = unsafe g_cancellable_new() else {
            fatalError("g_cancellable_new() gave nothing")
        }
        unsafe self.pointer = pointer
    }

    deinit {
        unsafe g_object_unref(pointer)
    }

    /// Whether it was cancelled.
    ///
    /// The corresponding C function is `g_cancellable_is_cancelled`.
    package var isCancelled: Bool { unsafe g_cancellable_is_cancelled(pointer) != 0 }

    /// Cancels, on the executor's thread and so behind the job that starts the call.
    ///
    /// `g_cancellable_cancel` runs its handlers in the calling thread, and those of libfprint change
    /// the device without a lock. The corresponding C function is `g_cancellable_cancel`.
    package func cancel(on executor: MainContextExecutor) {
        executor.post { unsafe g_cancellable_cancel(self.pointer) }
    }
}
