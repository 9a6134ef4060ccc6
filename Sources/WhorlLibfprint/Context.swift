internal import CWhorlFprint
internal import WhorlBiometrics
internal import WhorlGLib

/// libfprint's view of which readers there are.
///
/// The corresponding C type is `FpContext`.
@LibfprintActor
@safe
final class Context {
    let pointer: UnsafeMutablePointer<FpContext>
    private var handlers: [UInt] = []

    /// Makes a context that has looked for no reader yet.
    ///
    /// The corresponding C function is `fp_context_new`.
    init() {
        LibfprintActor.executor.checkIsolated()
        guard let pointer = unsafe fp_context_new() else {
            fatalError("fp_context_new() gave nothing")
        }
        unsafe self.pointer = pointer
    }

    isolated deinit {
        for handler in handlers { unsafe SignalHandler.disconnect(handler, from: pointer) }
        unsafe g_object_unref(pointer)
    }

    /// Calls a closure for every reader that comes or goes; perhaps inside another job.
    func observe(
        onAdded: @escaping @LibfprintActor (UnsafeMutablePointer<FpDevice>) -> Void,
        onRemoved: @escaping @LibfprintActor (UnsafeMutablePointer<FpDevice>) -> Void
    ) {
        unsafe connect("device-added", onAdded)
        unsafe connect("device-removed", onRemoved)
    }

    private func connect(
        _ signal: String, _ body: @escaping @LibfprintActor (UnsafeMutablePointer<FpDevice>) -> Void
    ) {
        let id = unsafe SignalHandler.connect(to: pointer, signal) { argument in
            guard let argument = unsafe argument else { return }
            LibfprintActor.assumeIsolated {
                unsafe body(argument.assumingMemoryBound(to: FpDevice.self))
            }
        }
        handlers.append(id)
    }

    /// Looks for readers; the ones found are reported like those that come later.
    ///
    /// Iterates the main context until every driver has answered. The corresponding C function is
    /// `fp_context_enumerate`.
    ///
    /// - Returns: Why readers that are there could not be used, in libfprint's words.
    func enumerate() -> [String] {
        LibfprintActor.executor.checkIsolated()
        let complaints = Complaints()
        let handler = unsafe g_log_set_handler(
            "libfprint-context", G_LOG_LEVEL_MESSAGE,
            { _, _, message, data in
                guard let message = unsafe message, let data = unsafe data else { return }
                unsafe Unmanaged<Complaints>.fromOpaque(data).takeUnretainedValue().texts
                    .append(String(cString: message))
            }, Unmanaged.passUnretained(complaints).toOpaque())
        unsafe fp_context_enumerate(pointer)
        unsafe g_log_remove_handler("libfprint-context", handler)
        return complaints.texts
    }

    private final class Complaints {
        var texts: [String] = []
    }
}
