internal import CWhorlGLib
internal import Synchronization

/// Runs an actor's jobs on one thread that owns and iterates a GLib main context.
///
/// Whatever GLib calls back on that context runs on the actor's own thread, so that a callback and a
/// job never run at the same time. The thread starts with ``start()`` or with the first job, and
/// lives as long as the process.
///
/// The corresponding C type is `GMainContext`.
@safe
package final class MainContextExecutor: SerialExecutor {
    /// Which main context the thread owns.
    package enum Context: Sendable {
        /// The default one, of which each process has one.
        ///
        /// libfprint hangs on any other: `fp_context_enumerate` iterates it by name.
        case processDefault
        /// One of its own, which is also the thread's default for what is started there.
        case own
    }

    private enum Lifecycle {
        case idle
        case starting([CheckedContinuation<MainContextError?, Never>])
        case running
    }

    private let kind: Context
    private let name: String
    nonisolated(unsafe) private let context: OpaquePointer
    private let jobs = JobSource()
    private let lifecycle = Mutex(Lifecycle.idle)

    /// Makes an executor; no thread runs yet.
    ///
    /// - Parameters:
    ///   - kind: Which main context to own.
    ///   - name: The thread's name, of which the system shows 15 bytes.
    package init(_ kind: Context, name: String) {
        self.kind = kind
        self.name = name
        let context: OpaquePointer? =
            switch kind {
            case .processDefault: unsafe g_main_context_ref(g_main_context_default())
            case .own: unsafe g_main_context_new()
            }
        guard let context = unsafe context else { fatalError("GLib gave no main context") }
        unsafe self.context = context
    }

    deinit {
        unsafe g_main_context_unref(context)
    }
}

// MARK: - Executor

extension MainContextExecutor {
    /// Appends a job and wakes the thread.
    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        submit { [unowned self] in
            unsafe job.runSynchronously(on: self.asUnownedSerialExecutor())
        }
    }

    /// Runs a closure on the thread, behind what was enqueued before.
    package func post(_ body: @escaping @Sendable () -> Void) {
        submit(body)
    }

    /// Whether the caller is on the thread.
    ///
    /// The corresponding C function is `g_main_context_is_owner`.
    package var isCurrent: Bool { unsafe g_main_context_is_owner(context) != 0 }

    /// Stops the program unless the caller is on the thread.
    package func checkIsolated() {
        precondition(isCurrent, "not on the thread '\(name)'")
    }

    /// Whether the caller is on the thread.
    package func isIsolatingCurrentContext() -> Bool? { isCurrent }

    private func submit(_ work: @escaping JobSource.Work) {
        jobs.append(work)
        let isFirst = lifecycle.withLock { lifecycle in
            guard case .idle = lifecycle else { return false }
            lifecycle = .starting([])
            return true
        }
        if isFirst { launch() }
    }
}

// MARK: - Thread

extension MainContextExecutor {
    /// Starts the thread, unless it runs already.
    ///
    /// To be called before the first job where ``Context/processDefault`` is asked for: a job that
    /// can never run is a mistake of ours and stops the program. After an error it may be called
    /// again.
    ///
    /// - Throws: ``MainContextError/taken`` where another thread owns the context,
    ///   ``MainContextError/noThread(_:)`` where the system gives no thread.
    package func start() async throws(MainContextError) {
        let failure: MainContextError? = await withCheckedContinuation { continuation in
            let isFirst: Bool? = lifecycle.withLock { lifecycle in
                switch lifecycle {
                case .running: return nil
                case .starting(let waiting):
                    lifecycle = .starting(waiting + [continuation])
                    return false
                case .idle:
                    lifecycle = .starting([continuation])
                    return true
                }
            }
            switch isFirst {
            case nil: continuation.resume(returning: nil)
            case true?: launch()
            case false?: break
            }
        }
        if let failure { throw failure }
    }

    private func launch() {
        let own = unsafe Unmanaged.passRetained(self)
        var error: UnsafeMutablePointer<GError>?
        let thread = unsafe g_thread_try_new(
            name,
            { data in
                guard let data = unsafe data else { return nil }
                let executor = unsafe Unmanaged<MainContextExecutor>.fromOpaque(data)
                    .takeRetainedValue()
                executor.run()
                return nil
            }, own.toOpaque(), &error)
        guard let thread = unsafe thread else {
            unsafe own.release()
            let message = unsafe error.map { unsafe GLibError(consuming: $0).message } ?? ""
            return settle(.noThread(message))
        }
        unsafe g_thread_unref(thread)
    }

    private func run() {
        guard unsafe g_main_context_acquire(context) != 0 else { return settle(.taken) }
        if case .own = kind { unsafe g_main_context_push_thread_default(context) }
        unsafe jobs.attach(to: context)
        settle(nil)
        while true { unsafe g_main_context_iteration(context, 1) }
    }

    private func settle(_ failure: MainContextError?) {
        let waiting: [CheckedContinuation<MainContextError?, Never>] = lifecycle.withLock {
            lifecycle in
            guard case .starting(let waiting) = lifecycle else { return [] }
            lifecycle = failure == nil ? .running : .idle
            return waiting
        }
        if let failure {
            precondition(jobs.isEmpty, "jobs for '\(name)', which cannot start: \(failure)")
        }
        for continuation in waiting { continuation.resume(returning: failure) }
    }
}

/// Why a main context's thread could not start.
package enum MainContextError: Error, Sendable, Hashable {
    /// Another thread of this process owns the context.
    case taken
    /// The system gives no thread, with its reason.
    case noThread(String)
}
