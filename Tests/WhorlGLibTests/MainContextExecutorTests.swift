import CWhorlGLib
import Glibc
import Synchronization
import Testing
import WhorlGLib

@Suite(.timeLimit(.minutes(1)))
struct MainContextExecutorTests {
    @Test func runsItsActorsJobsOnItsThread() async {
        let actor = MainContextActor()
        #expect(!actor.executor.isCurrent)
        #expect(await actor.run { $0.executor.isCurrent })
        #expect(actor.executor.isIsolatingCurrentContext() == false)
    }

    @Test func givesEachActorAThreadOfItsOwn() async {
        let (first, second) = (MainContextActor(), MainContextActor())
        #expect(await first.run { _ in !second.executor.isCurrent })
        #expect(await second.run { _ in !first.executor.isCurrent })
    }

    @Test func runsWhatIsPostedBehindWhatWasEnqueued() async {
        let actor = MainContextActor()
        let order = Mutex<[Int]>([])
        await withCheckedContinuation { continuation in
            for number in 0..<100 {
                actor.executor.post {
                    order.withLock { $0.append(number) }
                    if number == 99 { continuation.resume() }
                }
            }
        }
        #expect(order.withLock { $0 } == Array(0..<100))
    }

    @Test func startsOnceHoweverManyAsk() async throws {
        let executor = MainContextExecutor(.own, name: "whorl-test")
        try await withThrowingTaskGroup { group in
            for _ in 0..<8 { group.addTask { try await executor.start() } }
            try await group.waitForAll()
        }
        try await executor.start()
    }

    @Test func givesJobsAndCallbacksOfItsContextOneThread() async {
        let actor = MainContextActor()
        // What is started on the thread calls back on the thread's default context.
        let isThere = await withCheckedContinuation { continuation in
            actor.executor.post {
                let idle = unsafe g_idle_source_new()
                let box = unsafe Unmanaged.passRetained(
                    Box { continuation.resume(returning: actor.executor.isCurrent) })
                unsafe g_source_set_callback(
                    idle,
                    { data in
                        guard let data = unsafe data else { return 0 }
                        unsafe Unmanaged<Box>.fromOpaque(data).takeRetainedValue().body()
                        return 0
                    }, box.toOpaque(), nil)
                unsafe g_source_attach(idle, g_main_context_get_thread_default())
                unsafe g_source_unref(idle)
            }
        }
        #expect(isThere)
    }

    @Test func startsNoJobInsideAnotherThatIteratesTheContext() async {
        let actor = MainContextActor()
        let nested = await withCheckedContinuation { continuation in
            let isInside = Mutex(false)
            let wasNested = Mutex(false)
            actor.executor.post {
                isInside.withLock { $0 = true }
                actor.executor.post { wasNested.withLock { $0 = isInside.withLock { $0 } } }
                for _ in 0..<100 {
                    unsafe g_main_context_iteration(g_main_context_get_thread_default(), 0)
                }
                isInside.withLock { $0 = false }
                actor.executor.post { continuation.resume(returning: wasNested.withLock { $0 }) }
            }
        }
        #expect(!nested)
    }

    @Test func stopsTheProgramThatClaimsToBeOnTheThread() async {
        await #expect(processExitsWith: .failure) {
            MainContextExecutor(.own, name: "whorl-test").checkIsolated()
        }
    }

    @Test func saysThatTheDefaultContextIsTakenAndStartsOnceItIsFree() async {
        await #expect(processExitsWith: .exitCode(0)) {
            let holder = MainContextHolder()
            let executor = MainContextExecutor(.processDefault, name: "whorl-test")
            for _ in 0..<2 {
                do throws(MainContextError) {
                    try await executor.start()
                    exit(1)
                } catch {
                    guard error == .taken else { exit(2) }
                }
            }
            holder.letGo()
            do {
                try await executor.start()
            } catch {
                exit(3)
            }
            let isCurrent = await withCheckedContinuation { continuation in
                executor.post { continuation.resume(returning: executor.isCurrent) }
            }
            exit(isCurrent ? 0 : 4)
        }
    }

    @Test func stopsTheProgramOverAJobThatCanNeverRun() async {
        await #expect(processExitsWith: .failure) {
            let holder = MainContextHolder()
            let executor = MainContextExecutor(.processDefault, name: "whorl-test")
            executor.post {}
            try? await Task.sleep(for: .seconds(30))
            holder.letGo()
        }
    }

    private final class Box: Sendable {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
}

/// A thread that owns the default main context, as a program's own main loop does.
final class MainContextHolder: Sendable {
    private let isDone = Atomic(false)
    private let isOwner = Atomic(false)

    init() {
        let thread = unsafe g_thread_new(
            "holder",
            { data in
                guard let data = unsafe data else { return nil }
                let holder = unsafe Unmanaged<MainContextHolder>.fromOpaque(data)
                    .takeRetainedValue()
                unsafe g_main_context_acquire(g_main_context_default())
                holder.isOwner.store(true, ordering: .releasing)
                while !holder.isDone.load(ordering: .acquiring) { usleep(1000) }
                unsafe g_main_context_release(g_main_context_default())
                holder.isOwner.store(false, ordering: .releasing)
                return nil
            }, Unmanaged.passRetained(self).toOpaque())
        unsafe g_thread_unref(thread)
        while !isOwner.load(ordering: .acquiring) { usleep(1000) }
    }

    func letGo() {
        isDone.store(true, ordering: .releasing)
        while isOwner.load(ordering: .acquiring) { usleep(1000) }
    }
}
