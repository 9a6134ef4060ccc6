internal import CWhorlGLib
internal import Synchronization

/// Work for the thread that iterates a main context, as one event source of that context.
///
/// One source for all work, and one that cannot recurse: `fp_context_enumerate` and every `*_sync`
/// function iterate the context *inside* a job, and a second job that ran there would break the
/// actor's exclusivity. The corresponding C type is `GSource`.
@safe
final class JobSource: Sendable {
    typealias Work = @Sendable () -> Void

    private let pending: Pending
    // A source's ready time may be set from every thread.
    nonisolated(unsafe) private let source: UnsafeMutablePointer<GSource>

    init() {
        guard
            let source = unsafe g_source_new(
                Self.functions, guint(MemoryLayout<GSource>.size))
        else { fatalError("g_source_new() gave nothing") }
        unsafe self.source = source
        pending = unsafe Pending(source: source)
        unsafe g_source_set_can_recurse(source, 0)
        // The callback itself is never called: `dispatch` gets the data beside it.
        unsafe g_source_set_callback(
            source, nil, Unmanaged.passRetained(pending).toOpaque(),
            { data in
                guard let data = unsafe data else { return }
                unsafe Unmanaged<Pending>.fromOpaque(data).release()
            })
    }

    deinit {
        unsafe g_source_destroy(source)
        unsafe g_source_unref(source)
    }

    /// Appends work and wakes the context's thread.
    func append(_ work: @escaping Work) {
        pending.work.withLock { $0.append(work) }
        unsafe g_source_set_ready_time(source, 0)
    }

    /// Whether no work waits.
    var isEmpty: Bool { pending.work.withLock { $0.isEmpty } }

    /// Lets a context run the work from now on; to be called once.
    func attach(to context: OpaquePointer) {
        _ = unsafe g_source_attach(source, context)
    }

    // What the source's C function reaches; it never outlives the source.
    @safe
    private final class Pending: Sendable {
        let work = Mutex<[Work]>([])
        nonisolated(unsafe) let source: UnsafeMutablePointer<GSource>

        init(source: UnsafeMutablePointer<GSource>) {
            unsafe self.source = source
        }

        // The ready time goes first: work that is appended meanwhile sets it again.
        func drain() {
            unsafe g_source_set_ready_time(source, -1)
            let batch = work.withLock { work in
                let batch = work
                work.removeAll(keepingCapacity: true)
                return batch
            }
            for work in batch { work() }
        }
    }

    // GLib keeps the address of this table, so it is made once and never freed.
    nonisolated(unsafe) private static let functions: UnsafeMutablePointer<GSourceFuncs> = {
        let table = UnsafeMutablePointer<GSourceFuncs>.allocate(capacity: 1)
        unsafe table.initialize(to: GSourceFuncs())
        unsafe table.pointee.dispatch = { _, _, data in
            guard let data = unsafe data else { return 0 }
            unsafe Unmanaged<Pending>.fromOpaque(data).takeUnretainedValue().drain()
            return 1
        }
        return unsafe table
    }()
}
