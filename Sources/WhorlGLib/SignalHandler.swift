internal import CWhorlGLib

/// A closure connected to a signal of a GObject.
///
/// For signals whose C handler takes the object, one pointer and the user data: `notify::…`, and
/// those that carry one object. The closure runs on the thread that emits the signal.
@safe
package final class SignalHandler {
    private let body: (UnsafeMutableRawPointer?) -> Void

    private init(_ body: @escaping (UnsafeMutableRawPointer?) -> Void) {
        unsafe self.body = unsafe body
    }

    /// Connects a closure, which GObject releases when it is disconnected or the object goes away.
    ///
    /// The corresponding C function is `g_signal_connect_data`.
    ///
    /// - Parameters:
    ///   - object: The object.
    ///   - signal: The signal, with its detail.
    ///   - body: Called with the pointer that the signal carries.
    /// - Returns: The handler's id, for ``disconnect(_:from:)``; 0 where there is no such signal.
    package static func connect(
        to object: UnsafeMutableRawPointer, _ signal: String,
        _ body: @escaping (UnsafeMutableRawPointer?) -> Void
    ) -> UInt {
        let call:
            @convention(c) (
                UnsafeMutableRawPointer?, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?
            ) -> Void = { _, argument, data in
                guard let data = unsafe data else { return }
                let handler = unsafe Unmanaged<SignalHandler>.fromOpaque(data)
                    .takeUnretainedValue()
                unsafe handler.body(argument)
            }
        let handler = unsafe SignalHandler(body)
        return unsafe g_signal_connect_data(
            object, signal, unsafeBitCast(call, to: GCallback.self),
            Unmanaged.passRetained(handler).toOpaque(),
            { data, _ in
                guard let data = unsafe data else { return }
                unsafe Unmanaged<SignalHandler>.fromOpaque(data).release()
            }, GConnectFlags(rawValue: 0))
    }

    /// Disconnects a handler; does nothing for id 0.
    ///
    /// The corresponding C function is `g_signal_handler_disconnect`.
    package static func disconnect(_ id: UInt, from object: UnsafeMutableRawPointer) {
        guard id != 0 else { return }
        unsafe g_signal_handler_disconnect(object, id)
    }
}
