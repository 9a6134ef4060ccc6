internal import CWhorlSQLite
internal import Glibc
internal import Synchronization

/// A thread of its own for actors whose work blocks: the disk, other processes, key derivation.
///
/// The shared pool has one thread a core, and a blocked one is missing everywhere. An actor keeps a
/// `DatabaseThread` and names it as its executor:
///
/// ```swift
/// actor Store {
///     private let thread: DatabaseThread
///     nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }
/// }
/// ```
///
/// The thread ends by itself when the last actor that keeps it and the last job are gone.
/// Signals are blocked on it; they belong to the threads of the program.
public final class DatabaseThread: SerialExecutor {
    private let mailbox = Mailbox()

    /// Starts a thread.
    ///
    /// The corresponding C function is `pthread_create`.
    ///
    /// - Parameter name: Its name in a debugger, at most 15 bytes.
    /// - Throws: ``DatabaseError/system(function:errno:)`` if there can be no more threads.
    public init(name: StaticString = "whorl-database") throws(DatabaseError) {
        let body = ThreadBody(name: name, mailbox: mailbox)
        var all = sigset_t()
        var before = sigset_t()
        unsafe sigfillset(&all)
        // A new thread inherits the mask.
        unsafe pthread_sigmask(SIG_SETMASK, &all, &before)
        defer { unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }
        let retained = unsafe Unmanaged.passRetained(body)
        var thread = pthread_t()
        let code = unsafe pthread_create(
            &thread, nil,
            { argument in
                if let argument = unsafe argument {
                    unsafe Unmanaged<ThreadBody>.fromOpaque(argument).takeRetainedValue().run()
                }
                return nil
            }, retained.toOpaque())
        guard code == 0 else {
            unsafe retained.release()
            throw .system(function: "pthread_create", errno: code)
        }
        // Nobody waits for its end: it may be the thread itself that lets go of this object last.
        pthread_detach(thread)
    }

    deinit { mailbox.close() }

    /// Takes a job; called by the runtime.
    ///
    /// - Parameter job: What to run.
    public func enqueue(_ job: consuming ExecutorJob) {
        // The job keeps this object, and with it the thread, until it has run.
        mailbox.post(Mailbox.Item(job: UnownedJob(job), executor: self))
    }

    /// Traps unless it is called on this thread.
    public func checkIsolated() {
        precondition(mailbox.isReadByCurrentThread, "not on the database thread")
    }

    /// Tells whether it is called on this thread.
    ///
    /// - Returns: Whether it is; never nil.
    public func isIsolatingCurrentContext() -> Bool? { mailbox.isReadByCurrentThread }
}

/// What the thread keeps: the mailbox, and not the executor, which must be able to go away.
private final class ThreadBody {
    private let name: StaticString
    private let mailbox: Mailbox

    init(name: StaticString, mailbox: Mailbox) {
        self.name = name
        self.mailbox = mailbox
    }

    func run() {
        name.withUTF8Buffer { name in
            unsafe name.withMemoryRebound(to: CChar.self) { name in
                unsafe cwhorl_name_this_thread(name.baseAddress)
            }
        }
        mailbox.claim()
        while let item = mailbox.take() {
            unsafe item.job.runSynchronously(on: item.executor.asUnownedSerialExecutor())
        }
    }
}

/// A queue from many threads to one.
@safe
private final class Mailbox: @unchecked Sendable {
    // Unchecked: `items` and `isClosed` are guarded by `mutex`.

    struct Item {
        let job: UnownedJob
        let executor: DatabaseThread
    }

    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let filled: UnsafeMutablePointer<pthread_cond_t>
    private let reader = Atomic<UInt>(0)
    private var items: [Item] = []
    private var isClosed = false

    init() {
        unsafe mutex = .allocate(capacity: 1)
        unsafe filled = .allocate(capacity: 1)
        unsafe pthread_mutex_init(mutex, nil)
        unsafe pthread_cond_init(filled, nil)
    }

    deinit {
        unsafe pthread_cond_destroy(filled)
        unsafe pthread_mutex_destroy(mutex)
        unsafe filled.deallocate()
        unsafe mutex.deallocate()
    }

    var isReadByCurrentThread: Bool {
        reader.load(ordering: .acquiring) == UInt(pthread_self())
    }

    func claim() { reader.store(UInt(pthread_self()), ordering: .releasing) }

    func post(_ item: Item) {
        locked { items.append(item) }
    }

    func close() {
        locked { isClosed = true }
    }

    /// The oldest item, waited for, or nil when there is none and there will be none.
    func take() -> Item? {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        while items.isEmpty {
            if isClosed { return nil }
            unsafe pthread_cond_wait(filled, mutex)
        }
        return items.removeFirst()
    }

    private func locked(_ body: () -> Void) {
        unsafe pthread_mutex_lock(mutex)
        body()
        unsafe pthread_cond_signal(filled)
        unsafe pthread_mutex_unlock(mutex)
    }
}
