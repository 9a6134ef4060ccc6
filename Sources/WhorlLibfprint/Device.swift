internal import CWhorlFprint
internal import WhorlBiometrics
internal import WhorlGLib

/// One reader as libfprint has it.
///
/// The corresponding C type is `FpDevice`.
@LibfprintActor
@safe
final class Device {
    let pointer: UnsafeMutablePointer<FpDevice>
    let desk: OperationDesk
    private let facts: FixedFacts
    // A device uses its context's USB context for as long as it lives.
    private let context: Context
    private var handlers: [UInt] = []
    private var isInUse = false
    private var isAbandoned = false

    /// Takes a reference to one of a context's devices.
    init(retaining pointer: UnsafeMutablePointer<FpDevice>, of context: Context) {
        unsafe g_object_ref(pointer)
        unsafe self.pointer = pointer
        self.context = context
        facts = unsafe FixedFacts(of: pointer)
        desk = OperationDesk(description: unsafe facts.description(of: pointer))
    }

    isolated deinit {
        for handler in handlers { unsafe SignalHandler.disconnect(handler, from: pointer) }
        unsafe g_object_unref(pointer)
    }

    /// Passes the reader's signals on to the operation that runs.
    ///
    /// - Parameter onUnplug: Called when the reader is pulled out, perhaps inside another job.
    func observe(onUnplug: @escaping @LibfprintActor () -> Void) {
        let (device, desk) = (unsafe pointer, desk)
        connect("notify::finger-status") {
            let status = unsafe fp_device_get_finger_status(device)
            desk.current?.report(.finger(FingerStatus(rawValue: status.rawValue)))
        }
        connect("notify::temperature") {
            let temperature = unsafe fp_device_get_temperature(device)
            desk.current?.report(.temperature(ReaderTemperature(temperature)))
        }
        connect("notify::removed") {
            LibfprintActor.assumeIsolated(onUnplug)
        }
    }

    private func connect(_ signal: String, _ body: @escaping () -> Void) {
        handlers.append(unsafe SignalHandler.connect(to: pointer, signal) { _ in body() })
    }

    /// Runs an operation until libfprint is done with it, and notes what the reader is then.
    func outcome(of operation: ReaderOperation) async -> ReaderOutcome {
        isInUse = true
        let outcome = await run(operation)
        // Nobody was told that this reader is open, so nobody would close it.
        if case .open = operation.command, operation.hasEnded { await closeIfOpen() }
        desk.dismiss(operation, description: unsafe facts.description(of: pointer))
        if isAbandoned { await closeIfOpen() }
        isInUse = false
        return outcome
    }

    /// Closes a reader that nobody holds any more, now or behind the operation that runs.
    func abandon() async {
        isAbandoned = true
        guard !isInUse else { return }
        isInUse = true
        await closeIfOpen()
        isInUse = false
    }

    private func closeIfOpen() async {
        let device = unsafe pointer
        guard unsafe fp_device_is_open(device) != 0 else { return }
        _ = await unsafe gioCall(
            on: LibfprintActor.executor,
            start: { unsafe fp_device_close(device, $0, $1, $2) },
            finish: { unsafe fp_device_close_finish(device, $0, $1) })
    }

    private func run(_ operation: ReaderOperation) async -> ReaderOutcome {
        switch operation.command {
        case .open: await unsafe plain(operation, fp_device_open, fp_device_open_finish)
        case .close: await close(operation)
        case .suspend: await unsafe plain(operation, fp_device_suspend, fp_device_suspend_finish)
        case .resume: await unsafe plain(operation, fp_device_resume, fp_device_resume_finish)
        case .enroll: await enroll(operation)
        case .verify(let print): await verify(print, operation)
        case .identify(let gallery): await identify(gallery, operation)
        case .capture: await capture(operation)
        case .list: await list(operation)
        case .delete(let print): await delete(print, operation)
        case .clearStorage:
            await unsafe plain(operation, fp_device_clear_storage, fp_device_clear_storage_finish)
        @unknown default:
            .failed(.readerUnsupported(.whorl("'\(operation.command.word)' is not known here")))
        }
    }
}
